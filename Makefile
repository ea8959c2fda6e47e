# Sallyport. `make` alone says what there is to make.

SHELL := /bin/sh
.DEFAULT_GOAL := help
BIN := node_modules/.bin
NODE := $(shell command -v node)
PREFIX ?= /usr/local
NO_DEBUGGER := $(shell sed -n "s/^export const noDebugger = '\(.*\)';/\1/p" shared/no-debugger.ts)
COMMANDS := build/bin/sallyport build/bin/sallyportd build/bin/sallyport-mcp
# Node reads the certificates named there at each of thousands of starts, and tests speak to this machine alone.
RUN_JEST := env -u NODE_EXTRA_CA_CERTS $(BIN)/jest
SOURCES := $(shell find shared daemon bridge shell-terminal -name '*.ts' 2>/dev/null)

# node-gyp would fetch Node's headers from a host of its own; the ones beside this Node are the right ones.
export npm_package_config_node_gyp_nodedir := $(shell node -p 'const { dirname } = require("path"); dirname(dirname(process.execPath))' 2>/dev/null)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{ printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## ask a demo database questions through the bridge, as an AI client would
	@node test/demo/run.mjs

test: build test-programs ## every test but the app's; SALLYPORT_TEST_INSTALL=1 installs the database servers it uses (Debian)
	@$(RUN_JEST) $(JEST)

test-servers: build ## the engines' tests on PostgreSQL 17 and 18, TimescaleDB, MariaDB 11.8 and MySQL 9.7; Debian, amd64, as root
	@sh test/servers/newer.sh

test-fast: build ## the tests that need no server and no other program, in seconds; JEST='test/access -t lifts' picks
	@$(RUN_JEST) --config test/fast.cjs $(JEST)

watch: build ## test-fast again at each change, for the files that it touches
	@$(RUN_JEST) --watch --config test/fast.cjs $(JEST)

check: node_modules/.installed ## types, lint, format, map, patterns, the app's texts
	@$(BIN)/tsc --noEmit && echo "types    right"
	@$(BIN)/biome check --colors=off --error-on-warnings --diagnostic-level=warn . && echo "style    right"
	@$(BIN)/depcruise --config .dependency-cruiser.cjs shared daemon bridge shell-terminal && echo "map      holds"
	@node test/patterns/check.mjs
	@cd shell-macos && python3 tools/check_strings.py

run: build ## the daemon in the foreground for daily use, with the client configuration to paste
	@build/bin/sallyport start --foreground

build: build/bundle/manifest.json ## compile the three commands into build/bin

# Of what doctor compares: a program that was edited since shows.
build/bundle/manifest.json: $(COMMANDS) build/npm/sallyport bridge/packaging/manifest.mjs bridge/packaging/notices.mjs bridge/packaging/bundled.mjs
	@$(NODE) bridge/packaging/notices.mjs
	@$(NODE) bridge/packaging/manifest.mjs build

fuzz: build ## hours of mutated and grown statements against the classifiers and real engines; FUZZ_SECONDS for each, FUZZ_SEED repeats a run
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-3600} $(BIN)/jest --runInBand --testTimeout=100000000 fuzz growth

torture: build ## kills, full disks, set clocks, dead servers under load, each verified; MINUTES=10 or HOURS=, SEED=, FAULT= one by name, WRITE=1
	@$(BIN)/esbuild test/torture/main.ts --bundle --packages=external --platform=node --format=esm --target=node20.19 --log-level=error --outfile=build/torture/main.mjs
	@MINUTES=$(MINUTES) HOURS=$(HOURS) SEED=$(SEED) FAULT=$(FAULT) WRITE=$(WRITE) node build/torture/main.mjs

conformance: build ## the public MCP conformance suite against a running daemon
	@sh test/conformance/run.sh

clean: ## remove what was built and installed
	rm -rf build node_modules test/conformance/node_modules shell-macos/.build*

node_modules/.installed: package.json package-lock.json
	@sh test/install/packages.sh
	@touch $@

build/.compiled: node_modules/.installed tsconfig.json tsconfig.build.json $(SOURCES)
	@echo "Compiling…"
	@$(BIN)/tsc -p tsconfig.build.json
	@touch $@

