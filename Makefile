# Everything from a fresh clone: `make course` to see the course, `make test` to test it.

PYTHON ?= python3
SERVE ?= 1
PORT ?= 8000
WORKERS ?= 2

BIN := .venv/bin
SEEN := .venv/.course
TESTED := .venv/.test
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
CHAPTER := $(if $(ONLY),--chapter $(ONLY))

export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What is imported a hundred times is compiled once.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup course book test test-full bench dist lint format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

course: $(SEEN) ## install, build and serve the book, grade a small class (SERVE=0: do not serve)
	@$(BIN)/python -m tools.course --port $(PORT) $(if $(filter 0,$(SERVE)),--no-serve)

setup: $(TESTED) ## install everything, with what the tests need

define has_python
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
  "The course needs Python 3.11 or newer; $(PYTHON) is older. Name another: make PYTHON=python3.12" >&2; exit 1; }
@PYTHON=$(PYTHON) tools/system-packages venv
endef

$(SEEN): pyproject.toml constraints.txt
	@echo "1/3  Install: about 2 minutes."
	$(has_python)
	@tools/system-packages bubblewrap || true
	@$(PYTHON) tools/install.py course
	@touch $@

$(TESTED): pyproject.toml constraints.txt
	@echo "Install what the tests need: about 3 minutes, less where the course is installed."
	$(has_python)
	@$(PYTHON) tools/install.py test
	@touch $(SEEN) $@

book: $(SEEN) ## build the book
	$(BIN)/headway book

test: lint ## lint and run the tests (ONLY=08: those that concern one chapter)
	@tools/system-packages chromium bubblewrap
	$(PYTEST) $(CHAPTER)

test-full: lint ## the same to the end: 20 seeds, all students, all looks of a page, more
	@tools/system-packages chromium bubblewrap
	HEADWAY_FULL=1 $(PYTEST) $(CHAPTER)

bench: setup ## measure beside other libraries (ONLY=attention: one benchmark)
	$(BIN)/python benchmarks $(ONLY)

dist: setup ## build the wheel and the source distribution, without solutions
	$(BIN)/python -m hatchling build -d dist

lint: setup ## check form, style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: setup ## format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## remove what was built; .venv and your work stay
	rm -rf _build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
