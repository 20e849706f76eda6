# Everything one does with this repository. `make help` lists it; plain `make` checks all of it.
# Needs Python 3.11 or newer and make (GNU make 3.81, as on macOS, will do).
#
# PYTHON=/path/to/python3.12   the interpreter to use (otherwise one is found)
# VENV=.venv                   where the environment goes
# WORKERS=auto                 how many processes run the tests: a number, or one for each core

VENV ?= .venv
WORKERS ?= auto
BIN := $(VENV)/bin
CODE := $(wildcard src tests experiments benchmarks examples tools)
# One thread each: there is a process for every core already.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	$(BIN)/python -m pytest --quiet -n $(WORKERS) --maxprocesses 8 --dist worksteal
# The requirements of a dependency group of pyproject.toml; pip knows them by itself from 25.1 on.
GROUP = $(shell $(BIN)/python tools/dependency_group.py $(1))
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := check
.DELETE_ON_ERROR:
.PHONY: check format-check lint types contracts docs test test-all test-rest demo setup format release lock \
	clean help

check: format-check lint types contracts docs test  ## every check there is (plain `make`)

demo: $(VENV)/.base  ## label 2000 images in the browser
	$(BIN)/askless demo

test: $(VENV)/.dev  ## the tests, and a list of those that could not run here
	@$(PYTEST)

test-all: $(VENV)/.all  ## every tier; what is absent is a failure, not a skip
	@ASKLESS_TIERS=all $(PYTEST)

test-rest: $(VENV)/.all  ## what the last `make test` skipped; still absent is a failure
	@ASKLESS_TIERS=rest $(PYTEST)

format-check: $(VENV)/.dev
	$(BIN)/ruff format --check $(CODE) docs

lint: $(VENV)/.dev
	$(BIN)/ruff check $(CODE) docs

types: $(VENV)/.dev
	$(BIN)/mypy $(CODE)

contracts: $(VENV)/.dev
	$(BIN)/lint-imports --no-logo

docs: $(VENV)/.dev  ## build the documentation into docs/_build/html, warnings are errors
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html docs docs/_build/html

format: $(VENV)/.dev  ## put the code in its one format
	$(BIN)/ruff format $(CODE) docs
	$(BIN)/ruff check --fix $(CODE) docs

setup: $(VENV)/.dev  ## make .venv with everything the checks need

release: $(VENV)/.dev  ## build what is published into dist, check it, and try it in new environments
	@$(PIP_INSTALL) $(call GROUP,release)
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	sh tools/try-release.sh dist $(BIN)/python

lock: $(VENV)/.base  ## choose the newest versions of all dependencies again
	$(PIP_INSTALL) uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
		--fork-strategy fewest --all-extras --no-annotate \
		--group dev --group experiments --group browser --group jupyterlab --group skorch \
		--group container --group release --group lock \
		--custom-compile-command "make lock" --output-file constraints.txt pyproject.toml

clean:  ## remove .venv and everything built
	rm -rf $(VENV) build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache askless-demo
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

help:
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/  make \1|\2/p' Makefile | \
		while IFS='|' read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done

# An empty file marks each finished step, so that the second run of anything is quick.
# Builders come from the lock too, hence no build isolation.

$(VENV)/.made: $(if $(PYTHON),FORCE)
	@PYTHON="$(PYTHON)" sh tools/make-venv.sh $(VENV)

$(VENV)/.base: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing askless"
	@$(PIP_INSTALL) hatchling editables
	@$(PIP_INSTALL) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	@echo "Installing what the checks need"
	@$(PIP_INSTALL) --no-build-isolation --editable ".[notebook,onnx,remote,tables]" $(call GROUP,dev experiments)
	@touch $@

$(VENV)/.all: $(VENV)/.dev
	@echo "Installing what the other tiers need"
	@$(PIP_INSTALL) --no-build-isolation --editable ".[all]" \
		$(call GROUP,dev experiments browser jupyterlab skorch container)
	@touch $@

FORCE:
