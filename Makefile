# Everything from a fresh clone: `make course` to see the course, `make test` to test it.

PYTHON ?= python3
SERVE ?= 1
PORT ?= 8000
WORKERS ?= 2

BIN := .venv/bin
INSTALLED := .venv/.installed
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
CHAPTER := $(if $(ONLY),--chapter $(ONLY))

export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup course book test test-full bench dist lint format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

setup: $(INSTALLED) ## make .venv with the course and its tools

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
	  "The course needs Python 3.11 or newer; $(PYTHON) is older. Name another: make PYTHON=python3.12" >&2; exit 1; }
	@PYTHON=$(PYTHON) tools/system-packages venv
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[test]'
	@touch $@

course: setup ## build the book, release, grade the two sample classes, serve book and reports (SERVE=0: do not)
	@tools/system-packages bubblewrap || true
	$(BIN)/headway book
	$(BIN)/headway release
	@rm -rf _build/hostile-class
	@if $(BIN)/python -m headway.grading.sandbox.bubblewrap; then set -ex; \
	  $(BIN)/python -m tests.assignments.sample_class _build/sample-class; \
	  $(BIN)/python -m tests.hostile.submissions _build/hostile-class; \
	  $(BIN)/headway grade 01 --course _build/hostile-class || test $$? -eq 1; \
	else echo "So the hostile class is left out, and our own sample class is trusted."; set -ex; \
	  $(BIN)/python -m tests.assignments.sample_class _build/sample-class --trust-submissions; \
	fi
ifneq ($(SERVE),0)
	$(BIN)/python -m headway.commands.serve _build $(PORT) \
	  html/index.html sample-class/report.html hostile-class/report.html
endif

book: setup ## build the book
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

lint: setup ## check form and style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: setup ## put the code into form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## remove what was built; .venv and your work stay
	rm -rf _build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
