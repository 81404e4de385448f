package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestService: answers are those of the model, and a question without one is refused.
func TestService(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		columns := moleculenet.Columns{SMILES: "smiles", Labels: []string{"p_np"}}
		data, err := moleculenet.Open("../../../datasets/moleculenet/testdata/excerpt.csv", columns)
		require.NoError(t, err)
		x := experiments.NewRun(experiments.Own(data), "nkf")
		x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs = 1 }
		_, saved, err := x.Train(t.Context(), backend, nil)
		require.NoError(t, err)
		folder := t.TempDir()
		require.NoError(t, saved.Save(folder))
		model, err := models.Load(folder, backend)
		require.NoError(t, err)

		service := httptest.NewUnstartedServer(nil)
		service.Config = server(model)
		service.Start()
		defer service.Close()
		ask := func(query string) (int, string) {
			answer, err := service.Client().Get(service.URL + "/?" + query)
			require.NoError(t, err)
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			return answer.StatusCode, string(body)
		}
		for _, text := range []string{"C", "CCO"} {
			want, err := model.PredictSMILES(text)
			require.NoError(t, err)
			code, body := ask("smiles=" + text)
			require.Equal(t, 200, code, body)
			var p models.Prediction
			require.NoError(t, json.Unmarshal([]byte(body), &p))
			require.Equal(t, want.Probabilities, p.Probabilities)
		}
		for _, query := range []string{"", "smiles=", "smiles=C(", "smile=C"} {
			code, body := ask(query)
			require.Equal(t, 400, code, "%q: %s", query, body)
		}
		code, body := ask("smiles=" + strings.Repeat("C", 30_000))
		require.Equal(t, 431, code, body)
		long := url.Values{"smiles": {strings.Repeat("C", 30_000)}}
		post, err := service.Client().PostForm(service.URL, long)
		require.NoError(t, err)
		require.NoError(t, post.Body.Close())
		require.Equal(t, 413, post.StatusCode, "what is too long is not read")

		send := func(kind, body string) (int, string) {
			answer, err := service.Client().Post(service.URL, kind, strings.NewReader(body))
			require.NoError(t, err)
			defer answer.Body.Close()
			said, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			return answer.StatusCode, string(said)
		}
		_, want := ask("smiles=CCO")
		for _, kind := range []string{"application/json", "application/json; charset=utf-8"} {
			code, body := send(kind, `{"smiles": "CCO"}`)
			require.Equal(t, 200, code, body)
			require.JSONEq(t, want, body)
		}
		for _, bad := range []struct {
			kind, body string
			code       int
		}{
			{"application/json", `{"smiles": 5}`, 400}, {"application/json", `CCO`, 400},
			{"application/json", `{"smiles": "` + strings.Repeat("C", 30_000) + `"}`, 413},
			{"text/plain", "CCO", 415}, {"multipart/form-data; boundary=x", "--x--", 415},
		} {
			code, body := send(bad.kind, bad.body)
			require.Equal(t, bad.code, code, body)
		}
	})
}

// TestSlowAndLast: clients that send nothing are dropped, and a request that is being answered when the
// service ends gets its answer.
func TestSlowAndLast(t *testing.T) {
	s := server(nil)
	for _, limit := range []time.Duration{s.ReadTimeout, s.WriteTimeout, s.IdleTimeout} {
		require.Positive(t, limit)
		require.LessOrEqual(t, limit, time.Minute)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	asked := make(chan bool)
	s.ReadTimeout = 100 * time.Millisecond
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(asked)
		time.Sleep(200 * time.Millisecond)
		_, _ = io.WriteString(w, "answer")
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, s, listener) }()

	slow, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	defer slow.Close()
	require.NoError(t, slow.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(slow, "GET / HTTP/1.1\r\n")
	require.NoError(t, err)
	_, err = io.ReadAll(slow)
	require.NoError(t, err, "closed before the deadline")

	answered := make(chan string, 1)
	go func() {
		answer, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			answered <- err.Error()
			return
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		answered <- string(body)
	}()
	<-asked
	stop()
	require.Equal(t, "answer", <-answered)
	require.NoError(t, <-ended)
}
