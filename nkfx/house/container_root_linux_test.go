package house_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stage is a stage of the Dockerfile, as far as it has come: a folder that is the root of a system, and how
// commands run in it.
type stage struct {
	Root, User, Folder string
	Env, Shell         []string // Env as of os.Environ
	Command            []string // of CMD
}

// on returns a command in the stage, as its user, in its folder and with its environment.
func (s *stage) on(words ...string) (*exec.Cmd, error) {
	accounts, err := os.ReadFile(filepath.Join(s.Root, "etc", "passwd"))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(accounts)) {
		var user syscall.Credential
		fields := strings.Split(line, ":")
		if fields[0] != s.User && fields[2] != s.User {
			continue
		}
		if _, err := fmt.Sscan(fields[2]+" "+fields[3], &user.Uid, &user.Gid); err != nil {
			return nil, err
		}
		return &exec.Cmd{
			Path: words[0], Args: words, Dir: s.Folder,
			Env:         slices.Concat(reaching(), s.Env, []string{"HOME=" + fields[5]}),
			SysProcAttr: &syscall.SysProcAttr{Chroot: s.Root, Credential: &user},
		}, nil
	}
	return nil, fmt.Errorf("there is no user %s", s.User)
}

// reaching returns the part of the environment that says how this machine reaches a network: proxies,
// certificates, and where packages come from.
func reaching() []string {
	names := regexp.MustCompile(`^(?i:https?_proxy|no_proxy)=|` +
		`^(SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PIP_\w+)=|` +
		`^GO(PROXY|SUMDB|NOSUMDB|PRIVATE|NOPROXY|INSECURE)=`)
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return !names.MatchString(v) })
}

// builder does the instructions of the Dockerfile one after the other.
type builder struct {
	t      *testing.T
	work   string
	log    io.Writer
	args   map[string]string
	stages map[string]*stage
	*stage
}

// do does one instruction.
func (b *builder) do(word, rest string) {
	switch word {
	case "ARG":
		name, value, _ := strings.Cut(rest, "=")
		b.args[name] = value
	case "FROM":
		image, name, _ := strings.Cut(rest, " AS ")
		b.from(os.Expand(image, func(name string) string { return b.args[name] }), name)
	case "SHELL":
		b.Shell = b.words(rest)
	case "RUN":
		b.run(b.on(append(slices.Clone(b.Shell), rest)...))
	case "ENV":
		for pair := range strings.FieldsSeq(rest) {
			b.Env = append(b.Env, os.Expand(pair, b.getenv))
		}
	case "WORKDIR":
		b.Folder = rest
		require.NoError(b.t, os.MkdirAll(filepath.Join(b.Root, rest), 0o755))
	case "USER":
		b.User = rest
	case "COPY":
		b.copy(strings.Fields(rest))
	case "CMD":
		b.Command = b.words(rest)
	case "EXPOSE":
	default:
		require.Fail(b.t, "the test has no rule for "+word)
	}
}

// words returns the strings of a JSON list.
func (b *builder) words(list string) (words []string) {
	require.NoError(b.t, json.Unmarshal([]byte(list), &words))
	return words
}

// getenv returns a variable of the environment of the stage.
func (b *builder) getenv(name string) (value string) {
	for _, pair := range b.Env {
		if text, ok := strings.CutPrefix(pair, name+"="); ok {
			value = text
		}
	}
	return value
}

// run runs a command to its end.
func (b *builder) run(cmd *exec.Cmd, err error) {
	b.t.Helper()
	require.NoError(b.t, err)
	said := new(strings.Builder)
	cmd.Stdout = io.MultiWriter(b.log, said)
	cmd.Stderr = cmd.Stdout
	err = cmd.Run()
	text := said.String()
	require.NoError(b.t, err, "%s: %s", strings.Join(cmd.Args, " "), text[max(0, len(text)-3000):])
}

