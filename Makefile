# Everything a contributor runs. `make test` is what CI runs, and all of it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# Go wants a home directory for its caches; bare containers have none.
ifeq ($(strip $(HOME)),)
export HOME := $(CURDIR)/.tools/home
export GOFLAGS := $(strip $(GOFLAGS) -modcacherw)
endif

# A checkout owned by somebody else makes git, and with it `go build`, fail. The
# version comes from here instead.
export GOFLAGS := $(strip $(GOFLAGS) -buildvcs=false)

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
TOOLS   := $(CURDIR)/.tools/bin
GOFILES  = find . -name '*.go' -not -path './.*'

# How long each fuzz target runs in `make test`.
FUZZTIME ?= 3s

# V=1 names every test.
FORMAT := $(if $(V),testname,pkgname-and-test-fails)

.PHONY: help test setup format vet staticcheck tidy deps-check unit fuzz bench-check soak bench build fmt deps clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

test: setup format vet staticcheck tidy deps-check unit fuzz bench-check ## all checks and tests: what CI runs
	@echo "==> all good"

setup: ## install what the tests need, if anything is missing
	@scripts/setup

format:
	@echo "==> gofumpt"
	@bad=$$($(GOFILES) -print0 | xargs -0 $(TOOLS)/gofumpt -l); \
	if [[ -n $$bad ]]; then echo "not formatted, run make fmt:"; echo "$$bad"; exit 1; fi

vet:
	@echo "==> go vet"
	@go vet ./...

staticcheck:
	@echo "==> staticcheck"
	@$(TOOLS)/staticcheck ./...

tidy:
	@echo "==> go mod tidy -diff"
	@go mod tidy -diff || { echo "go.mod or go.sum is out of date, run go mod tidy"; exit 1; }

deps-check:
	@echo "==> depaware.txt"
	@diff -u depaware.txt <(scripts/depaware) || { echo "the list of linked modules changed, run make deps and review it"; exit 1; }

unit: ## the Go tests alone, with the race detector (V=1 names each)
	@echo "==> go test -race"
	@CGO_ENABLED=1 $(TOOLS)/gotestsum --format $(FORMAT) -- -race -shuffle=on -timeout 10m ./...

fuzz: ## every fuzz target for FUZZTIME (3s)
	@echo "==> fuzz, $(FUZZTIME) for each target"
	@scripts/fuzz $(FUZZTIME)

bench-check:
	@if [[ -f bench/go.mod ]]; then echo "==> bench module"; cd bench && go vet ./... && go test ./...; fi

soak: setup ## the long run: large sizes, a minute for each fuzz target
	ASSENT_SOAK=1 CGO_ENABLED=1 $(TOOLS)/gotestsum --format $(FORMAT) -- -race -shuffle=on -timeout 60m ./...
	scripts/fuzz 60s

bench: ## measure, and write docs/benchmarks.md
	@scripts/setup hyperfine
	cd bench && go run .

build: ## build ./assent and ./assent-hook
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o . ./cmd/assent ./cmd/assent-hook

fmt: setup ## format the code
	@$(GOFILES) -print0 | xargs -0 $(TOOLS)/gofumpt -w

deps: ## write depaware.txt: the modules that are linked into the programs
	@scripts/depaware > depaware.tmp && mv depaware.tmp depaware.txt

clean: ## remove what was built and the downloaded tools
	rm -rf assent assent-hook .tools
