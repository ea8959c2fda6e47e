# Sallyport. `make` alone lists the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := help
BIN := node_modules/.bin
PREFIX ?= /usr/local
COMMANDS := build/bin/sallyport build/bin/sallyportd build/bin/sallyport-mcp
# Node would read the certificates in this variable at each of thousands of starts; tests only talk
# to this machine.
RUN_JEST := env -u NODE_EXTRA_CA_CERTS $(BIN)/jest
SOURCES := $(shell find shared daemon bridge shell-terminal -name '*.ts' 2>/dev/null)

# The Node for everything here: the machine's own, or one from npm if that is too old. Started
# programs find it by PATH.
FETCHED_NODE := $(shell sh bridge/packaging/node.sh wanted)
# npm reads a machine's settings (a registry, its certificates) beside the Node that runs it.
MACHINE_NPMRC := $(if $(FETCHED_NODE),$(wildcard $(patsubst %/bin/,%/etc/npmrc,$(dir $(realpath $(shell command -v node;))))))
ifneq ($(MACHINE_NPMRC),)
export npm_config_globalconfig := $(MACHINE_NPMRC)
endif
NODE := $(if $(FETCHED_NODE),$(CURDIR)/$(FETCHED_NODE),$(shell command -v node;))
export PATH := $(if $(FETCHED_NODE),$(patsubst %/node,%,$(CURDIR)/$(FETCHED_NODE)):)$(PATH)

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{ printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## ask a demo database questions through the bridge, as an AI client would
	@'$(NODE)' test/demo/run.mjs

demo-small: build ## the demo on a machine of 256 MB: in a cgroup, on Linux, as root; MEGABYTES=350
	@sh test/demo/small-machine.sh $(or $(MEGABYTES),256) $(MAKE) --no-print-directory demo

test: temporary-folder executable test-programs ## every test but the app's; SALLYPORT_TEST_INSTALL=1 installs the database servers it uses (Debian)
	@$(RUN_JEST) $(JEST)

test-servers: build ## the engines' tests on PostgreSQL 17 and 18, TimescaleDB, MariaDB 11.8 and MySQL 9.7; Debian, amd64, as root
	@sh test/servers/newer.sh

test-fast: build ## the tests that need no server and no other program, in seconds; JEST='test/access -t lifts' picks
	@$(RUN_JEST) --config test/fast.cjs $(JEST)

test-fast-26: build build/node-26/.fetched ## test-fast on Node 26, which npm brings
	@PATH="$$(dirname "$$(sh bridge/packaging/node.sh file "$$PWD/build/node-26")"):$$PATH" && node --version && \
		$(RUN_JEST) --config test/fast.cjs $(JEST)

watch: build ## test-fast again at each change, for the files that it touches
	@$(RUN_JEST) --watch --config test/fast.cjs $(JEST)

check: node_modules/.installed ## types, lint, format, map, patterns, the mechanisms and their lines, the tables of settings, the schema of policy files, the app's messages and texts
	@$(BIN)/tsc --noEmit && echo "types    right"
	@$(BIN)/biome check --colors=off --error-on-warnings --diagnostic-level=warn . && echo "style    right"
	@$(BIN)/depcruise --config .dependency-cruiser.cjs shared daemon bridge shell-terminal && echo "map      holds"
	@'$(NODE)' test/patterns/check.mjs
	@'$(NODE)' test/budget/check.mjs
	@'$(NODE)' shell-macos/tools/messages.mjs --check
	@'$(NODE)' test/settings/check.mjs
	@'$(NODE)' test/policy/check.mjs
	@cd shell-macos && python3 tools/check_strings.py

messages: node_modules/.installed ## the Swift of the app's messages, of the shapes that the daemon checks them with
	@'$(NODE)' shell-macos/tools/messages.mjs

run: build ## the daemon in the foreground for daily use, with the client configuration to paste
	@build/bin/sallyport start --foreground

build: build/bundle/manifest.json ## compile the three commands into build/bin

# doctor compares programs with this file, to find one that was edited later.
build/bundle/manifest.json: $(COMMANDS) build/npm/sallyport bridge/packaging/manifest.mjs bridge/packaging/notices.mjs bridge/packaging/bundled.mjs
	@'$(NODE)' bridge/packaging/notices.mjs build/bundle/THIRD-PARTY-NOTICES.txt build/bundle build
	@'$(NODE)' bridge/packaging/manifest.mjs build bundle

fuzz: build ## hours of mutated and grown statements against the classifiers and real engines; FUZZ_SECONDS for each, FUZZ_SEED repeats a run
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-3600} $(BIN)/jest --runInBand --testTimeout=100000000 fuzz growth

