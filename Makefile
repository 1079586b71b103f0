# What people type. Every target sets up what it needs first; `make` alone lists them.

# The first interpreter on this machine that is new enough. Name another with PYTHON=...
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
ifeq ($(PYTHON),)
$(error Block-You needs Python 3.11 or newer, and none was found. On Debian 12 and Ubuntu 24.04: sudo apt install python3 python3-venv)
endif

RUN = @$(PYTHON) blockyou/bootstrap.py run
DEV = @$(PYTHON) blockyou/bootstrap.py dev
TOOL = .venv/bin
PYTEST = $(TOOL)/python -m pytest
CODE = accounts benchmarks blockyou games tests tools manage.py
export PYTHONUNBUFFERED = 1

.DEFAULT_GOAL = help
.PHONY: help run demo dev backup test test-browser bench check format messages lint types contracts scripts project rules-coverage coverage audit shots icons lock

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## set up, then serve http://127.0.0.1:8000 with bots (PORT=, HOST=0.0.0.0 for phones)
	$(RUN) python -m blockyou.serve

demo: ## like run, with people and games in every state to look at
	$(RUN) python -m blockyou.serve --demo

dev: ## serve with DEBUG, starting again when a file changes
	$(DEV) python -m blockyou.serve --dev

backup: ## copy the database to var/backups, also while people play
	$(RUN) python manage.py backup

test: ## set up, then run every test but those in a browser
	$(DEV) python -m pytest -n 2 -m "not browser"

test-browser: node_modules ## run the tests in a real Chromium (Debian: apt install chromium libatomic1)
	$(DEV) python -m pytest -m browser

bench: ## measure speed and memory against the baselines kept beside them
	$(DEV) python -m benchmarks

check: lint types contracts scripts project rules-coverage coverage ## everything that must be green
	@echo "All checks passed."

format: ## put Python and templates into their one form
	$(DEV)
	$(TOOL)/ruff format $(CODE)
	$(TOOL)/ruff check --fix $(CODE)
	git ls-files -co --exclude-standard 'templates/**.html' | xargs -r $(TOOL)/djade --target-version 5.2

messages: ## bring the translations in locale/ up to date with the texts, and compile them
	$(DEV) python manage.py messages

lint: # format, lint and templates
	$(DEV)
	$(TOOL)/ruff format --check $(CODE)
	$(TOOL)/ruff check $(CODE)
	git ls-files -co --exclude-standard 'templates/**.html' | xargs -r $(TOOL)/djade --check --target-version 5.2

types: # strict types
	$(DEV)
	$(TOOL)/mypy $(CODE)

contracts: # who may import whom
	$(DEV)
	$(TOOL)/lint-imports

node_modules: package-lock.json
	npm ci --no-audit --no-fund --silent
	@touch node_modules

scripts: node_modules # JavaScript: types by tsc, unit tests by node
	npm run --silent types
	npm run --silent test

project: # what Django itself can check
	$(DEV)
	DJANGO_SETTINGS_MODULE=blockyou.settings.test $(TOOL)/python manage.py makemigrations --check --dry-run
	DJANGO_SETTINGS_MODULE=blockyou.settings.prod PUBLIC_URL=https://blockyou.example.org \
		SECRET_KEY=$$($(TOOL)/python -c 'import secrets; print(secrets.token_urlsafe(64))') \
		$(TOOL)/python manage.py check --deploy --fail-level WARNING

# The long proofs run in the whole suite; every branch is to be covered without them.
PROOFS = test_oracle test_families test_board_symmetries test_record_fuzz

rules-coverage: # the rules, every branch of them
	$(DEV)
	$(PYTEST) -q -n 2 tests/rules $(PROOFS:%=--ignore tests/rules/%.py) --cov=games.rules --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

coverage: # the tests again, counting branches
	$(DEV)
	$(PYTEST) -q -n 2 -m "not browser" --cov --cov-report=term-missing:skip-covered --cov-fail-under=90

audit: ## Lighthouse on the page of a game, and what a frame of dragging costs (Chromium; fetches Lighthouse)
	$(DEV) python -m tools.audit

shots: ## picture every page on three screens, light and dark, in both languages, in var/shots (Chromium)
	$(DEV) python -m tools.shots

icons: ## make the icons of static/site/icons from icon.svg
	$(DEV) python -m tools.icons

lock: ## pin what pyproject.toml asks for, with hashes (needs the network)
	$(DEV) python -m pip install --quiet uv
	$(TOOL)/uv pip compile pyproject.toml $(LOCK) --extra dev --output-file requirements-dev.txt
	$(TOOL)/uv pip compile pyproject.toml $(LOCK) --constraints requirements-dev.txt --output-file requirements.txt

LOCK = --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock"
