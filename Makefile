# What people type. Every target sets up what it needs first; `make` alone lists them.

# The first interpreter on this machine that everything in requirements.txt is built for. Name another with PYTHON=...
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && { echo "$$p"; break; }; done)
ifeq ($(PYTHON),)
$(error Block-You needs Python 3.11 to 3.14, and none was found. On Debian 12 and Ubuntu 24.04: sudo apt install python3 python3-venv)
endif

RUN = @$(PYTHON) blockyou/install/bootstrap.py run
DEV = @$(PYTHON) blockyou/install/bootstrap.py dev
TOOL = .venv/bin
PYTEST = $(TOOL)/python -m pytest
BIOME = node_modules/.bin/biome
TEMPLATES = git ls-files -co --exclude-standard '*.html'
CODE = accounts benchmarks blockyou clients games tests tools manage.py
export PYTHONUNBUFFERED = 1

.DEFAULT_GOAL = help
.PHONY: help run demo dev backup restore drill installed test test-slow test-newest test-browser test-browser-quick bench bench-once ordeal check format messages lint types contracts \
	scripts project counted coverage covered proof proofs test-database test-database-quick audit shots icons index client release lock

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## set up, then serve http://127.0.0.1:8000 with bots (PORT=, HOST=0.0.0.0 for phones)
	$(RUN) python -m blockyou.processes.serve

demo: ## like run, with people and games in every state to look at
	$(RUN) python -m blockyou.processes.serve --demo

dev: ## serve with DEBUG, starting again when a file changes
	$(DEV) python -m blockyou.processes.serve --dev

backup: ## copy the database to var/backups, checked, also while people play
	$(RUN) python manage.py backup

restore: ## put a copy back while the site is stopped: make restore FILE=var/backups/db-….sqlite3
	$(if $(FILE),,$(error Name the copy: make restore FILE=var/backups/db-….sqlite3))
	$(RUN) python manage.py restore "$(FILE)"

drill: ## play, copy, destroy and restore on a database made for it (PostgreSQL's with DATABASE_URL); and back to a moment
	$(DEV) python -m pytest -q -m proof tests/project/backups/test_drill.py tests/project/backups/test_moment.py

# Over two processes; who has nothing left takes over half of what the other one has.
SPREAD = -n 2 --dist worksteal
QUICK = $(SPREAD) --ignore tests/browser -m "not proof and not slow"
SLOW = $(SPREAD) --ignore tests/browser -m "slow and not proof"
PROOFS = $(SPREAD) --ignore tests/browser -m proof

test: ## set up, then run every test but slow ones, long proofs and those in a browser
	$(DEV) python -m pytest $(QUICK)

test-slow: ## run the slow tests that `make test` leaves out
	$(DEV) python -m pytest $(SLOW)

proofs: ## run the long proofs that `make test` leaves out
	$(DEV) python -m pytest $(PROOFS)

test-browser: node_modules ## run the tests in a real Chromium (Debian: apt install chromium libatomic1)
	$(DEV) python -m pytest $(SPREAD) tests/browser

test-browser-quick: node_modules # those of them that every change must pass
	$(DEV) python -m pytest $(SPREAD) tests/browser -m "not proof"

proof: ## all there is, on a Debian machine that may be bare: the gate's checks, coverage, long proofs, every browser test (hours)
	.ci/run proof

ordeal: node_modules ## run what docs/reliability.md names, going on where it was ended; its table goes into that page (ROWS="A6 B" for some; hours)
	$(DEV) python -m tools.ordeal $(ROWS)

bench: ## measure speed and memory against the baselines kept beside them; the figures go into docs/benchmarks.md
	$(DEV) python -m benchmarks --write

bench-once: # every benchmark in its ordinary size, whose figures are not kept: only whether it ends well (hours)
	$(DEV) python -m benchmarks --once

check: lint types contracts scripts project coverage ## everything that must be green
	@echo "All checks passed."

format: node_modules ## put Python, scripts, stylesheets and templates into their one form
	$(DEV)
	$(TOOL)/ruff format $(CODE)
	$(TOOL)/ruff check --fix $(CODE)
	$(BIOME) check --write
	$(TEMPLATES) | xargs -r $(TOOL)/djangofmt check --fix
	$(TEMPLATES) | xargs -r $(TOOL)/djangofmt
	$(TEMPLATES) | xargs -r $(TOOL)/djade --target-version 5.2 || true  # it fails where it has changed something

