# The verbs of this project, for people and for CI alike. Each makes .venv by itself when it is missing or out of date.
#   make play ARGS="--players 6"    make test ARGS="tests/test_import_floors.py -x"    make PYTHON=python3.13 test

PYTHON ?= python3
ARGS   ?=
VENV   := .venv
BIN    := $(VENV)/bin

# All tests are run by one process for each processor, a few at most, since their servers and programs want room, too. Tests
# that are asked for by ARGS are run by a single one, which shows what a test prints, stops in --pdb, and starts at once.
WORKERS := -n auto --maxprocesses 4 --dist worksteal

# What the installation is made from: when one of these changes, it is made again. Python sources are not among them,
# because the installation is editable: an edit is seen at once.
SETUP  := pyproject.toml protos/hatch_build.py
PROTOS := $(shell find protos/shanghai -name '*.proto')
LOCALE := client/shanghai_client/locale
WORDS  := $(shell find $(LOCALE) -name '*.po')

# A moved checkout or a removed interpreter leaves a .venv that cannot run: python.stamp holds the place it was made for.
ifneq ($(shell $(BIN)/python -c '' 2>/dev/null && cat $(VENV)/python.stamp 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)/python.stamp
endif

# Generated code that somebody removed is generated again.
ifeq ($(wildcard protos/gen/shanghai/py.typed),)
.PHONY: $(VENV)/play.stamp $(VENV)/protos.stamp
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play test check protos words bench soak clean

help: ## say what there is
	@grep -hE '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

play: $(VENV)/play.stamp ## play a game now, against bots (ARGS="--players 6" and so on)
	@$(BIN)/shanghai-rum play $(ARGS) || [ $$? = 130 ] # Ctrl-C is no error

test: $(VENV)/protos.stamp ## run the tests (ARGS="-k offer" and so on); all of them take some six minutes
	$(if $(ARGS),,@echo "All tests: some six minutes on two cores. Ctrl-C stops them.")
	$(BIN)/python -m pytest $(or $(ARGS),$(WORKERS))

check: $(VENV)/protos.stamp ## lint, formatting, types, the contract, the import floors
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/buf lint
	$(BIN)/buf breaking --against protos/baseline.binpb
	$(BIN)/python -m pytest -q tests/test_import_floors.py

protos: $(VENV)/dev.stamp ## generate the Python code of the contract, compile the catalogues of texts
	$(BIN)/python protos/hatch_build.py
	@touch $(VENV)/protos.stamp $(VENV)/play.stamp

words: $(VENV)/dev.stamp ## collect the texts of the client into the catalogues of the other languages
	$(BIN)/python tests/catalogues.py
	$(BIN)/python protos/hatch_build.py

bench: $(VENV)/protos.stamp $(VENV)/bench.stamp ## measure (ARGS="NAME ..." for some benches only)
	$(BIN)/python -m bench $(ARGS)

soak: $(VENV)/protos.stamp ## run the long tests in full
	$(BIN)/python -m pytest -m soak $(ARGS)

clean: ## remove everything that can be made again, .venv included
	rm -rf $(VENV) protos/gen $(LOCALE)/*/*/*.mo build dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Players need what runs the game, and no more.
$(VENV)/play.stamp: $(VENV)/python.stamp $(SETUP) $(PROTOS) $(WORDS)
	@echo "setting up $(VENV) (once, about a minute) ..." >&2
	@$(BIN)/python -m pip install --quiet --editable '.[lan]'
	@touch $@

$(VENV)/dev.stamp: $(VENV)/python.stamp $(SETUP)
	@echo "setting up $(VENV) for development (once, a few minutes) ..." >&2
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/protos.stamp $(VENV)/play.stamp

# What the benches measure against is large and not for every machine: where it cannot be had, the benches say so.
$(VENV)/bench.stamp: $(VENV)/dev.stamp
	@echo "installing what the benches measure against ..." >&2
	@$(BIN)/python -m pip install --quiet --editable '.[bench]' || echo "some of it cannot be had here" >&2
	@touch $@ $(VENV)/protos.stamp

# The installation has generated already; only a changed contract or catalogue needs it again.
$(VENV)/protos.stamp: $(VENV)/dev.stamp $(PROTOS) $(WORDS)
	@$(BIN)/python protos/hatch_build.py
	@touch $@ $(VENV)/play.stamp

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Shanghai Rum needs Python 3.11 or newer, and $(PYTHON) is not: name one, as in 'make PYTHON=python3.12 play'." >&2; \
	  exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@echo '$(subst ','\'',$(CURDIR))' > $@