// from begins a stage with the root of another, or of the image with Go.
func (b *builder) from(image, name string) {
	next := &stage{Root: filepath.Join(b.work, "root-"+name)}
	if from, ok := b.stages[image]; ok {
		*next = *from
		next.Root = filepath.Join(b.work, "root-"+name)
		next.Env, next.Command = slices.Clone(from.Env), nil
		// What is mounted is left out.
		b.run(exec.Command("cp", "-ax", from.Root, next.Root), nil)
	} else {
		b.bare(next, image)
	}
	b.stage, b.stages[name] = next, next
	b.mount("proc", "proc", "proc", 0)
	b.mount("/dev", "dev", "", syscall.MS_BIND|syscall.MS_REC)
	for _, path := range []string{"/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs"} {
		if _, err := os.Stat(path); err == nil {
			b.mount(path, path, "", syscall.MS_BIND)
		}
	}
}

// mount mounts a file or folder of this machine in the root.
func (b *builder) mount(source, target, kind string, flags uintptr) {
	target = filepath.Join(b.Root, target)
	if info, err := os.Stat(source); err == nil && info.Mode().IsRegular() {
		file, err := os.OpenFile(target, os.O_CREATE, 0o644)
		require.NoError(b.t, err)
		require.NoError(b.t, file.Close())
	} else {
		require.NoError(b.t, os.MkdirAll(target, 0o755))
	}
	require.NoError(b.t, syscall.Mount(source, target, kind, flags, ""), "mounting %s on %s", source, target)
}

// bare makes the root of an image golang:VERSION-CODENAME: a small Debian, what compiles, and the Go of this
// machine. The mirror is that of its apt, or else the one that debootstrap knows; MIRROR names another.
func (b *builder) bare(s *stage, image string) {
	parts := regexp.MustCompile(`^golang:([\d.]+)-(\w+)@`).FindStringSubmatch(image)
	require.NotNil(b.t, parts, "no stand-in for %s", image)
	version, codename := parts[1], parts[2]
	args := []string{"--variant=minbase", "--include=ca-certificates,git,g++,gcc,libc6-dev,make,pkg-config",
		codename, s.Root}
	if mirror := mirror(codename); mirror != "" {
		args = append(args, mirror)
	}
	b.run(exec.Command("debootstrap", args...), nil)
	goroot, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	require.NoError(b.t, err)
	own := strings.Fields(string(goroot))
	b.t.Logf("Debian %s with %s of this machine in the place of go%s", codename, own[1], version)
	b.run(exec.Command("cp", "-a", own[0], filepath.Join(s.Root, "usr", "local", "go")), nil)
	s.User, s.Folder, s.Shell = "root", "/go", []string{"/bin/sh", "-c"}
	s.Env = []string{"GOTOOLCHAIN=local", "GOPATH=/go",
		"PATH=/go/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
	require.NoError(b.t, os.MkdirAll(filepath.Join(s.Root, "go"), 0o777))
	// Where apt has to ask a proxy here, it has to there.
	settings, err := exec.Command("apt-config", "dump").Output()
	if err != nil {
		return
	}
	proxies := regexp.MustCompile(`(?m)^Acquire::\w+::Proxy.*\n`).FindAllString(string(settings), -1)
	file := filepath.Join(s.Root, "etc", "apt", "apt.conf.d", "90proxy")
	require.NoError(b.t, os.WriteFile(file, []byte(strings.Join(proxies, "")), 0o644))
}

// mirror returns the address from which this machine gets a release of Debian, or nothing.
func mirror(codename string) string {
	if address := os.Getenv("MIRROR"); address != "" {
		return address
	}
	list, err := exec.Command("apt-get", "indextargets", "--format", "$(RELEASE) $(ORIGIN) $(REPO_URI)",
		"Created-By: Packages").Output()
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(list)) {
		if address, ok := strings.CutPrefix(line, codename+" Debian "); ok {
			return strings.TrimSpace(address)
		}
	}
	return ""
}

