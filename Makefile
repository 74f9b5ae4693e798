# make play | test | check | format | prove | screenshots | fuzz | bench | chaos | load | lock
#
# Each sets up what it needs in .venv on first use, and again when a requirements file or pyproject.toml changes.
# Set-up talks on standard error and reads nothing, so that `printf '...' | make play` prints only the game.
#   make play ARGS='--as Bea'          make test ARGS='-k rummy -x'          make test JOBS=0 (no parallel runs, for a debugger)

.DEFAULT_GOAL := play
.DELETE_ON_ERROR:
.PHONY: play test check format prove screenshots fuzz bench chaos load setup chromium lock clean

ARGS ?=
JOBS ?= auto

# Empty is as good as not set: where it is, each of the many processes that the tests start compiles our modules anew.
export PYTHONDONTWRITEBYTECODE :=

# The first Python on this machine for which there are builds of all that is needed.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && { echo "$$p"; break; }; done)

BIN := .venv/bin
READY := .venv/ready
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
CODE := engine service workers commands tools bench rig
WITH_TESTS := $(CODE) tests

play: $(READY)/project
	@exec $(BIN)/queenline play $(ARGS)

test: $(READY)/dev chromium
	@exec $(BIN)/pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

check: $(READY)/dev
	@$(BIN)/ruff format --check --quiet $(WITH_TESTS) || { echo 'not formatted: make format' >&2; exit 1; }
	@$(BIN)/ruff check --quiet $(WITH_TESTS)
	@$(BIN)/mypy $(WITH_TESTS)
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/python -m tools.walls
	@$(BIN)/python -m tools.docs
	@$(BIN)/python -m tools.deploy

format: $(READY)/dev
	@$(BIN)/ruff check --fix --quiet $(WITH_TESTS) || true
	@$(BIN)/ruff format --quiet $(WITH_TESTS)
	@$(BIN)/python -m tools.docs --write

# Every page as a picture in build/screenshots, for a phone and a desk, light and dark: make screenshots ARGS='--width 320 table'
screenshots: $(READY)/dev chromium
	@exec $(BIN)/python -m tests.browser.screenshots $(ARGS)

# Bodies that nobody thought of, a million of them: make fuzz ARGS='--count 20000 --seed 7 --jobs 2'
fuzz: $(READY)/dev
	@exec $(BIN)/python -m tools.fuzz $(ARGS)

bench: $(READY)/bench
	@exec $(BIN)/queenline bench $(ARGS)

# What `make test` does in part, whole: two thousand hands for the bots, twenty thousand beside the second referee, all piles of
# Gong Zhu, a thousand games of each trick game and of Damn the Queens, five hundred of each other rummy game, 200,000 melds, four
# times the examples of each property, each text in each dress, each page in each light. An hour or so.
prove: $(READY)/dev chromium
	@QUEENLINE_BOT_HANDS=2000 QUEENLINE_REFEREE_HANDS=20000 QUEENLINE_ALL_PILES=1 QUEENLINE_GAMES=1000 QUEENLINE_TEXTS=20000 QUEENLINE_ROUNDS=200 QUEENLINE_EVERY_PAGE=1 QUEENLINE_DECORATED=1 \
		QUEENLINE_EXAMPLES=all QUEENLINE_BODIES=2000 QUEENLINE_FORMS=1000 \
		$(BIN)/pytest --numprocesses $(JOBS) --dist loadfile
	@$(BIN)/python -m tests.test_rummy_whole_games 500 300
	@$(BIN)/python -m tests.test_melds 200000

# A bad night of the whole service, with everything in it killed at random: make chaos ARGS='--faults 40 --tables 40 --seed 5'
chaos: $(READY)/dev
	@exec $(BIN)/python -m rig.chaos $(ARGS)

# How many texts a second: make load ARGS='--kind postgresql --tables 1000'
load: $(READY)/dev
	@exec $(BIN)/python -m rig.load $(ARGS)

# All that a developer needs, and nothing else.
setup: $(READY)/dev

$(READY)/venv:
	@test -n '$(PYTHON)' || { echo 'Queenline needs a Python from 3.11 to 3.14: install one, or say where it is: make PYTHON=/path/to/python3' >&2; exit 1; }
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

# Debian's browser, for the tests of the pages, where we may install it. Without one they are skipped and say so; in CI they fail.
chromium:
	@command -v chromium >/dev/null || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || { \
		echo 'Installing Chromium for the browser tests' >&2; \
		{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium; } </dev/null >&2 || true; }

# The pins, made anew from the *.in files; the other targets never do this. UPGRADE=1 moves every pin to its newest release.
LOCK = .venv/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)

lock: $(READY)/venv
	@test -x .venv/lock/bin/uv || { $(PYTHON) -m venv .venv/lock && .venv/lock/bin/python -m pip --quiet --disable-pip-version-check install uv; }
	@$(LOCK) requirements.in --output-file requirements.txt
	@$(LOCK) requirements-dev.in --output-file requirements-dev.txt
	@$(LOCK) requirements-bench.in --output-file requirements-bench.txt

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build *.egg-info
