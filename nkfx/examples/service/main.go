// Command service serves predictions of a model that `nkf train` has saved:
//
//	curl 'localhost:8080/?smiles=CCO'
//	curl localhost:8080 --json '{"smiles": "CCO"}'
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"mime"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

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
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", *at)
	if err != nil {
		log.Fatal(err)
	}
	if err := serve(ctx, server(model), listener); err != nil {
		log.Fatal(err)
	}
}

// serve serves until the context ends, and then answers the requests that it has.
func serve(ctx context.Context, s *http.Server, at net.Listener) error {
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		stopped <- s.Shutdown(last)
	}()
	if err := s.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

func server(model *models.Predictor) *http.Server {
	answer := func(w http.ResponseWriter, r *http.Request) {
		smiles, status, err := read(r)
		if err != nil {
			http.Error(w, err.Error(), status)
			return
		}
		p, err := model.PredictSMILES(smiles)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(p) // an error means that the client is gone
	}
	return &http.Server{
		Handler: http.MaxBytesHandler(http.HandlerFunc(answer), 1<<14), MaxHeaderBytes: 1 << 14, // bytes
		ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute,
	}
}

// read returns the SMILES of a request: of the query, of a form or of JSON. It is an error with a status.
func read(r *http.Request) (smiles string, status int, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "", "application/x-www-form-urlencoded":
		err = r.ParseForm()
		smiles = r.Form.Get("smiles")
	case "application/json":
		var body struct{ SMILES string }
		err = json.NewDecoder(r.Body).Decode(&body)
		smiles = body.SMILES
	default:
		return "", http.StatusUnsupportedMediaType, errors.New("want a query, a form or application/json")
	}
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return "", http.StatusRequestEntityTooLarge, err
	}
	return smiles, http.StatusBadRequest, err
}
