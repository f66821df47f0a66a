GO ?= go

.PHONY: help demo test cross generate verify-generated lint build fuzz lock-race path-race write-race bench bench-quick clients conformance search import

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: generate verify-generated build ## generate, verify, build, and drive the server through a session
	@$(GO) run ./cmd/demo bin/teaagent

test: ## everything that is tested
	$(GO) vet ./...
	$(GO) test ./...
	cd testdata/fixture && $(GO) vet ./... && $(GO) test ./...
	cd testdata/conformance && $(GO) vet ./... && $(GO) test ./...

cross: ## what builds, and its tests vet, on systems other than this one
	GOOS=darwin $(GO) vet ./...
	GOOS=darwin $(GO) build ./...
	GOOS=windows $(GO) vet ./...
	GOOS=windows $(GO) build ./...

generate: ## bring generated code up to date with the specs
	@$(GO) generate ./...
	@$(GO) run ./cmd/teagen generate --dir testdata/fixture
	@$(GO) run ./cmd/teagen generate --dir testdata/conformance

verify-generated: ## fail if generated code is not what the specs say
	@$(GO) run ./cmd/teagen verify
	@$(GO) run ./cmd/teagen verify --dir testdata/fixture
	@$(GO) run ./cmd/teagen verify --dir testdata/conformance

lint: ## check the specs
	@$(GO) run ./cmd/teagen lint

build: ## build the commands into bin/
	@$(GO) build -o bin/ ./cmd/teagen ./cmd/teaagent

TIME ?= 60s
fuzz: ## fuzz what reads outside bytes, each target for TIME (default 60s), two side by side
	@GO=$(GO) TIME=$(TIME) testdata/fuzzing/run.sh

ROUNDS ?= 1000
lock-race: ## 16 servers race for a workspace, and holders are killed, ROUNDS times (default 1000)
	LOCK_ROUNDS=$(ROUNDS) $(GO) test ./mcp -run 'TestOneWriterWins|TestHolderIsKilled' -count=1 -timeout 1h

path-race: ## 50,000 reads and 10,000 writes while a directory is exchanged for a link
	RACE_ROUNDS=50000 $(GO) test ./handlers -run TestPathRace -v -count=1 -timeout 1h
	RACE_ROUNDS=10000 $(GO) test ./mcp -run TestWriteRace -v -count=1 -timeout 1h

write-race: ## two writers with expectedSha256, 10,000 times; servers killed in mid-write, ROUNDS times
	WRITE_ROUNDS=10000 $(GO) test ./mcp -run TestWorkspaceProcesses -v -count=1 -timeout 1h
	WRITE_ROUNDS=$(ROUNDS) $(GO) test ./handlers -run TestKilledInMidWrite -v -count=1 -timeout 1h

bench: ## measure beside the peers (a quarter of an hour)
	@cd bench && $(GO) run . -check

bench-quick: ## the same in two minutes, with fewer rounds
	@cd bench && $(GO) run . -quick

clients: ## drive the server with npm's clients
	@testdata/clients/run.sh

conformance: ## run the official conformance suite, of both eras of the protocol
	@testdata/conformance/run.sh

search: ## measure findFiles and searchText against ripgrep on 100,000 files
	@testdata/search/run.sh

import: ## import servers from npm, regenerate them and compare
	@testdata/import/run.sh
