package main

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

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
		service.Config = server("", model)
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
		require.Equal(t, 400, post.StatusCode, "what is too long is not read")
	})
}
