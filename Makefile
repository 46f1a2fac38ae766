# Nothing to prepare: each target makes .venv on its first use and then runs. Python and make are all it needs.
#   make demo    is a kernel worth it on handwritten digits? Prints the answer and writes demo.html, the report
#   make test    the whole suite, a process per core; options for pytest in ARGS, as in  make test ARGS="-k features -x"
#   make lint    what continuous integration refuses
#   make docs    write the pages that are made from the code
#   make clean   forget .venv and everything built or cached
# Another interpreter:  make test PYTHON=python3.12

PYTHON ?= python3
WORKERS ?= auto
VENV := .venv
RUN := $(VENV)/bin/python
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

# Stamps say what .venv holds. They are named by contents, so a fresh date on a file installs nothing again.
sum = $(shell { $(1); } | cksum | tr -dc '0-9')
MADE := $(VENV)/made-$(call sum,echo "$(PYTHON)"; pwd)
WANT := $(call sum,cat pyproject.toml constraints.txt)
DEMO := $(VENV)/demo-$(WANT)
DEV := $(VENV)/dev-$(WANT)

.PHONY: help demo test lint docs venv clean
help:
	@sed -n 's/^#   //p' Makefile

demo: $(DEMO)
	@$(VENV)/bin/unkernel check digits --html demo.html

test: $(DEV)
	@$(RUN) -m pytest --numprocesses $(WORKERS) --dist worksteal $(ARGS)

lint: $(DEV)
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .

docs: $(DEV)
	@$(RUN) docs/make_cli.py

venv: $(DEV)

clean:
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here, and unkernel needs Python 3.11 or newer: install it, or name one, as in  make demo PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("$(PYTHON) is Python %d.%d, and unkernel needs 3.11 or newer: install it, or name one, as in  make demo PYTHON=python3.12" % sys.version_info[:2])'
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "This Python cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@touch $@

$(DEMO): $(MADE)
	$(INSTALL) ".[cli,report,arrow]"
	@touch $@

$(DEV): $(MADE)
	$(INSTALL) ".[dev]"
	@touch $@ $(DEMO)
