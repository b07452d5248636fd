# MCP Workbench. `make help` lists the targets.

GO       ?= go
BIN      := bin/mcp-workbench
CODE     := adapters application cmd domain ports $(filter-out tests/npm/ tests/tools/,$(wildcard tests/*/))
LINT     := $(GO) tool -modfile=tests/tools/go.mod golangci-lint
# A number of inputs: with a time limit, targets sometimes fail at the end
# (golang/go#75804, fixed in Go 1.27).
FUZZTIME ?= 2000x
BENCH    ?=

# The npm servers, hosts and judges of the specs; a stamp with the lock file shows
# whether the installed packages match the lock.
NPM       := tests/npm
NPM_STAMP := $(NPM)/node_modules/.installed

# On a busy machine a suite may need more than Go's ten minutes.
GOTEST   = $(GO) test -count=1 -timeout=30m
# For packages that make test and make static have vetted.
AGAIN    = $(GOTEST) -vet=off

# make check runs every spec of make test once, and again only where the system, the detector or the transport
# changes what happens. make check-all runs all of them everywhere.
#
# Packages that start goroutines, and the features about calls, run with the race detector. Selection is left out: each
# program runs in a process of its own, without the variable that ends the detector's wait of a second at its exit.
RACED    = $(filter-out ./adapters/selection/,$(addprefix ./,$(sort $(dir $(shell grep -rlE --include='*.go' --exclude='*_test.go' \
	'^\s*go |\.Go\b|AfterFunc' adapters application cmd/mcp-workbench))))) ./tests/acceptance/using
# Features about calls run over HTTP too. All features do in make check-all, except those of the background
# workbench, which is for hosts on pipes.
OVER_HTTP = ./tests/acceptance/using
ALL_OVER_HTTP = $(filter-out %/tests/acceptance/background,$(shell $(GO) list ./tests/acceptance/...))
# Specs that the detector only makes slow, features of selection among them.
RACELESS = A call with select|read_result .* says in the text itself|Bodies of messages leave no memory
# The official runner judges every scenario in the newest version; those that the version before has too, over HTTP and
# about logins, run in make check-all. So do the Inspector with the version that it chooses itself, and SDKs and the
# Inspector over HTTP, where calls run twice as well (over-http).
REPEATED = auth/.* of 2025-11-25|of 2025-11-25, with the names|in the era auto|(version . .*|in the era .*)over HTTP
# One host of each era: Claude Code makes a handshake, GitHub Copilot CLI speaks 2026-07-28.
TWO_HOSTS = Claude Code|GitHub Copilot CLI
# Windows has its own files, processes, paths, pipes and quoting.
ON_WINDOWS = ./tests/windows ./adapters/system/... ./adapters/downstream/stdio/... ./adapters/hostfiles/... ./adapters/lock/packages ./tests/acceptance/hosts
# All that has no target of its own; make test leaves out more (tests/spec).
ALL_LABELS = -ginkgo.label-filter='!soak && !balancers && !measurement'

# Without cgo programs are static. Only the race detector needs it.
export CGO_ENABLED = 0

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/mcp-workbench
	$(GO) build -o $(BIN) ./cmd/mcp-workbench

.PHONY: install
install: ## Install the program where Go puts programs
	@echo "Compiling the program and, the first time, its libraries: that takes two to three minutes. Each package is named."
	$(GO) install -v ./cmd/mcp-workbench
	@echo "Installed: $$($(GO) list -f '{{.Target}}' ./cmd/mcp-workbench)"

.PHONY: release
release: ## Build every file of a release in dist: make release VERSION=v1.0.0; nothing is published
	$(GO) run ./cmd/release -version '$(VERSION)' dist

.PHONY: release-check
release-check: ## Try the files of a release like new users: make release-check VERSION=v1.0.0
	cmd/release/check/run dist/$(VERSION)

.PHONY: demo
demo: build ## Show the main job, with only this program
	@$(BIN) demo

# Many suites wait for processes, so two run on each processor.
.PHONY: test
test: ## Run the specs that need only Go and end soon
	$(GOTEST) -p $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN)) ./...

.PHONY: race
race: export CGO_ENABLED = 1
race: ## Run the specs of packages that start goroutines with the race detector
	$(AGAIN) -race $(RACED) -ginkgo.skip='$(RACELESS)'

.PHONY: over-http
over-http: export WORKBENCH_FEATURES_OVER_HTTP = 1
over-http: ## Run the features about calls with hosts over HTTP instead of pipes
	$(AGAIN) $(OVER_HTTP)

.PHONY: real
real: npm install-hosts ## Run the specs with real servers, and with one real host of each era (needs Node)
	$(AGAIN) ./adapters/lock/packages ./tests/acceptance/packages ./tests/realservers/... -ginkgo.label-filter=npm -ginkgo.skip='$(REPEATED)'
	$(AGAIN) ./tests/hosts -ginkgo.focus='$(TWO_HOSTS)'

# The duration of each spec with a time bound; the others are bounded by numbers.
SOAK ?= 2m

.PHONY: soak
soak: ## Run the full soak, about half an hour: calls, restarts, random servers and hosts, long runs (SOAK=1h: each an hour)
	WORKBENCH_SOAK=$(SOAK) $(GOTEST) -timeout=24h -v ./tests/soak ./tests/acceptance/... ./adapters/mcpserver/httpserver -ginkgo.label-filter=soak

.PHONY: windows
windows: ## Run specs about what Windows changes as Windows programs under Wine (installed with apt-get if possible)
	@tests/install wine64 binutils-mingw-w64-x86-64
	@GO='$(GO)' tests/windows/run $(ON_WINDOWS)

.PHONY: balancers
balancers: ## Run three processes behind HAProxy and nginx (installed with apt-get if possible), and check the files for Kubernetes and Envoy
	@tests/install haproxy nginx
	$(GOTEST) ./tests/acceptance/http -ginkgo.label-filter=balancers
	cd tests/deploy && $(GOTEST) ./...

.PHONY: npm
npm: ## Install the npm servers that specs use, if there is Node
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(NPM_STAMP); \
	else echo "Node is not here: the specs over real servers will be skipped"; fi

$(NPM_STAMP): $(NPM)/package-lock.json
	cd $(NPM) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

HOSTS       := tests/hosts/npm
HOSTS_STAMP := $(HOSTS)/node_modules/.installed

.PHONY: hosts
hosts: npm install-hosts ## Run real hosts with the built program, and write the table in the topic hosts
	WORKBENCH_WRITE_HOSTS=1 $(GOTEST) -timeout=1h ./tests/hosts -ginkgo.label-filter=npm

WORLD       := tests/world/npm
WORLD_STAMP := $(WORLD)/node_modules/.installed

.PHONY: world
world: $(WORLD_STAMP) ## Compare published servers with and without the workbench, and run published clients (needs npm)
	$(GOTEST) -v -timeout=2h ./tests/world -ginkgo.label-filter=measurement

$(WORLD_STAMP): $(WORLD)/package-lock.json
	cd $(WORLD) && npm ci
	@touch $@

.PHONY: install-hosts
install-hosts: ## Install the hosts that make hosts runs, if they can be installed
	@if [ "$$(uname -sm)" = "Linux x86_64" ] && command -v npm >/dev/null; then $(MAKE) --no-print-directory $(HOSTS_STAMP); \
	else echo "This is no Linux on x86-64 or has no Node: the specs over real hosts will be skipped"; fi

$(HOSTS_STAMP): $(HOSTS)/package-lock.json
	cd $(HOSTS) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: pictures
pictures: ## Make the pictures in README.md from the program (that of the page needs Chromium)
	WORKBENCH_WRITE_PICTURES=1 $(GOTEST) ./tests/pictures ./adapters/ui -ginkgo.focus=picture

.PHONY: bench
bench: build ## Measure the workbench against a process that only copies bytes
	$(GO) run ./tests/measurements/bench -workbench $(BIN) $(BENCH)

.PHONY: tokens
tokens: npm ## Show the cost of published servers in each form of definitions, in tokens (needs Node)
	$(GO) run ./tests/measurements/tokens | node $(NPM)/tokens.mjs

.PHONY: results
results: npm ## Measure tasks with long results in tokens (needs Node)
	$(GOTEST) -v ./tests/measurements/results -ginkgo.label-filter=measurement

OPENINGS       := tests/measurements/openings
OPENINGS_STAMP := $(OPENINGS)/node_modules/.installed

.PHONY: openings
openings: build $(OPENINGS_STAMP) ## Measure how long a host waits for published servers (needs npm)
	node $(OPENINGS)/openings.mjs $(BIN) 5

$(OPENINGS_STAMP): $(OPENINGS)/package-lock.json
	cd $(OPENINGS) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: find
find: ## Measure how well tools are found by words, and write the table in the topic finding
	WORKBENCH_WRITE_FIND=1 $(GOTEST) -v ./tests/measurements/find -ginkgo.label-filter=measurement

# The branch that bench-compare measures against.
BASE ?= main

.PHONY: bench-compare
bench-compare: ## Compare the inner parts with the main branch, in time and allocations
	@base=$$(mktemp -d); trap 'git worktree remove --force $$base' EXIT; \
	git worktree add -q --detach $$base $(BASE); \
	for tree in $$base .; do (cd $$tree && $(GO) test -run '^$$' -bench . -benchmem -count 6 ./adapters/... ./application/... ./cmd/... ) | tee $$base/$$(test $$tree = . && echo here || echo $(BASE)).txt; done; \
	$(GO) tool -modfile=tests/tools/go.mod benchstat $$base/$(BASE).txt $$base/here.txt

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME each; 1000000x makes a long run
	@set -e; for file in $$(grep -rl --include='*_test.go' '^func Fuzz' $(CODE)); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p' $$file); do \
			echo "$$target in $$(dirname $$file)"; \
			$(GO) test -run='^$$' -fuzz="^$$target$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=100x ./$$(dirname $$file); \
		done; \
	done

.PHONY: generate
generate: ## Rewrite the generated code
	$(GO) tool wire gen ./cmd/...

.PHONY: format
format: ## Format all code
	$(GO) tool gofumpt -w $(CODE)

.PHONY: lint
lint: ## Run the linters
	$(LINT) run --allow-parallel-runners ./...

.PHONY: static
static: ## Check that modules are tidy, and that code is generated, formatted, clean and builds for every system
	$(GO) mod tidy -diff
	cd tests/realservers/gosdk/server && $(GO) vet ./...
	$(GO) tool wire diff ./cmd/...
	@found=$$($(GO) tool gofumpt -l $(CODE)); test -z "$$found" || { echo "make format would change:"; echo "$$found"; exit 1; }
	$(LINT) run --allow-parallel-runners ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...

# The part that waits longest comes first, so that the others run beside it.
.PHONY: check
check: real race test static windows balancers over-http ## Run what CI runs; -j2 runs two parts beside each other

.PHONY: check-all
check-all: export WORKBENCH_SEEDS = 40
check-all: static npm install-hosts balancers ## Run everything, for hours: every spec with the race detector, over HTTP and under Wine, every host, soak, long fuzzing
	$(LINT) fmt --diff -E goimports
	$(GOTEST) -timeout=2h ./... $(ALL_LABELS)
	CGO_ENABLED=1 $(GOTEST) -timeout=2h -race $(RACED) ./tests/acceptance/... ./tests/realservers/... $(ALL_LABELS)
	WORKBENCH_FEATURES_OVER_HTTP=1 $(GOTEST) -timeout=2h $(ALL_OVER_HTTP) $(ALL_LABELS)
	@GO='$(GO)' tests/windows/run
	$(MAKE) --no-print-directory soak
	$(MAKE) --no-print-directory fuzz FUZZTIME=200000x

.PHONY: clean
clean: ## Remove built and installed files
	rm -rf bin dist $(NPM)/node_modules $(HOSTS)/node_modules $(WORLD)/node_modules $(OPENINGS)/node_modules