# One file loads in half the time of three hundred. What is native or WebAssembly stays a package, and so does what knex can't find.
# Of knex's dialects the store speaks SQLite's alone.
PACKAGES := better-sqlite3 @napi-rs/keyring libpg-query @guanmingchiu/sqlparser-ts mysql2 pg
NOT_INSTALLED := sqlite3
OTHER_DIALECTS := $(addprefix ./,cockroachdb mariadb mssql mysql mysql2 oracle oracledb pgnative postgres redshift)

BUNDLE := $(BIN)/esbuild --outdir=build/bundle --bundle --platform=node --target=node20.19 --main-fields=module,main --sourcemap \
	--sources-content=false --log-level=warning $(addprefix --external:,$(PACKAGES) $(NOT_INSTALLED) $(OTHER_DIALECTS))

# CommonJS: a process or thread of modules takes 5 to 10 ms more to start, and V8 keeps compiled code for CommonJS alone
# (shared/start-built.ts). The judging worker loads each engine's parser from a file of its own when it is first needed, and esbuild
# splits modules alone.
build/.bundled: build/.compiled
	@rm -rf build/bundle
	@$(BUNDLE) judging-worker=daemon/judging/worker.ts --splitting --format=esm \
		"--banner:js=import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
	@$(BUNDLE) sallyportd=daemon/load.ts sallyport=shell-terminal/main.ts start-built=shared/start-built.ts \
		keychain-worker=daemon/storage/secrets/keychain-worker.ts store-worker=daemon/storage/ledger/worker.ts \
		sqlite-worker=daemon/databases/sqlite/worker.ts sqlite-watchdog=daemon/databases/sqlite/watchdog.ts --format=cjs \
		--out-extension:.js=.cjs --supported:dynamic-import=false --define:import.meta.url=urlOfBundle \
		"--banner:js=const urlOfBundle = require('node:url').pathToFileURL(__filename).href;"
	@for command in sallyport sallyportd; do \
		echo "import { startBuilt } from './start-built.cjs'; startBuilt('$$command');" >build/bundle/$$command.js && \
		$(NODE) -e 'require("./build/bundle/start-built.cjs").startAndKeep(process.argv[1], fs.writeFileSync)' $$command --version >build/bundle/.version && \
		rm build/bundle/.version || exit 1; done
	@touch $@

# The Node that built the native modules is named, not looked up: MCP clients start commands with a PATH that may hold another.
build/bin/sallyport build/bin/sallyportd: build/.bundled
	@mkdir -p build/bin
	@echo '{ "type": "commonjs" }' > build/bin/package.json
	@printf '#!%s\nrequire("../bundle/start-built.cjs").startBuilt("%s");\n' '$(NODE) $(NO_DEBUGGER)' '$(@F)' > $@
	@chmod 755 $@

# The bridge is started by every client anew: one file loads in half the time of twenty.
build/bin/sallyport-mcp: build/bridge.cjs build/bin/sallyport
	@sed '1s|.*|#!$(NODE) $(NO_DEBUGGER)|' $< > $@
	@echo '//# sourceMappingURL=../bridge.cjs.map' >> $@
	@chmod 755 $@

build/bridge.cjs: build/.compiled
	@$(BIN)/esbuild bridge/main.ts --bundle --platform=node --format=cjs --target=node20.19 --supported:dynamic-import=false --minify --sourcemap=external --sources-content=false --log-level=warning --outfile=$@

bridge: build ## the bridge as one executable that needs no Node, build/executable/sallyport-mcp
	@sh bridge/packaging/executable.sh build/bridge.cjs build/executable
	@build/executable/sallyport-mcp --version

# Under sudo what is built stays the person's.
install: ## into PREFIX (/usr/local); the bridge as one executable where `make bridge` made it
	@sh bridge/packaging/install.sh rights '$(PREFIX)'
	@sh bridge/packaging/as-person.sh $(MAKE) --no-print-directory build
	@[ ! -e build/executable/sallyport-mcp ] || sh bridge/packaging/as-person.sh $(MAKE) --no-print-directory bridge
	@sh bridge/packaging/install.sh install '$(PREFIX)'
	@echo "Sallyport is installed: $(DESTDIR)$(PREFIX)/bin/sallyport start"

uninstall: ## what `make install` put into PREFIX; your connections and settings stay
	@sh bridge/packaging/install.sh uninstall '$(PREFIX)'

