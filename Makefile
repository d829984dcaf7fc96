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
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null)
# The time of everything that is built is that of the commit: the same input makes the same bytes.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)
DATE    := $(shell TZ=UTC0 git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null)
# Checks that only need what is compiled use the flags of BUILD: what a build, or the demo
# before them, has compiled is not compiled again.
BUILT   := CGO_ENABLED=0 GOFLAGS='$(GOFLAGS) -trimpath'
BUILD   := CGO_ENABLED=0 go build -trimpath
TOOLS   := $(CURDIR)/.tools/bin
GOFILES  = find . -name '*.go' -not -path './.*'

# How long each fuzz target runs in `make test`.
FUZZTIME ?= 1s

# How long random scripts are judged and run in real shells.
FUZZBASH ?= 60s
# Without a seed each run tries other scripts. `make test` has a fixed one, so that it fails for the change under test.
FUZZSEED ?=

# The packages whose tests take the longest begin first, or the others would wait for them.
LONGEST := ./cmd/assent ./inbox ./agent ./shell ./session ./wire

# What the race detector does not watch in `make unit`: SQLite, which is C that was translated and
# works on memory that is not Go's, of which the detector sees next to nothing; and the arithmetic
# of argon2, on memory that nobody else has. With them the tests take twice the time. `make soak`
# watches them, too.
UNWATCHED := modernc.org/sqlite/lib golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b

# V=1 names every test.
FORMAT := $(if $(V),testname,pkgname-and-test-fails)

.PHONY: help test setup format vet cross staticcheck tidy deps-check unit fuzz fuzz-bash fuzz-bash-fixed bench-check soak shape bench bench-scale demo build man dist fmt deps clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

test: setup format vet cross staticcheck tidy deps-check unit fuzz fuzz-bash-fixed bench-check ## all checks and tests: what CI runs
	@echo "==> all good"

setup: ## install what the tests need, if anything is missing
	@scripts/setup

format:
	@echo "==> gofumpt"
	@bad=$$($(GOFILES) -print0 | xargs -0 "$(TOOLS)/gofumpt" -l); \
	if [[ -n $$bad ]]; then echo "not formatted, run make fmt:"; echo "$$bad"; exit 1; fi

vet:
	@echo "==> go vet"
	@$(BUILT) go vet ./...

# vet checks the types of everything, tests included, without linking them: what it passes
# compiles. `make soak` links, too.
cross: ## check that everything compiles for Windows and macOS
	@for system in windows darwin; do \
		echo "==> go vet for $$system"; \
		CGO_ENABLED=0 GOOS=$$system go vet ./...; \
	done

staticcheck:
	@echo "==> staticcheck"
	@$(BUILT) "$(TOOLS)/staticcheck" ./...

tidy:
	@echo "==> go mod tidy -diff"
	@go mod tidy -diff || { echo "go.mod or go.sum is out of date, run go mod tidy"; exit 1; }

deps-check:
	@echo "==> depaware.txt"
	@diff -u depaware.txt <(scripts/depaware) || { echo "the list of linked modules changed, run make deps and review it"; exit 1; }

# Without vet, which `make vet` has run with more checks.
unit: ## the Go tests alone, with the race detector (V=1 names each)
	@echo "==> go test -race"
	@CGO_ENABLED=1 "$(TOOLS)/gotestsum" --format $(FORMAT) -- -race $(UNWATCHED:%=-gcflags=%=-race=false) -vet=off -shuffle=on -timeout 30m $(LONGEST) ./...

fuzz: ## every fuzz target for FUZZTIME (1s)
	@echo "==> fuzz, $(FUZZTIME) for each target"
	@scripts/fuzz $(FUZZTIME)

fuzz-bash: ## random scripts for FUZZBASH (60s): what is allowed runs in real shells
	@echo "==> random scripts in real shells, $(FUZZBASH)"
	@$(BUILD) -o .tools/fuzzbash ./scripts/fuzzbash
	@.tools/fuzzbash -time $(FUZZBASH) $(if $(FUZZSEED),-seed $(FUZZSEED))

fuzz-bash-fixed:
	@$(MAKE) --no-print-directory fuzz-bash FUZZSEED=25

bench-check:
	@if [[ -f bench/go.mod ]]; then echo "==> bench module"; cd bench && $(BUILT) go vet ./... && $(BUILT) go test -vet=off ./...; fi

soak: setup ## the long run: large sizes, two minutes for each fuzz target, half an hour of scripts
	ASSENT_SOAK=1 CGO_ENABLED=1 "$(TOOLS)/gotestsum" --format $(FORMAT) -- -race -shuffle=on -timeout 60m ./...
	scripts/fuzz 2m
	$(MAKE) --no-print-directory fuzz-bash FUZZBASH=30m
	for system in windows darwin; do CGO_ENABLED=0 GOOS=$$system go test -c -o /dev/null ./...; done

shape: ## print the size and shape of the code
	@go run ./scripts/shape

bench: ## measure, and write docs/benchmarks.md
	@scripts/setup hyperfine
	cd bench && go run .

bench-scale: ## measure only what many sessions in a database cost
	cd bench && go run . scale

# It is built with the same flags as assent, so that nothing is compiled twice, and is no
# `go run`, which leaves a directory behind when it is interrupted.
demo: ## see it work: a scripted agent, a denied push, a deploy that waits for you (YES=1 answers)
	@echo "==> building assent; the first time this takes a minute or two"
	@$(MAKE) --no-print-directory build
	@$(BUILD) -o .tools/demo ./examples/demo
	@.tools/demo -assent ./assent $(if $(YES),-yes)

build: ## build ./assent and ./assent-hook
	$(BUILD) -ldflags '-s -w -X "main.version=$(VERSION)" -X main.commit=$(COMMIT) -X main.date=$(DATE)' -o . ./cmd/assent ./cmd/assent-hook

man: ## write the man pages and completions into dist/share
	@rm -rf dist/share
	@ASSENT_SHARE="$(CURDIR)/dist/share" VERSION="$(VERSION)" SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) go test -count=1 -run '^TestManPagesAndCompletions$$' ./cmd/assent

dist: man ## build a release for every platform into dist/ (TARGETS=linux/amd64,… for some)
	@rm -f dist/assent_* dist/SHA256SUMS
	@SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) go run ./scripts/dist -version "$(VERSION)" $(if $(TARGETS),-targets "$(TARGETS)")

fmt: setup ## format the code
	@$(GOFILES) -print0 | xargs -0 "$(TOOLS)/gofumpt" -w

deps: ## write depaware.txt: the modules that are linked into the programs
	@scripts/depaware > depaware.tmp && mv depaware.tmp depaware.txt

clean: ## remove what was built and the downloaded tools
	rm -rf assent assent-hook dist .tools
