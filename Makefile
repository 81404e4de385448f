# A fresh Linux machine needs only Go and a C compiler; these targets install the rest.
#
#   make test        install the XLA plug-in, then run the required tests, in minutes
#   make reproduce   compute the paper's experiments, figures and tables in results/; resumes if interrupted
#   make lab         open the notebooks in JupyterLab (needs Python 3.10 or later)
#   make help        the other targets

GO  ?= go
OUT ?= results
IP  ?= localhost
nkf := build/nkf

# Only `nkf setup` installs a plug-in: GoMLX must not start downloads in the middle of a test.
export GOMLX_NO_AUTO_INSTALL := 1

# Tests keep their compiled programs in a folder of their own, so that they evict none of runs and notebooks. It is
# not under build: go repeats tests that read changed files of the module.
test test-all race: export NKF_PROGRAMS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/nkf/programs-of-tests
# They run the nkf that setup has built.
test test-all: export NKF_PROGRAM ?= $(CURDIR)/$(nkf)

.PHONY: help test test-all test-kernel test-long race fuzz lint vuln api pictures bench bench-gpu peers reproduce \
	setup build check clean analyze platforms lab notebooks site test-browser test-container test-cluster kernel data
.DEFAULT_GOAL := help

help:
	@echo 'make test        install the XLA plug-in, then run the required tests: laws, reference values, documents'
	@echo 'make test-all    make lint and all tests (NKF_LONG=1), including the commands of the guides, pictures, other'
	@echo '                 systems, kernel sessions and approximation by training; 20 minutes'
	@echo 'make race        the tests under the race detector'
	@echo 'make fuzz        every fuzz target for $$FUZZTIME (default: 5m)'
	@echo 'make lint        gofmt, golangci-lint, and the rules of the project that no linter knows (nkfx/house)'
	@echo 'make platforms   vet and link everything for Linux, macOS and Windows, without cgo'
	@echo 'make vuln        report known vulnerabilities in dependencies (asks vuln.go.dev; $$VULNDB)'
	@echo 'make pictures    redraw the picture of README, after an intended change'
	@echo 'make api         regenerate the list of the public API, after an intended change'
	@echo 'make bench       time integrals, signatures and trainings, compared with PyTorch, JAX, signax and pysiglib,'
	@echo '                 which it installs unless NKF_PYTHON names a Python that has them; build/bench.json'
	@echo 'make bench-gpu   test and time a CUDA card, compared with PyTorch, in ten minutes; build/bench-gpu.json'
	@echo 'make reproduce   compute the experiments, figures and tables of the paper in $$OUT (default: results)'
	@echo 'make lab         open the notebooks in JupyterLab; LABFLAGS=--no-browser prints the address only'
	@echo 'make notebooks   execute all notebooks into build/notebooks and report changed outputs; UPDATE=1 adopts'
	@echo '                 them; NOTEBOOKS="paths surfaces" executes only these'
	@echo 'make site        render notebooks and guides as static HTML in build/site, and check their links (needs'
	@echo '                 Python 3.11 or later)'
	@echo 'make test-browser  test JupyterLab, Notebook 7, voila, notebooks and a slider in a browser (needs Chromium and'
	@echo '                 Node); NOTEBOOKS="paths surfaces" tests these instead of quickstart and paths'
	@echo 'make test-container  build the image of the Dockerfile without Docker, open JupyterLab and run quickstart in'
	@echo '                 it; needs root, debootstrap and buildah, and a quarter of an hour'
	@echo 'make test-cluster  run a job file on a Slurm of two nodes on this machine, and cut the power of one; needs root,'
	@echo '                 slurmctld, slurmd, slurm-client and munge'
	@echo 'make setup       install the XLA plug-in only'
	@echo 'make data        show where the data sets are, and compare them with the published checksums'
	@echo 'make build       compile build/nkf'
	@echo 'make clean       remove everything built; keep results'

# Tests choose their backends (layers/backendtest): laws run on the Go backend; reference values and trainings of each
# kind also on XLA; with NKF_LONG all do.
# They are linked without what only a debugger reads, and make lint has go vet. XLA needs its optimizations: without
# them (--xla_backend_optimization_level=0) it compiles in half the time, and wrong gradients (layers/path).
test: setup
	$(GO) test -vet=off -ldflags=-w ./...