messages: ## bring the translations in locale/ up to date with the texts, and compile them
	$(DEV) python manage.py messages

lint: node_modules # the form of Python, scripts, stylesheets and templates, and faults that can be seen in it
	$(DEV)
	$(TOOL)/ruff format --check $(CODE)
	$(TOOL)/ruff check $(CODE)
	$(BIOME) check --error-on-warnings
	$(TEMPLATES) | xargs -r $(TOOL)/djangofmt --check
	$(TEMPLATES) | xargs -r $(TOOL)/djangofmt check
	$(TEMPLATES) | xargs -r $(TOOL)/djade --check --target-version 5.2

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

installed: node_modules # what the other targets need
	$(DEV)

counted: # the quick and slow tests, counting branches
	$(DEV)
	$(PYTEST) -q $(SPREAD) --ignore tests/browser -m "not proof" --cov --cov-report=

coverage: counted covered proofs # all tests but those in a browser, and what they reach

covered: # what they have just counted: nine branches of ten, every one of the rules, and no room less than before
	$(TOOL)/coverage report --format=total --fail-under=90
	$(TOOL)/python -m tools.covered

test-database: # what is marked `database`, on the PostgreSQL and Redis that the environment names
	$(DEV)
	$(PYTEST) -q $(SPREAD) --ignore tests/browser -m database

# Writes, races, jobs, sockets and what is counted: where the two databases differ. Pages ask them nothing else.
DIFFERENT = tests/games/actions tests/games/realtime tests/games/tasks tests/games/notifications tests/games/queries tests/games/review tests/games/advice \
	tests/games/bots tests/games/ratings/test_rating_races.py tests/games/seeks/test_races.py tests/games/test_*.py tests/accounts/test_sessions.py \
	tests/architecture/test_migrations.py tests/project tests/reliability

test-database-quick: # of these what every change must pass
	$(DEV)
	$(PYTEST) -q $(SPREAD) -m "database and not proof and not slow" $(DIFFERENT)

# The newest Python here that everything in the lock is built for, also one of pyenv's.
NEWEST = $(shell for p in python3.14 python3.13 python3.12 python3.11; do for f in "$$p" "$$HOME"/.pyenv/versions/*/bin/"$$p"; do \
	"$$f" -c 'import ensurepip' 2>/dev/null && { echo "$$f"; exit; }; done; done)

test-newest: # the quick tests of the rules and of the project itself on the newest Python of this machine
	$(DEV)
	@$(TOOL)/python -c 'import sys; v = "%d.%d" % sys.version_info[:2]; print("In .venv:", v); sys.exit(not "$(NEWEST)".endswith(v))' \
		&& echo "No newer Python is here." \
		|| BLOCKYOU_VENV=.venv-newest $(NEWEST) blockyou/install/bootstrap.py dev python -m pytest -q $(SPREAD) tests/rules tests/project -m "not proof and not slow"

audit: ## Lighthouse on the page of a game, and what a frame of dragging costs (Chromium; fetches Lighthouse)
	$(DEV) python -m tools.audit

shots: ## picture every page on three screens, light and dark, in both languages, in var/shots (Chromium)
	$(DEV) python -m tools.shots

icons: ## make the icons of static/site/icons from icon.svg, and the pictures of static/site/screens
	$(DEV) python -m tools.icons
	$(DEV) python -m tools.screens

index: ## write docs/pages.md, which files each page and endpoint is made of
	$(DEV) python -m tools.page_index

client: ## write the types of clients/python/blockyou.py from the API's document
	$(DEV) python -m tools.client_types

release: ## make what a release consists of, in dist/, from the commit that is checked out
	$(DEV) python -m tools.release

lock: ## pin what pyproject.toml asks for, with hashes (needs the network)
	$(DEV) python -m pip install --quiet uv
	$(TOOL)/uv pip compile pyproject.toml $(LOCK) --extra site --extra dev --output-file requirements-dev.txt
	$(TOOL)/uv pip compile pyproject.toml $(LOCK) --extra site --constraints requirements-dev.txt --output-file requirements.txt

LOCK = --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock"
