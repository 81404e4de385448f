# What a fresh Linux machine needs first: Go and a C compiler. The rest comes from here.
#
#   make test        install what the tests need, then run what must hold, in minutes
#   make reproduce   the paper's experiments, figures and tables, under results/; the same command resumes
#   make lab         open the notebooks in JupyterLab (needs Python 3.10 or later)
#   make help        the other targets

GO  ?= go
OUT ?= results
IP  ?= localhost
nkf := build/nkf

# Only `nkf setup` installs a plug-in: GoMLX itself must not start downloads in the middle of a test.
export GOMLX_NO_AUTO_INSTALL := 1

# What tests compile is kept apart: it would push the programs of runs and notebooks out of their folder. Not under
# build: go runs tests again that have read files of the module which have changed since.
test test-all race: export NKF_PROGRAMS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/nkf/programs-of-tests

.PHONY: help test test-all vet race fuzz lint vuln api pictures bench bench-gpu peers reproduce setup build check clean \
	lab notebooks site test-browser test-container test-cluster kernel data
.DEFAULT_GOAL := help

help:
	@echo 'make test        set up what tests need, then run the quick ones: laws, golden values, documents'
	@echo 'make test-all    make lint and all tests (NKF_LONG=1): commands of the guides, pictures, other systems,'
	@echo '                 kernel sessions, approximation by training; half an hour'
	@echo 'make race        the tests under the race detector'
	@echo 'make fuzz        every fuzz target for $$FUZZTIME (default: 5m)'
	@echo 'make lint        gofmt, go vet, staticcheck, and the rules of the house (nkfx/house)'
	@echo 'make vuln        known vulnerabilities in what nkf is made of (asks vuln.go.dev; $$VULNDB)'
	@echo 'make pictures    draw the pictures of README again, after a change that is meant'
	@echo 'make api         write the list of what users were promised, after a change that is meant'
	@echo 'make bench       time integrals, signatures and trainings beside PyTorch, JAX, signax and pysiglib, which'
	@echo '                 it installs unless NKF_PYTHON names a Python that has them; build/bench.json'
	@echo 'make bench-gpu   check and time a CUDA card, beside PyTorch on it, in ten minutes; build/bench-gpu.json'
	@echo 'make reproduce   the experiments, figures and tables of the paper, under $$OUT (default: results)'
	@echo 'make lab         open the notebooks in JupyterLab; LABFLAGS=--no-browser prints the address only'
	@echo 'make notebooks   execute all notebooks, as build/notebooks, and say which show something new;'
	@echo '                 UPDATE=1 puts those in the place of the committed ones; NOTEBOOKS="paths surfaces"'
	@echo 'make site        notebooks and guides as HTML that needs no kernel and no network, under build/site, with'
	@echo '                 its links checked (needs npm, for MathJax)'
	@echo 'make test-browser  JupyterLab, notebooks and a slider in a real browser (needs Chromium and Node);'
	@echo '                 NOTEBOOKS="paths surfaces" for others than quickstart and paths'
	@echo 'make test-container  builds the image of the Dockerfile without Docker, opens JupyterLab and runs quickstart'
	@echo '                 in it; as root, with debootstrap and buildah, a quarter of an hour'
	@echo 'make test-cluster  runs a job file on a Slurm of two nodes on this machine, and cuts the power of one; as root,'
	@echo '                 with slurmctld, slurmd, slurm-client and munge'
	@echo 'make setup       XLA plug-in only'
	@echo 'make data        where the data sets are, and whether they are the published ones'
	@echo 'make build       build/nkf'
	@echo 'make clean       remove what was built, keep results'

# Tests choose their backends themselves (layers/backendtest): laws run on the Go backend, golden values and
# trainings of each kind on XLA, too; with NKF_LONG all do.
test: setup
	$(GO) test ./...

test-all: setup lint kernel
	NKF_LONG=1 $(GO) test -timeout 40m ./...

# On the Go backend alone: C++ destructors of XLA fault at the end of a process that the race detector ends. It
# takes the pointer arithmetic of the Go backend for an error, which it is not: checkptr is off.
race: check
	PJRT_PLUGIN_LIBRARY_PATH="$(CURDIR)/build/none" \
		$(GO) test -race -gcflags=all=-d=checkptr=0 -timeout 3h ./...

FUZZTIME ?= 5m
fuzz: check
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -parallel 1 $$p || exit; \
	done; done

vet: check
	$(GO) vet ./...

# GoMLX's idiom is to dot-import core/graph, so ST1001 is off.
lint: vet
	@test -z "$$(gofmt -l .)" || { echo 'not formatted:'; gofmt -l .; exit 1; }
	cd .tools && GOBIN="$(CURDIR)/.tools/bin" $(GO) install tool
	.tools/bin/staticcheck -checks inherit,-ST1001 ./...
	$(GO) test ./nkfx/house

# Without vuln.go.dev: VULNDB=file:///FOLDER, into which its vulndb.zip was unpacked.
vuln: check
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.8.0 $(if $(VULNDB),-db $(VULNDB)) ./...

# Pictures that guides show, each by the command that their list names, to be looked at.
pictures: setup
	NKF_LONG=1 $(GO) test -count 1 ./nkfx/house -run TestPicturesAreMadeAgain -update
	git diff --stat nkfx/experiments/pictures

