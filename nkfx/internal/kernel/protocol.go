package kernel

import (
	"encoding/json"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/nkfx"
)

// information is what the kernel says of itself.
func information() map[string]any {
	version := nkfx.Version().NKF
	return map[string]any{
		"status": "ok", "protocol_version": "5.4", "implementation": name, "implementation_version": version,
		"banner": "nkf " + version + ", neural k-forms, for " + runtime.Version() + "; %help lists commands",
		"language_info": map[string]string{
			"name": "go", "version": runtime.Version(), "mimetype": "text/x-go", "file_extension": ".go",
			// The exporter of scripts looks for one of this language, and there may be none.
			"pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script",
		},
		"help_links": []map[string]string{
			{"text": "nkf", "url": "https://" + nkfx.Module}, {"text": "Go", "url": "https://go.dev/doc"},
		},
		"debugger": false, "supported_features": []string{},
	}
}

// answer returns the kind and content of a reply that takes no time, or "" for a request that GoNB answers.
func (s *session) answer(m *message, control bool) (kind string, content map[string]any) {
	switch m.kind {
	case "kernel_info_request":
		if control { // GoNB would answer on the other channel
			return "kernel_info_reply", information()
		}
	case "history_request":
		return "history_reply", map[string]any{"status": "ok", "history": s.history(m)}
	case "comm_info_request":
		return "comm_info_reply", map[string]any{"status": "ok", "comms": s.open(m.text("target_name"))}
	case "debug_request":
		request := map[string]json.RawMessage{"seq": []byte("0"), "command": []byte(`""`)}
		for name := range request {
			if value, ok := m.content[name]; ok {
				request[name] = value
			}
		}
		return "debug_reply", map[string]any{
			"type": "response", "seq": 0, "request_seq": request["seq"], "command": request["command"],
			"success": false, "message": "this kernel has no debugger",
		}
	}
	return "", nil
}

// history returns the cells that a client asks for, of those that have run since the kernel began, its only
// session.
func (s *session) history(m *message) (found []any) {
	var asked struct {
		Output, Unique       bool
		Session, Start, Stop int
		N                    *int
	}
	_ = json.Unmarshal(encoded(m.content), &asked) // what is missing is zero
	const current = 1
	pattern := regexp.MustCompile(".*")
	if glob := m.text("pattern"); glob != "" {
		glob = strings.NewReplacer(`\*`, "(?s:.*)", `\?`, "(?s:.)").Replace(regexp.QuoteMeta(glob))
		pattern = regexp.MustCompile("^" + glob + "$")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[string]bool{}
	found = []any{}
	for _, e := range slices.Backward(s.past) {
		switch m.text("hist_access_type") {
		case "range":
			if asked.Session != 0 && asked.Session != current || e.count < asked.Start ||
				asked.Stop > 0 && e.count >= asked.Stop {
				continue
			}
		case "search":
			if !pattern.MatchString(e.code) || asked.Unique && seen[e.code] {
				continue
			}
		}
		if asked.N != nil && len(found) >= *asked.N && m.text("hist_access_type") != "range" {
			break
		}
		seen[e.code] = true
		var line any = e.code
		if asked.Output {
			line = []any{e.code, e.value.Load()}
		}
		found = append(found, []any{current, e.count, line})
	}
	slices.Reverse(found)
	return found
}

// commTarget is what widgets of GoNB call their connections.
const commTarget = "gonb_comm"

// open returns the connections of widgets to a target, or to all.
func (s *session) open(target string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	comms := map[string]any{}
	for id := range s.comms {
		if target == "" || target == commTarget {
			comms[id] = map[string]string{"target_name": commTarget}
		}
	}
	return comms
}

// comm notes a connection that a client opens or closes, and reports whether GoNB has to know. One to an
// unknown target is closed.
func (s *session) comm(m *message) bool {
	id := m.text("comm_id")
	if m.kind == "comm_open" && m.text("target_name") != commTarget {
		s.publish(s.key.answer(m, "comm_close", map[string]any{"comm_id": id, "data": map[string]any{}}))
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.kind {
	case "comm_open":
		s.comms[id] = true
	case "comm_close":
		delete(s.comms, id)
	}
	return true
}