package: build ## build/sallyport-VERSION.tgz, for npm and npx
	@$(NODE) bridge/packaging/package.mjs

# In a package from npm any Node runs them: the one that npm built the native modules for.
build/npm/sallyport: build/bin/sallyport-mcp
	@mkdir -p build/npm
	@echo '{ "type": "commonjs" }' > build/npm/package.json
	@printf '#!/usr/bin/env node\nrequire("../bundle/start-built.cjs").startBuilt("sallyportd");\n' > build/npm/sallyportd
	@sed '1s|.*|#!/usr/bin/env node|' build/bridge.cjs > build/npm/sallyport-mcp
	@printf '#!/usr/bin/env node\n// `npx sallyport mcp`: clients that start servers through npx know a package by one command.\nif (process.argv[2] === "mcp") require("./sallyport-mcp");\nelse require("../bundle/start-built.cjs").startBuilt("sallyport");\n' > $@
	@chmod 755 build/npm/sallyport*

mcpb: build ## build/sallyport.mcpb, the bridge as a bundle that MCP clients install with a click
	@sh bridge/packaging/mcpb.sh build/bridge.cjs build/sallyport.mcpb

release: node_modules/.installed ## VERSION=x.y.z: sets it, moves the changelog's Unreleased, makes build/release/; commits and publishes nothing
	@sh bridge/packaging/release.sh '$(VERSION)'

BENCH := $(BIN)/esbuild --bundle --packages=external --platform=node --format=esm --target=node20.19 --log-level=error

bench: build test-programs ## calls a second beside a floor and beside rivals from npm; ROUNDS=3 SECONDS=2 ENGINES=sqlite, WRITE=1, SHORT=1 for right answers only
	@$(BENCH) test/bench/calls/main.ts test/bench/calls/floor-server.ts --outdir=build/bench --out-extension:.js=.mjs
	@ROUNDS=$(ROUNDS) BENCH_SECONDS=$(SECONDS) ENGINES=$(ENGINES) WRITE=$(WRITE) SHORT=$(SHORT) node build/bench/main.mjs

bench-bridge: build ## how long the bridge takes to its first answer and for each call, beside Node itself; RUNS=20
	@node test/bench/bridge.mjs

bench-rivals: build ## the same first answer beside other servers for databases, fetched from npm into build/rivals
	@$(BENCH) test/bench/rivals.mjs --outfile=build/bench/rivals.mjs
	@node build/bench/rivals.mjs

app: ## Sallyport.app, on a Mac, in build/; CODESIGN_IDENTITY names who signs it
	@sh shell-macos/packaging/app.sh

dmg: app ## build/Sallyport.dmg, on a Mac; CODESIGN_IDENTITY signs it, NOTARY_PROFILE has Apple notarise it
	@sh shell-macos/packaging/dmg.sh build/Sallyport.app build/Sallyport.dmg "$${CODESIGN_IDENTITY:--}" "$${NOTARY_PROFILE-}"

test-app: build ## the app's tests, beside the real daemon, without a Mac too; needs Swift, SALLYPORT_TEST_INSTALL=1 installs it (Debian)
	@[ "$$SALLYPORT_TEST_INSTALL" != 1 ] || sh test/install/swift.sh
	@$(RUN_JEST) --config test/app.cjs $(JEST)

check-app: ## the app's format, texts and types, without a Mac too; needs Swift
	@if command -v swift >/dev/null || command -v inswift >/dev/null; then sh shell-macos/check.sh; \
		else echo "The app was not checked: there is no Swift here."; fi

gallery: ## the pictures of the app's screens in .readme/gallery, drawn by Swift from the app's own models
	@node test/shell-macos/gallery.mjs

recording: build ## the recording of a terminal in docs/terminal.svg, played in a real one; needs tmux
	@node test/docs/recording/record.mjs docs/terminal.svg

test-programs:
	@if [ "$$SALLYPORT_TEST_INSTALL" = 1 ]; then sh test/install/database-servers.sh && sh test/install/desktop-files.sh && sh test/install/desktop-notifications.sh && sh test/install/shells.sh && sh test/install/systemd.sh && sh test/install/shellcheck.sh; fi

# Every target without a path is a command.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