api: check
	$(GO) test ./nkfx/house -run TestAPI -update
	git diff --stat nkfx/house/testdata/api.txt

# The programs that nkf is timed beside run in an environment of their own. PyPI's PyTorch for Linux does not start without
# CUDA's libraries: 6 GB on disk. --no-deps leaves out what it does without. BENCHFLAGS=--alone needs none of it.
peers        := .venv-bench
requirements := nkfx/internal/bench/peers/requirements.txt
bench bench-gpu: export NKF_PYTHON ?= $(peers)/bin/python

bench: setup peers
	$(nkf) bench $(BENCHFLAGS)

bench-gpu: setup peers
	GOMLX_BACKEND=xla:cuda $(nkf) bench --gpu $(BENCHFLAGS)

peers:
	@$(if $(or $(findstring --alone,$(BENCHFLAGS)),$(filter environment command,$(firstword $(origin NKF_PYTHON)))),:,\
		$(MAKE) --no-print-directory $(peers)/requirements.txt || \
		echo 'make: going on without PyTorch, JAX, signax and pysiglib, which could not be installed')

$(peers)/requirements.txt: $(requirements)
	@python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'make: they need Python 3.11 or later with venv: install python3 and python3-venv'; exit 1; }
	python3 -m venv --clear $(peers)
	$(peers)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--no-deps -r $(requirements)
	cp $(requirements) $@

# In the order of the time they take; all but the first four resume. Table 2 takes hours: HIV has 41,120 molecules.
reproduce: setup
	for x in paths surfaces convolution eigenvectors; do $(nkf) run $$x --out $(OUT) || exit; done
	$(nkf) table 1 --out $(OUT)
	$(nkf) table 2 --out $(OUT)

# JupyterLab and the kernel live in .venv, of this checkout alone. The settings keep it from asking the network
# for news and updates; a root needs to say so. It asks for its token, and listens on this machine alone; a
# container has to listen on all addresses of its own (IP=0.0.0.0).
venv    := .venv
jupyter := $(venv)/bin/jupyter
lab     := $(jupyter) lab --ServerApp.ip=$(IP) --ServerApp.root_dir="$(CURDIR)/notebooks" \
	--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate --LabApp.extension_manager=readonly \
	$(if $(filter 0,$(shell id -u)),--allow-root)

lab: kernel
	$(lab) $(LABFLAGS)

# What UPDATE=1 adopts is of this run alone.
executed = $(if $(NOTEBOOKS),$(NOTEBOOKS:%=notebooks/%.ipynb),notebooks/*.ipynb)

notebooks: kernel
	@rm -rf build/notebooks; mkdir -p build/notebooks; failed=; for notebook in $(executed); do \
		$(jupyter) nbconvert --to notebook --execute --log-level WARN \
			--ExecutePreprocessor.timeout=3600 --ExecutePreprocessor.record_timing=False \
			--output-dir build/notebooks "$$notebook" && echo "$$notebook: done" || failed="$$failed $$notebook"; \
	done; test -z "$$failed" || { echo "make: these notebooks have failed:$$failed"; exit 1; }
	@cd nkfx/house && $(GO) test -count 1 -run '^TestExecutedNotebooks$$' -executed "$(CURDIR)/build/notebooks" \
		$(if $(UPDATE),-update)

# As committed: run make notebooks first where outputs are to be new.
site: kernel
	mkdir -p build/mathjax && cp .jupyter/site/*.json build/mathjax
	cd build/mathjax && npm ci --no-audit --no-fund
	$(GO) run ./nkfx/internal/site -out build/site -jupyter $(jupyter) \
		-mathjax build/mathjax/node_modules/mathjax/es5/tex-svg.js

test-browser: kernel
	mkdir -p build/browser && cp .jupyter/browser/* build/browser
	cd build/browser && npm ci --no-audit --no-fund && \
		LAB='$(CURDIR)' node lab.mjs $(or $(NOTEBOOKS),quickstart paths)

# Says why where it cannot.
test-container: check
	.ci/container

test-cluster: setup
	.ci/cluster

kernel: setup $(venv)/requirements.txt
	@$(nkf) kernel install --prefix $(venv)

# The copy says which requirements are there.
$(venv)/requirements.txt: .jupyter/requirements.txt .jupyter/overrides.json
	@python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' || \
		{ echo 'make: JupyterLab needs Python 3.10 or later with venv: install python3 and python3-venv'; exit 1; }
	python3 -m venv --clear $(venv)
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		-r .jupyter/requirements.txt
	mkdir -p $(venv)/share/jupyter/lab/settings && cp .jupyter/overrides.json $(venv)/share/jupyter/lab/settings
	cp .jupyter/requirements.txt $@

# Without a network there is still the Go backend, slower but complete, so this goes on.
setup: build
	@$(nkf) setup || echo 'make: going on with the pure Go backend'

# All but the meshes of Princeton are in the program.
data: build
	@$(nkf) data verify

build: check
	$(GO) build -o $(nkf) ./nkfx/cmd/nkf

check:
	@command -v $(GO) >/dev/null || { echo 'make: there is no Go: install 1.26 or later (go.dev)'; exit 1; }
	@command -v "$$($(GO) env CC)" >/dev/null || \
		{ echo 'make: there is no C compiler, which XLA is linked with: install gcc'; exit 1; }

clean:
	rm -rf build .tools/bin