fuzz-definitions: build ## definitions that nobody is asked about, and what another role notices of them; SEED=1, MINUTES=10
	@FUZZ_DEFINITIONS_SEED=$(or $(SEED),1) FUZZ_DEFINITIONS_MINUTES=$(or $(MINUTES),10) $(BIN)/jest --runInBand --testTimeout=100000000 test/attacks/fuzz-definitions

torture: build ## kills, full disks, set clocks, dead servers under load, each verified; MINUTES=10 or HOURS=, SEED=, FAULT= one by name, WRITE=1
	@$(BIN)/esbuild test/torture/main.ts --bundle --packages=external --platform=node --format=esm --target=node24.15 --log-level=error --outfile=build/torture/main.mjs
	@MINUTES=$(MINUTES) HOURS=$(HOURS) SEED=$(SEED) FAULT=$(FAULT) WRITE=$(WRITE) '$(NODE)' build/torture/main.mjs

conformance: build ## the public MCP conformance suite against a running daemon
	@sh test/conformance/run.sh

clean: ## remove what was built and installed; a Node from npm stays
	rm -rf node_modules test/conformance/node_modules shell-macos/.build*
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name 'node*' -exec rm -rf {} +

build/node/%/bin/node: bridge/packaging/node/package-lock.json
	@sh bridge/packaging/node.sh fetch bridge/packaging/node build/node

build/node-26/.fetched: test/node-26/package-lock.json
	@sh bridge/packaging/node.sh fetch test/node-26 build/node-26
	@touch $@

node_modules/.installed: package.json package-lock.json | $(FETCHED_NODE)
	@sh test/install/packages.sh
	@touch $@

build/.compiled: node_modules/.installed tsconfig.json tsconfig.build.json shared/sallyport.schema.json shared/texts.json $(SOURCES)
	@mkdir -p build/logs
	@sh bridge/packaging/at-work.sh build/logs/compiler.log Compiling $(BIN)/tsc -p tsconfig.build.json
	@touch $@

# One file loads in half the time of three hundred. Native and WebAssembly packages stay outside, as
# do packages that knex looks for in vain. The store uses only knex's SQLite dialect.
PACKAGES := @napi-rs/keyring libpg-query pg
NOT_INSTALLED := sqlite3
OTHER_DIALECTS := $(addprefix ./,better-sqlite3 cockroachdb mariadb mssql mysql mysql2 oracle oracledb pgnative postgres redshift)

BUNDLE := $(BIN)/esbuild --outdir=build/bundle --bundle --platform=node --target=node24.15 --main-fields=module,main --sourcemap \
	--sources-content=false --log-level=warning $(addprefix --external:,$(PACKAGES) $(NOT_INSTALLED) $(OTHER_DIALECTS))

# In a client's bundle (.mcpb) the bridge runs on the client's own Node, which its user can't
# change.
BRIDGE := build/bundle/sallyport-mcp.cjs
OLDER_NODE := node20.19

# CommonJS, because modules take 5 to 10 ms more to start a process or thread, and V8 keeps compiled
# code only for CommonJS (shared/start-built.ts). The judging worker is split into modules: it loads
# each engine's parser from its own file on demand, and esbuild splits only modules.
build/.bundled: build/.compiled bridge/packaging/needed-node.cjs daemon/engines/demo-shop/shop.sql
	@rm -rf build/bundle
	@$(BUNDLE) classifier-worker=daemon/classifier/worker.ts --splitting --format=esm \
		"--banner:js=import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
	@$(BUNDLE) sallyportd=daemon/load.ts sallyport=shell-terminal/main.ts start-built=shared/start-built.ts \
		keychain-worker=daemon/storage/secrets/keychain-worker.ts store-worker=daemon/storage/ledger/worker.ts \
		sqlite-worker=daemon/engines/sqlite/child/worker.ts sqlite-watchdog=daemon/engines/sqlite/child/watchdog.ts --format=cjs \
		--out-extension:.js=.cjs --supported:dynamic-import=false --define:import.meta.url=urlOfBundle \
		"--banner:js=const urlOfBundle = require('node:url').pathToFileURL(__filename).href;"
	@$(BIN)/esbuild sallyport-mcp=bridge/main.ts --outdir=build/bundle --bundle --platform=node --format=cjs --out-extension:.js=.cjs \
		--target=$(OLDER_NODE) --supported:dynamic-import=false --minify --sourcemap --sources-content=false --log-level=warning
	@cp bridge/packaging/needed-node.cjs daemon/engines/demo-shop/shop.sql build/bundle/
	@for command in sallyport sallyportd; do \
		echo "import './needed-node.cjs'; import { startBuilt } from './start-built.cjs'; startBuilt('$$command');" >build/bundle/$$command.js && \
		'$(NODE)' -e 'require("./build/bundle/start-built.cjs").startAndKeep(process.argv[1], fs.writeFileSync)' $$command --version >build/bundle/.version && \
		rm build/bundle/.version || exit 1; done
	@touch $@

