// Command service answers over HTTP with a model that `nkf train` has saved:
//
//	curl 'localhost:8080/?smiles=CCO'
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"

	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx/models"
)

func main() {
	folder, at := flag.String("model", "", "`folder`"), flag.String("address", "localhost:8080", "")
	flag.Parse()
	backend, err := backends.New() // XLA if its plug-in is there, or else the Go backend
	if err != nil {
		log.Fatal(err)
	}
	model, err := models.Load(*folder, backend)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(*at, answer(model)))
}

// longest bounds a SMILES, and so the time and memory that a request takes.
const longest = 10_000

func answer(model *models.Predictor) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text := r.FormValue("smiles")
		if len(text) > longest {
			http.Error(w, "the SMILES is too long", http.StatusRequestEntityTooLarge)
			return
		}
		p, err := model.PredictSMILES(text)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(p) // nobody is left to tell
	}
}