# One after the other these leave a core idle: they link, install, and wait for kernels to answer. The longest packages
# come first, so that none of them is left alone at the end.
test-all:
	@$(MAKE) --no-print-directory -j3 analyze platforms kernel
	@$(MAKE) --no-print-directory -j2 test-kernel test-long

long := NKF_LONG=1 $(GO) test -vet=off -ldflags=-w -timeout 40m

test-kernel:
	$(long) ./nkfx/internal/kernel

test-long:
	$(long) $$($(GO) list ./nkfx/house ./layers/exterior ./nkfx/experiments ./... | grep -v /nkfx/internal/kernel)

# On the Go backend only: XLA's C++ destructors crash when the race detector ends the process. checkptr is off, since it
# reports the Go backend's valid pointer arithmetic.
race: check
	PJRT_PLUGIN_LIBRARY_PATH="$(CURDIR)/build/none" \
		$(GO) test -race -gcflags=all=-d=checkptr=0 -timeout 3h ./...

FUZZTIME ?= 5m
fuzz: check
	@for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -parallel 1 $$p || exit; \
	done; done

# gofmt sees the files of all systems. The linter has go vet, staticcheck and the rules of .golangci.yml.
analyze: check
	@test -z "$$(gofmt -l .)" || { echo 'not formatted:'; gofmt -l .; exit 1; }
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...

# Vets everything, tests included, and links the program, without cgo. What is for other systems nobody runs here:
# without optimizations it compiles in less time. For Linux a test compiles the same (TestProgramOfAnotherModule).
platforms: export CGO_ENABLED := 0
platforms: check
	@own=$$GOFLAGS; for p in linux/amd64 darwin/arm64 windows/amd64; do echo $$p; export GOOS=$${p%/*} GOARCH=$${p#*/}; \
		test $$GOOS = linux || export GOFLAGS="$$own '-gcflags=all=-N -l'"; \
		$(GO) vet ./... && $(GO) build -ldflags=-w -o build/$$p/ ./nkfx/cmd/nkf || exit; done

lint: analyze
	$(GO) test ./nkfx/house

# Without vuln.go.dev: VULNDB=file:///FOLDER, into which its vulndb.zip was unpacked.
vuln: check
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.8.0 $(if $(VULNDB),-db $(VULNDB)) ./...

# Redraws the picture of README by the command beside it; look at the result.
pictures: setup
	NKF_LONG=1 $(GO) test -count 1 ./nkfx/house -run TestPictureOfGuide -update
	git diff --stat nkfx/experiments/pictures

api: check
	$(GO) test ./nkfx/house -run TestAPI -update
	git diff --stat nkfx/house/testdata/api.txt

# Makes $(1) an environment of Python, at least of version $(2), with the requirements of the rule, checked by hash.
define environment
@python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < tuple(map(int, "$(2)".split("."))))' || \
	{ echo 'make: it needs Python $(2) or later with venv: install python3 and python3-venv'; exit 1; }
@echo 'make: installing the Python packages of $< into $(1), once; a minute or more'
python3 -m venv --clear $(1)
$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: $(3) -r $<
endef

# The programs that nkf is compared with have an environment of their own. PyPI's PyTorch for Linux needs CUDA's
# libraries to start: 6 GB on disk. --no-deps leaves out what it does not need. BENCHFLAGS=--alone needs none of it.
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
	$(call environment,$(peers),3.11,--no-deps)
	cp $< $@

# In the order of their duration; all but the first four resume. Table 2 takes hours: HIV has 41,120 molecules. It ends
# with all numbers, those of the paper beside them. A first look: TABLE1FLAGS='--epochs 1'
# TABLE2FLAGS='--epochs 1 --dataset BACE'.
synthetic := paths surfaces convolution eigenvectors