$(COMMANDS): build/.bundled build/.node bridge/packaging/first-file.sh bridge/packaging/needed-node.cjs shared/no-debugger.ts
	@mkdir -p build/bin
	@echo '{ "type": "commonjs" }' > build/bin/package.json
	@sh bridge/packaging/first-file.sh '$(NODE)' '$(@F)' > $@
	@chmod 755 $@

# The commands name this Node; if it changes, they are made again.
build/.node: FORCE
	@mkdir -p build
	@echo '$(NODE)' | cmp -s - $@ || echo '$(NODE)' >$@

FORCE:

executable: build ## daemon, bridge and command as one executable that needs no Node, in build/executable/bin
	@sh bridge/packaging/executable.sh build/executable build/executable-parts
	@build/executable/bin/sallyport --version

deb: executable ## build/sallyport_VERSION_PROCESSOR.deb, a Debian package of it; MAINTAINER='NAME <ADDRESS>'
	@file=build/sallyport_$$(build/executable/bin/sallyport --version | cut -d' ' -f2)_$$(dpkg --print-architecture 2>/dev/null || :).deb && \
		sh bridge/packaging/deb.sh build/executable "$$file" && printf '%s\n' "Install it: sudo apt install ./$$file"

download: executable ## build/download: the executable packed, and install.sh, which checks and installs it for one user
	@sh bridge/packaging/download.sh build/executable build/download
	@printf '%s\n' 'Install it: SALLYPORT_FROM=file://$(CURDIR)/build/download sh build/download/install.sh'

# Under sudo, built files still belong to the person.
install: ## the executable, into PREFIX (/usr/local)
	@sh bridge/packaging/place.sh rights '$(PREFIX)'
	@sh bridge/packaging/as-person.sh $(MAKE) --no-print-directory executable
	@sh bridge/packaging/place.sh install '$(PREFIX)'

uninstall: ## what `make install` put into PREFIX; your connections and settings stay
	@sh bridge/packaging/place.sh uninstall '$(PREFIX)'

package: build ## build/sallyport-VERSION.tgz, for npm and npx
	@'$(NODE)' bridge/packaging/package.mjs

# In a package from npm, they run on any Node that is new enough.
build/npm/sallyport: $(COMMANDS)
	@mkdir -p build/npm
	@echo '{ "type": "commonjs" }' > build/npm/package.json
	@for command in $(^F); do sh bridge/packaging/first-file.sh env $$command > build/npm/$$command && chmod 755 build/npm/$$command || exit 1; done

image: ## build/sallyport.oci.tar, an image for podman or docker; Linux, as root, with mmdebstrap
	@sh bridge/packaging/as-person.sh $(MAKE) --no-print-directory executable
	@sh bridge/packaging/image.sh build/sallyport.oci.tar

mcpb: build ## build/sallyport.mcpb, the bridge as a bundle that MCP clients install with a click
	@sh bridge/packaging/mcpb.sh $(BRIDGE) build/sallyport.mcpb

release: node_modules/.installed ## VERSION=x.y.z: sets it, moves the changelog's Unreleased, makes build/release/; commits and publishes nothing
	@sh bridge/packaging/release.sh '$(VERSION)'

BENCH := $(BIN)/esbuild --bundle --packages=external --platform=node --format=esm --target=node24.15 --log-level=error

# `make bench BESIDE=COMMIT` compares with that commit, built in build/beside.
BESIDE_BUILT = BESIDE="$$(sh test/bench/beside.sh '$(BESIDE)')" && export BESIDE

bench: build test-programs ## calls a second beside a floor and beside rivals from npm, or BESIDE=COMMIT; ROUNDS=3 SECONDS=2 ENGINES=sqlite, WRITE=1, SHORT=1 for right answers only
	@$(BENCH) test/bench/calls/main.ts test/bench/calls/floor-server.ts --outdir=build/bench --out-extension:.js=.mjs
	@$(BESIDE_BUILT) && ROUNDS=$(ROUNDS) BENCH_SECONDS=$(SECONDS) ENGINES=$(ENGINES) WRITE=$(WRITE) SHORT=$(SHORT) '$(NODE)' build/bench/main.mjs