// copy copies a folder of a stage or of the checkout, less what .dockerignore lists.
func (b *builder) copy(words []string) {
	var from, owner string
	for strings.HasPrefix(words[0], "--") {
		name, value, _ := strings.Cut(words[0], "=")
		into, ok := map[string]*string{"--from": &from, "--chown": &owner}[name]
		require.True(b.t, ok, "the test has no rule for COPY %s", name)
		*into, words = value, words[1:]
	}
	require.Len(b.t, words, 2)
	target := words[1]
	if !filepath.IsAbs(target) {
		target = filepath.Join(b.Folder, target)
	}
	into := filepath.Join(b.Root, target)
	require.NoError(b.t, os.MkdirAll(into, 0o755))
	if from != "" {
		source := filepath.Join(b.stages[from].Root, words[0])
		b.run(exec.Command("cp", "-ax", source+"/.", into), nil)
	} else {
		script := `cd "$1" && shift && into=$1 && shift && tar --anchored "$@" -cf - . | tar -C "$into" -xf -`
		args := []string{"-o", "pipefail", "-c", script, "copy", filepath.Join(root, words[0]), into}
		b.run(exec.Command("bash", append(args, ignored(b.t)...)...), nil)
	}
	b.run(exec.Command("chroot", b.Root, "chown", "-R", owner+":", target), nil)
}

// ignored returns the options that keep tar from what .dockerignore lists: paths below the checkout.
func ignored(t *testing.T) (options []string) {
	t.Helper()
	file, err := os.Open(filepath.Join(root, ".dockerignore"))
	require.NoError(t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		require.NotRegexp(t, `[*?!#\[]`, lines.Text(), "the test has no rule for patterns")
		options = append(options, "--exclude=./"+lines.Text())
	}
	return options
}

// containerVariable asks for TestContainer: "1", or the folder that it works in once it has namespaces.
const containerVariable = "NKF_CONTAINER"

// TestContainer does what the Dockerfile says, step by step, where there is no Docker, and opens the
// result.
//
// Mounts and processes are in namespaces that end with the test, however that ends. Its folder is
// build/_container, which Go passes over, about 4 GB while it runs; what a killed run has left the next one
// removes.
func TestContainer(t *testing.T) {
	work := os.Getenv(containerVariable)
	switch {
	case work == "":
		t.Skip("takes a quarter of an hour, root and debootstrap: make test-container")
	case work == "1":
		inNamespaces(t)
		return
	}
	// Nothing that is mounted from here on is seen outside.
	require.NoError(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
	log, err := os.Create(filepath.Join(work, "log"))
	require.NoError(t, err)
	defer log.Close()
	b := &builder{t: t, work: work, log: log, args: map[string]string{}, stages: map[string]*stage{}}
	for _, instruction := range needed(instructions(t)) {
		began := time.Now()
		b.do(instruction[0], instruction[1])
		text := strings.Join(strings.Fields(strings.Join(instruction[:], " ")), " ")
		t.Logf("%5.1f s  %.90s", time.Since(began).Seconds(), text)
	}
	state, err := json.Marshal(b.stage)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(work, "stage.json"), state, 0o600))
	isolated(t, "^TestContainerOpens$", openVariable+"="+work, syscall.CLONE_NEWNET)
}

// inNamespaces runs TestContainer again, in namespaces of its own.
func inNamespaces(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to make the root of another system")
	}
	for tool, source := range map[string]string{
		"debootstrap": "debootstrap", "ip": "iproute2", "chroot": "coreutils", "tar": "tar", "go": "Go",
	} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s: install %s", tool, source)
		}
	}
	work, err := filepath.Abs(filepath.Join(root, "build", "_container"))
	require.NoError(t, err)
	remove := func() { require.NoError(t, os.RemoveAll(work)) }
	remove()
	t.Cleanup(remove)
	require.NoError(t, os.MkdirAll(work, 0o755))
	isolated(t, "^TestContainer$", containerVariable+"="+work, syscall.CLONE_NEWNS|syscall.CLONE_NEWPID)
}

// isolated runs a test in a process with namespaces of its own, which dies with this one.
func isolated(t *testing.T, name, variable string, namespaces uintptr) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", name, "-test.v")
	cmd.Env = append(os.Environ(), variable)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	runtime.LockOSThread() // whose end is the signal
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces, Pdeathsig: syscall.SIGKILL}
	require.NoError(t, cmd.Run(), name)
}