reproduce: setup
	@mkdir -p $(OUT)
	for x in $(synthetic); do $(nkf) run $$x --out $(OUT) >$(OUT)/$$x.txt || exit; cat $(OUT)/$$x.txt; done
	$(nkf) table 1 --out $(OUT) $(TABLE1FLAGS) >$(OUT)/table1.txt
	$(nkf) table 2 --out $(OUT) $(TABLE2FLAGS) >$(OUT)/table2.txt
	@for x in $(synthetic) table1 table2; do printf '\n%s\n\n' "$$x"; cat $(OUT)/$$x.txt; done
	@echo 'Rows "paper", and "in the paper", are published; nkfx/experiments/PAPER.md has the other parts of the paper.'

# JupyterLab and the kernel are in .venv of this checkout. The settings turn off its requests for news and updates; root
# needs a flag. It requires its token and listens on this machine only; a container must listen on all of its
# addresses (IP=0.0.0.0).
venv    := .venv
jupyter := $(venv)/bin/jupyter
lab     := $(jupyter) lab --ServerApp.ip=$(IP) --ServerApp.root_dir="$(CURDIR)/notebooks" \
	--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate --LabApp.extension_manager=readonly \
	--LabApp.default_url=/lab/tree/index.ipynb \
	$(if $(filter 0,$(shell id -u)),--allow-root)

lab: kernel
	$(lab) $(LABFLAGS)

# UPDATE=1 adopts only the notebooks of this run.
executed = $(if $(NOTEBOOKS),$(NOTEBOOKS:%=notebooks/%.ipynb),notebooks/*.ipynb)

notebooks: kernel
	@rm -rf build/notebooks; mkdir -p build/notebooks; failed=; for notebook in $(executed); do \
		$(jupyter) nbconvert --to notebook --execute --log-level WARN \
			--ExecutePreprocessor.timeout=3600 --ExecutePreprocessor.record_timing=False \
			--output-dir build/notebooks "$$notebook" && echo "$$notebook: done" || failed="$$failed $$notebook"; \
	done; test -z "$$failed" || { echo "make: these notebooks have failed:$$failed"; exit 1; }
	@cd nkfx/house && $(GO) test -count 1 -run '^TestExecutedNotebooks$$' -executed "$(CURDIR)/build/notebooks" \
		$(if $(UPDATE),-update)

# Renders the committed outputs: run make notebooks first to renew them. Sphinx warns of links that lead nowhere, and -W
# makes errors of warnings. It does not see the picture in the HTML of README, nor that a site begins with index.html.
site_tools := build/site-tools

site: $(site_tools)/requirements.txt
	rm -rf build/site
	$(site_tools)/bin/sphinx-build --quiet -W --keep-going -E -j auto -d $(site_tools)/pages -c .sphinx . build/site
	mkdir -p build/site/nkfx/experiments && cp -r nkfx/experiments/pictures build/site/nkfx/experiments
	cp build/site/README.html build/site/index.html
	@echo 'start at build/site/index.html'

$(site_tools)/requirements.txt: .sphinx/requirements.txt
	$(call environment,$(site_tools),3.11)
	cp $< $@

test-browser: kernel
	mkdir -p build/browser && cp .jupyter/browser/* build/browser
	cd build/browser && npm ci --no-audit --no-fund && \
		LAB='$(CURDIR)' node lab.mjs $(or $(NOTEBOOKS),quickstart paths)

# Prints the reason if it cannot run.
test-container: check
	.ci/container

test-cluster: setup
	.ci/cluster

kernel: setup $(venv)/requirements.txt
	@$(nkf) kernel install --prefix $(venv)

# The copy records the installed requirements.
$(venv)/requirements.txt: .jupyter/requirements.txt .jupyter/overrides.json $(wildcard .jupyter/nkf_jupyter/*.*)
	$(call environment,$(venv),3.10)
	$(venv)/bin/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation \
		.jupyter/nkf_jupyter
	mkdir -p $(venv)/share/jupyter/lab/settings && cp .jupyter/overrides.json $(venv)/share/jupyter/lab/settings
	cp $< $@

# Without a network, go on with the Go backend, which is slower but complete.
setup: build
	@$(nkf) setup || echo 'make: going on with the pure Go backend'

# The program contains all of them.
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
