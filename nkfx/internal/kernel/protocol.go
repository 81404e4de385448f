package kernel

import (
	"cmp"
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

// currentSession is the number of the only session that there is a history of.
const currentSession = 1

// wanted is a request for the history.
type wanted struct {
	Output, Unique       bool
	Session, Start, Stop int
	N                    *int
	How                  string `json:"hist_access_type"`
	Pattern              string
}

// takes reports whether a cell is asked for.
func (w *wanted) takes(e *execution) bool {
	switch w.How {
	case "range":
		return (w.Session == 0 || w.Session == currentSession) && e.count >= w.Start &&
			(w.Stop <= 0 || e.count < w.Stop)
	case "search":
		glob := regexp.QuoteMeta(cmp.Or(w.Pattern, "*"))
		glob = strings.NewReplacer(`\*`, "(?s:.*)", `\?`, "(?s:.)").Replace(glob)
		return regexp.MustCompile("^" + glob + "$").MatchString(e.code)
	}
	return true
}

// history returns the cells that a client asks for, of those that have run since the kernel began.
func (s *session) history(m *message) (found []any) {
	var w wanted
	_ = json.Unmarshal(m.parts[4], &w) // what is missing is zero
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[string]bool{}
	found = []any{}
	for _, e := range slices.Backward(s.past) {
		if w.How != "range" && w.N != nil && len(found) >= *w.N {
			break
		}
		if !w.takes(e) || w.Unique && seen[e.code] {
			continue
		}
		seen[e.code] = true
		var line any = e.code
		if w.Output {
			line = []any{e.code, e.value.Load()}
		}
		found = append(found, []any{currentSession, e.count, line})
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
