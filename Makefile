# What a fresh Linux machine needs first: Go and a C compiler. The rest comes from here.
#
#   make test        install what the tests need, then run them all
#   make reproduce   the paper's graph benchmarks, under results/; the same command resumes
#   make help        the other targets

GO  ?= go
OUT ?= results
nkf := build/nkf

# Only `nkf setup` installs a plug-in: GoMLX itself must not start downloads in the middle of a test.
export GOMLX_NO_AUTO_INSTALL := 1

.PHONY: help test test-long vet lint bench reproduce setup build check clean
.DEFAULT_GOAL := help

help:
	@echo 'make test        set up what tests need, then go vet and all tests, on every backend there is'
	@echo 'make test-long   the same and the tests that take minutes each (NKF_LONG=1)'
	@echo 'make lint        gofmt, go vet, staticcheck'
	@echo 'make bench       all benchmarks'
	@echo 'make reproduce   the graph benchmarks of the paper, under $$OUT (default: results)'
	@echo 'make setup       XLA plug-in only'
	@echo 'make build       build/nkf'
	@echo 'make clean       remove what was built, keep results'

# Tests that hold on every backend loop over the backends themselves (layers/backendtest), so one run does.
test: setup vet
	$(GO) test -timeout 30m ./...

test-long: setup vet
	NKF_LONG=1 $(GO) test -count 1 -timeout 3h ./...

vet: check
	$(GO) vet ./...

# GoMLX's idiom is to dot-import core/graph, so ST1001 is off.
lint: vet
	@test -z "$$(gofmt -l .)" || { echo 'not formatted:'; gofmt -l .; exit 1; }
	cd .tools && GOBIN="$(CURDIR)/.tools/bin" $(GO) install tool
	.tools/bin/staticcheck -checks inherit,-ST1001 ./...

bench: setup
	$(GO) test -run '^$$' -bench . -benchmem ./...

reproduce: setup
	$(nkf) run tu --dataset all --model nkf --out $(OUT)

# Without a network there is still the Go backend, slower but complete, so this goes on.
setup: build
	@$(nkf) setup || echo 'make: going on with the pure Go backend'

build: check
	$(GO) build -o $(nkf) ./nkfx/cmd/nkf

check:
	@command -v $(GO) >/dev/null || { echo 'make: there is no Go: install 1.26 or later (go.dev)'; exit 1; }
	@command -v "$$($(GO) env CC)" >/dev/null || \
		{ echo 'make: there is no C compiler, which XLA is linked with: install gcc'; exit 1; }

clean:
	rm -rf build .tools/bin
