# Sallyport. `make` alone says what there is to make.

SHELL := /bin/sh
.DEFAULT_GOAL := help
BIN := node_modules/.bin
NODE := $(shell command -v node)
COMMANDS := build/bin/sallyport build/bin/sallyportd build/bin/sallyport-mcp
SOURCES := $(shell find shared daemon bridge shell-terminal -name '*.ts' 2>/dev/null)

# node-gyp would fetch Node's headers from a host of its own; the ones beside this Node are the right ones.
export npm_package_config_node_gyp_nodedir := $(shell node -p 'const { dirname } = require("path"); dirname(dirname(process.execPath))' 2>/dev/null)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{ printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## ask a demo database questions through the bridge, as an AI client would
	@node test/demo/run.mjs

test: build test-servers ## every test; SALLYPORT_TEST_INSTALL=1 installs the database servers it uses (Debian)
	@NODE_OPTIONS=--experimental-vm-modules NODE_NO_WARNINGS=1 $(BIN)/jest $(JEST)

check: node_modules/.installed ## types, lint, format, map
	@$(BIN)/tsc --noEmit && echo "types    right"
	@$(BIN)/biome check --colors=off --error-on-warnings --diagnostic-level=warn . && echo "style    right"
	@$(BIN)/depcruise --config .dependency-cruiser.cjs shared daemon bridge shell-terminal && echo "map      holds"

run: build ## the daemon in the foreground for daily use, with the client configuration to paste
	@build/bin/sallyport start --foreground

build: $(COMMANDS) ## compile the three commands into build/bin

fuzz: build ## hours of mutated and grown statements against the classifiers and real engines; FUZZ_SECONDS for each, FUZZ_SEED repeats a run
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-3600} NODE_OPTIONS=--experimental-vm-modules NODE_NO_WARNINGS=1 $(BIN)/jest --runInBand --testTimeout=100000000 fuzz

conformance: build ## the public MCP conformance suite against a running daemon
	@sh test/conformance/run.sh

clean: ## remove what was built and installed
	rm -rf build node_modules test/conformance/node_modules

node_modules/.installed: package.json package-lock.json
	@sh test/install/packages.sh
	@touch $@

build/.compiled: node_modules/.installed tsconfig.json tsconfig.build.json $(SOURCES)
	@echo "Compiling…"
	@$(BIN)/tsc -p tsconfig.build.json
	@touch $@

build/bin/sallyport: MODULE := shell-terminal/main.js
build/bin/sallyportd: MODULE := daemon/main.js
build/bin/sallyport-mcp: MODULE := bridge/main.js

# The Node that built the native modules is named, not looked up: MCP clients start commands with a PATH that may hold another.
$(COMMANDS): build/.compiled
	@mkdir -p build/bin
	@echo '{ "type": "commonjs" }' > build/bin/package.json
	@printf '#!%s\nimport("../%s");\n' '$(NODE)' '$(MODULE)' > $@
	@chmod 755 $@

test-servers:
	@if [ "$$SALLYPORT_TEST_INSTALL" = 1 ]; then sh test/install/database-servers.sh && sh test/install/desktop-files.sh; fi

.PHONY: help demo test check run build fuzz conformance clean test-servers