bench-memory: build test-programs ## what the daemon holds at the first questions, under a load and a minute later; ENGINES=, ROUNDS=3, SECONDS=30, BESIDE=COMMIT
	@$(BENCH) test/bench/memory/main.ts --outfile=build/bench/memory.mjs
	@$(BESIDE_BUILT) && ROUNDS=$(ROUNDS) BENCH_SECONDS=$(SECONDS) ENGINES=$(ENGINES) '$(NODE)' build/bench/memory.mjs

bench-bridge: build ## how long the bridge takes to its first answer and for each call, beside Node itself; RUNS=20
	@'$(NODE)' test/bench/bridge.mjs

bench-wire: build test-programs ## pgbench through the door for PostgreSQL's clients beside a pipe and the server itself; ROUNDS=5 SECONDS=3
	@ROUNDS=$(ROUNDS) BENCH_SECONDS=$(SECONDS) '$(NODE)' test/bench/wire.mjs

bench-questions: build test-programs ## calls and tokens for questions to 300 unseen tables, beside other servers from npm; WRITE=1
	@$(BENCH) test/bench/questions/main.ts --outfile=build/bench/questions.mjs
	@WRITE=$(WRITE) '$(NODE)' build/bench/questions.mjs

bench-beside: build test-programs ## the same put to this and to four other servers from npm: what is refused, lost, kept, goes on; some 15 minutes; WRITE=1
	@$(BENCH) test/bench/beside/main.ts --outfile=build/bench/beside.mjs
	@WRITE=$(WRITE) '$(NODE)' build/bench/beside.mjs

bench-rivals: build ## the same first answer beside other servers for databases, fetched from npm into build/rivals
	@$(BENCH) test/bench/rivals.mjs --outfile=build/bench/rivals.mjs
	@'$(NODE)' build/bench/rivals.mjs

app: ## Sallyport.app, on a Mac, in build/; CODESIGN_IDENTITY names who signs it
	@sh shell-macos/packaging/app.sh

dmg: app ## a disk image in build/, on a Mac; CODESIGN_IDENTITY signs it, NOTARY_PROFILE has Apple notarise it
	@sh shell-macos/packaging/dmg.sh build/Sallyport.app build "$${CODESIGN_IDENTITY:--}" "$${NOTARY_PROFILE-}"

tryout: ## tries build/Sallyport.app, on a Mac whose mouse and keys are left alone; a report and pictures in build/tryout
	@'$(NODE)' test/shell-macos/tryout.mjs build/Sallyport.app build/tryout

test-app: build ## the app's tests, beside the real daemon, without a Mac too; needs Swift, SALLYPORT_TEST_INSTALL=1 installs it (Debian)
	@[ "$$SALLYPORT_TEST_INSTALL" != 1 ] || sh test/install/swift.sh
	@$(RUN_JEST) --config test/app.cjs $(JEST)

recorded: node_modules/.installed ## what the app's tests have their daemon say, asked of the real one anew
	@WRITE=1 $(RUN_JEST) test/shell-macos/recorded

check-app: ## the app's format, texts and types, without a Mac too; needs Swift
	@if command -v swift >/dev/null || command -v inswift >/dev/null; then sh shell-macos/check.sh; \
		else echo "The app was not checked: there is no Swift here."; fi

recording: build ## the recording of a terminal in docs/terminal.svg, played in a real one; needs tmux
	@'$(NODE)' test/docs/recording/record.mjs docs/terminal.svg

# Looked at first: a compilation takes longer than that.
temporary-folder:
	@folder=$$(mktemp -d) && rmdir "$$folder" || { echo "make test keeps files in the temporary folder, and can't write there: set TMPDIR to another." >&2; exit 1; }

test-programs:
	@if [ "$$SALLYPORT_TEST_INSTALL" = 1 ]; then sh test/install/database-servers.sh && sh test/install/desktop-files.sh && sh test/install/desktop-notifications.sh && sh test/install/shells.sh && sh test/install/boxes.sh && sh test/install/systemd.sh && sh test/install/tunnels.sh && sh test/install/drivers.sh && sh test/install/installers.sh && sh test/install/shellcheck.sh; fi

# Every target without a path is a command, not a file.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))
