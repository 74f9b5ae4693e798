# make play | test | check | format | bench | lock
#
# Each sets up what it needs in .venv on first use, and again when a requirements file or pyproject.toml changes.
# Set-up talks on standard error and reads nothing, so that `printf '...' | make play` prints only the game.
#   make play ARGS='--as Bea'          make test ARGS='-k rummy -x'          make test JOBS=0 (no parallel runs, for a debugger)

.DEFAULT_GOAL := play
.DELETE_ON_ERROR:
.PHONY: play test check format bench setup lock clean

ARGS ?=
JOBS ?= auto

# The first Python on this machine that is new enough.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)

BIN := .venv/bin
READY := .venv/ready
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
CODE := engine service workers commands tools bench
WITH_TESTS := $(CODE) tests

play: $(READY)/project
	@exec $(BIN)/queenline play $(ARGS)

test: $(READY)/dev
	@exec $(BIN)/pytest --numprocesses $(JOBS) --dist loadfile $(ARGS)

check: $(READY)/dev
	@$(BIN)/ruff format --check --quiet $(WITH_TESTS) || { echo 'not formatted: make format' >&2; exit 1; }
	@$(BIN)/ruff check --quiet $(WITH_TESTS)
	@$(BIN)/mypy $(WITH_TESTS)
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/python -m tools.walls
	@$(BIN)/python -m tools.docs

format: $(READY)/dev
	@$(BIN)/ruff check --fix --quiet $(WITH_TESTS) || true
	@$(BIN)/ruff format --quiet $(WITH_TESTS)
	@$(BIN)/python -m tools.docs --write

bench: $(READY)/bench
	@exec $(BIN)/queenline bench $(ARGS)

# All that a developer needs, and nothing else.
setup: $(READY)/dev

$(READY)/venv:
	@test -n '$(PYTHON)' || { echo 'Queenline needs Python 3.11 or newer: install it, or say where it is: make PYTHON=/path/to/python3' >&2; exit 1; }
	@echo 'Setting up .venv (first use; about a minute)' >&2
	@$(PYTHON) -m venv --clear .venv </dev/null >&2
	@mkdir -p $(READY)
	@touch $@

# The packages that it runs on.
$(READY)/run: requirements.txt $(READY)/venv
	@$(PIP) install --require-hashes -r requirements.txt </dev/null >&2
	@touch $@

# The project itself, editable: .venv/bin/queenline.
$(READY)/project: pyproject.toml $(READY)/run
	@$(PIP) install --no-deps --no-build-isolation --editable . </dev/null >&2
	@touch $@

# Those two, and the packages of the tests and the lint.
$(READY)/dev: requirements-dev.txt $(READY)/project
	@$(PIP) install --require-hashes -r requirements-dev.txt </dev/null >&2
	@touch $@

# Those, and what `make bench` measures against.
$(READY)/bench: requirements-bench.txt $(READY)/dev
	@$(PIP) install --require-hashes --no-build-isolation -r requirements-bench.txt </dev/null >&2
	@touch $@

# The pins, made anew from the *.in files; the other targets never do this. UPGRADE=1 moves every pin to its newest release.
LOCK = .venv/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)

lock: $(READY)/venv
	@test -x .venv/lock/bin/uv || { $(PYTHON) -m venv .venv/lock && .venv/lock/bin/python -m pip --quiet --disable-pip-version-check install uv; }
	@$(LOCK) requirements.in --output-file requirements.txt
	@$(LOCK) requirements-dev.in --output-file requirements-dev.txt
	@$(LOCK) requirements-bench.in --output-file requirements-bench.txt

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build *.egg-info
