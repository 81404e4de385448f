// Command service serves predictions of a model that `nkf train` has saved: curl 'localhost:8080/?smiles=CCO'
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
	log.Fatal(server(*at, model).ListenAndServe())
}

func server(at string, model *models.Predictor) *http.Server {
	answer := func(w http.ResponseWriter, r *http.Request) {
		p, err := model.PredictSMILES(r.FormValue("smiles"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(p) // an error means that the client is gone
	}
	handler := http.MaxBytesHandler(http.HandlerFunc(answer), 1<<14) // limits the body to 16 KiB
	return &http.Server{Addr: at, Handler: handler, MaxHeaderBytes: 1 << 14}
}
