package house_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// openVariable names the folder of TestContainer for TestContainerOpens.
const openVariable = "NKF_CONTAINER_OPENS"

// TestContainerOpens starts the command of the image as `docker run` does, in what TestContainer has made and
// without a network, asks JupyterLab for pages with its token and without, runs the quickstart, and stops it
// as `docker stop` does.
func TestContainerOpens(t *testing.T) {
	work := os.Getenv(openVariable)
	if work == "" {
		t.Skip("a part of TestContainer")
	}
	require.NoError(t, exec.Command("ip", "link", "set", "lo", "up").Run())
	text, err := os.ReadFile(filepath.Join(work, "stage.json"))
	require.NoError(t, err)
	var s stage
	require.NoError(t, json.Unmarshal(text, &s))

	log, err := os.Create(filepath.Join(work, "lab.log"))
	require.NoError(t, err)
	defer log.Close()
	lab, err := s.on(append([]string{"/usr/bin/env"}, s.Command...)...)
	require.NoError(t, err)
	lab.Stdout, lab.Stderr = log, log
	require.NoError(t, lab.Start())
	ended := make(chan error, 1)
	go func() { ended <- lab.Wait() }()
	token := tokenOf(t, log.Name(), ended)

	require.Equal(t, http.StatusFound, status(t, "/lab"), "to where the token is asked for")
	require.Equal(t, http.StatusForbidden, status(t, "/api/contents"))
	require.Equal(t, http.StatusForbidden, status(t, "/api/contents?token=0"+token[1:]+"0"))
	require.Contains(t, page(t, "/lab?token="+token), "<title>JupyterLab</title>")
	require.Contains(t, page(t, "/api/kernelspecs?token="+token), `"display_name": "Go (nkf)"`)
	require.Contains(t, page(t, "/api/contents?token="+token), `"quickstart.ipynb"`)
	t.Log("JupyterLab has answered")

	require.Contains(t, s.output(t, "nkf doctor"), "xla:cpu, works")
	began := time.Now()
	s.output(t, ".venv/bin/jupyter nbconvert --to notebook --execute --ExecutePreprocessor.timeout=900 "+
		"--output-dir /tmp notebooks/quickstart.ipynb")
	executed, err := os.ReadFile(filepath.Join(s.Root, "tmp", "quickstart.ipynb"))
	require.NoError(t, err)
	require.Contains(t, string(executed), "running on xla:cpu")
	require.NotContains(t, string(executed), `"output_type": "error"`)
	committed, err := os.ReadFile(filepath.Join(root, "notebooks", "quickstart.ipynb"))
	require.NoError(t, err)
	const shown = `"output_type": "display_data"`
	pictures := strings.Count(string(committed), shown)
	require.NotZero(t, pictures)
	require.Equal(t, pictures, strings.Count(string(executed), shown))
	t.Logf("quickstart has run in %.0f s", time.Since(began).Seconds())

	require.NoError(t, lab.Process.Signal(syscall.SIGTERM))
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("JupyterLab goes on; docker would kill it")
	}
}

// output returns what a line of shell prints in the stage.
func (s *stage) output(t *testing.T, line string) string {
	t.Helper()
	cmd, err := s.on(append(s.Shell, line)...)
	require.NoError(t, err)
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", line, said[max(0, len(said)-3000):])
	return string(said)
}

// tokenOf waits until JupyterLab prints its address, and returns the token in it.
func tokenOf(t *testing.T, log string, ended <-chan error) string {
	t.Helper()
	address := regexp.MustCompile(`http://127\.0\.0\.1:8888/lab\?token=([0-9a-f]{32,})`)
	for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(time.Second) {
		said, err := os.ReadFile(log)
		require.NoError(t, err)
		if found := address.FindSubmatch(said); found != nil {
			return string(found[1])
		}
		select {
		case err := <-ended:
			require.FailNow(t, "JupyterLab has ended", "%v: %s", err, said)
		default:
		}
		require.True(t, time.Now().Before(deadline), "JupyterLab does not say its address: %s", said)
	}
}

// get asks JupyterLab for a page, without following where it points.
func get(t *testing.T, path string) *http.Response {
	t.Helper()
	client := http.Client{
		Transport:     &http.Transport{}, // no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Get("http://127.0.0.1:8888" + path)
	require.NoError(t, err)
	return response
}

// status returns the status of a page.
func status(t *testing.T, path string) int {
	t.Helper()
	response := get(t, path)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// page returns a page that is there.
func page(t *testing.T, path string) string {
	t.Helper()
	response := get(t, path)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, string(text))
	return string(text)
}
