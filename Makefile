# Two commands matter: `make run` and `make test`. Each does all the set-up that it needs, once.

PYTHON ?= python3
PY := .venv/bin/python
RUN := .venv/installed-run
DEV := .venv/installed-dev
# Python compiles what is imported, once: half a minute less than compiling all that is installed.
INSTALL := $(PY) -m pip install --quiet --no-compile --require-hashes
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE  # the tests start Python hundreds of times: what it has compiled is kept

.PHONY: help run test test-all on-sqlite bench faults compare fuzz mutants screenshots lint audit clauses lock browser programs slow-programs loaded image compose-test systemd-test wheel reading-files reading-site

help:
	@echo "make run       the whole portal at http://127.0.0.1:8000/"
	@echo "make test      every check, and the tests, on SQLite and on PostgreSQL and Redis, in a real browser"
	@echo "make test-all  the slow tests too: before a release, and after changes of processes, pages, file formats or deploy/"
	@echo "make bench     the benchmarks, as a table and in benchmarks/results.md; takes an hour, see the Makefile for less"
	@echo "make faults    kills, restarts and other faults made for real, as a table in benchmarks/faults.md; some thirty minutes"
	@echo "make compare   the corpus of damage put to other tools that read DOIs, as tables in docs/comparison.md; npm and 1 GB needed"
	@echo "make fuzz      the properties of texts and files on 5,000 new examples each, and a hunt for slow texts; EXAMPLES=500 for a tenth"
	@echo "make mutants   small faults put into the code, to see whether the tests notice; ONLY=domain N=20 for a quarter of an hour"
	@echo "make screenshots  every page in every state, desktop, phone and dark, into var/screenshots"
	@echo "make image     builds the image for docker-compose.yml, with Docker or podman"
	@echo "make compose-test  starts, kills, scales, upgrades and restores the containers, as root; a quarter of an hour"
	@echo "make systemd-test  follows the guide without containers on a Debian with systemd, as root, with podman; some minutes"
	@echo "make lint      ruff, djLint, mypy, the order of imports, missing migrations"
	@echo "make audit     asks a service on the network whether a package that we use is known to be vulnerable"
	@echo "make clauses   writes docs/conformance.md from a test run"
	@echo "make messages  gathers the texts for those who translate them, and compiles the translations"
	@echo "make lock      pins the requirements anew"
	@echo "make reading-files  fetches Pyodide by npm (14 MB): with it the portal has the page /read, which reads texts in the browser"
	@echo "make reading-site   writes this page as a folder for any web server, var/reading-site or SITE=FOLDER"
	@echo "make wheel     two wheels in dist/, to install the portal elsewhere: its own, and that of doi_reading"

run: $(RUN)
	@exec $(PY) -m doiportal.supervisor --end-with-parent

# Everything runs on PostgreSQL. What the database makes a difference for runs on SQLite too: statements of our own, who of
# several workers gets what, filters and pages of rows, and a worker killed in the middle; what waits longest begins
# first. The browser's journeys are on SQLite in any case, as `make run` is.
ON_SQLITE_TOO := tests/faults/test_killed_worker.py \
	tests/faults/test_processes_killed.py::test_everything_is_killed_and_started_again \
	tests/gateway_outside/test_a_thousand_askers.py \
	tests/models tests/services tests/web/jobs/test_paging.py tests/web/jobs/test_row_filters.py \
	$(addprefix --ignore=tests/services/,health logins lookups storage/test_storage_errors.py proxy_answers/test_request_cost.py \
	watches/test_disturbed_runs.py turns/test_check.py turns/test_precheck.py \
	$(addprefix jobs/test_,corpus.py drafts.py failures.py hyperlinks.py one_bad_row.py request_count.py))

# Arguments of pytest that choose tests; none means all.
WHICH :=

# Packages and programs are loaded side by side. The linters use one core: the tests on SQLite go beside them.
test: WHICH := -m "not slow"
test-all: loaded-too := slow-programs
test test-all:
	@$(MAKE) --no-print-directory --jobs 2 loaded $(loaded-too)
	@$(MAKE) --no-print-directory --jobs 2 browser lint on-sqlite WHICH='$(WHICH)'
	@$(PY) -m tests.newest_python
	$(PY) -m pytest -n 4 $(WHICH)

on-sqlite: $(DEV)
	TEST_DATABASE=sqlite $(PY) -m pytest -n 3 -q $(WHICH) $(ON_SQLITE_TOO)

# ONLY="jobs million" measures these parts alone, ROUNDS each so often, ROWS is how long the long list is.
bench: $(DEV)
	@BENCH_ROUNDS="$(ROUNDS)" BENCH_ROWS="$(ROWS)" $(PY) -m benchmarks $(ONLY)

faults: $(DEV)
	@mkdir -p var && rm -f var/faults.md
	FAULTS=all TEST_DATABASE=sqlite $(PY) -m pytest -q tests/faults
	FAULTS=all $(PY) -m pytest -q tests/faults
	@mv var/faults.md benchmarks/faults.md

# Each of the other tools gets its packages into a folder of its own in var/compare.
compare: $(DEV)
	@$(PY) -m benchmarks.other_tools

EXAMPLES ?= 5000
fuzz: $(DEV)
	PROPERTY_EXAMPLES=$(EXAMPLES) $(PY) -m pytest -q -n 2 tests/doi_reading/parsing/test_properties.py \
		tests/doi_reading/name/test_properties.py tests/domain/redirect/test_properties.py tests/sheets/odd_files/test_damaged.py \
		tests/sheets/original/test_damaged_packages.py
	@$(PY) -m benchmarks.long_texts --examples $(EXAMPLES)

# N mutants of each package of ONLY, chosen by SEED; ALL=1 tries every one. SPEND seconds of tests go into one.
mutants: $(DEV)
	@N="$(N)" SEED="$(SEED)" ALL="$(ALL)" SPEND="$(SPEND)" nice $(PY) -m benchmarks.mutants $(ONLY)

# docker/engine.py says what a machine needs for these three.
image:
	@$(PYTHON) docker/build_image.py

compose-test: $(DEV)
	@$(PYTHON) docker/compose_test.py --summary benchmarks/containers.md

systemd-test:
	@$(PYTHON) docker/systemd_test.py --summary benchmarks/systemd.md

screenshots: $(DEV) browser
	SCREENSHOTS="$${SCREENSHOTS:-var/screenshots}" $(PY) -m pytest -q tests/journeys/test_tour.py

lint: lint-code lint-templates lint-types lint-imports lint-migrations

# The hooks of .pre-commit-config.yaml call these parts.
.PHONY: lint-code lint-templates lint-types lint-imports lint-migrations
lint-code: $(DEV)
	$(PY) -m ruff check .

lint-templates: $(DEV)
	$(PY) -m djlint --quiet --check templates
	$(PY) -m djlint --quiet --lint templates

lint-types: $(DEV)
	$(PY) -m mypy

lint-imports: $(DEV)
	.venv/bin/lint-imports

lint-migrations: $(DEV)
	$(PY) manage.py makemigrations --check --dry-run

# No part of `make test`: it needs PyPI's service, or the one that AUDIT names ("-s osv"). It fails unless the service knows
# every package.
audit: $(DEV)
	@mkdir -p var
	@$(PY) -m pip_audit --strict --disable-pip --progress-spinner off -r requirements-dev.txt $(AUDIT) 2>var/audit.log; \
	status=$$?; tail -n 1 var/audit.log; \
	if [ $$status != 0 ] && ! grep -q "^Found .* known vulnerabilit" var/audit.log; then \
		echo "NOT AUDITED: no service answered about every package (var/audit.log). Whether they are safe is unknown."; fi; \
	exit $$status

clauses: $(DEV) browser slow-programs
	$(PY) -m pytest -n 3 -q --write-conformance --ignore tests/conformance

.PHONY: messages
messages: $(DEV)
	@$(PY) -m translating

# Debian's Chromium without windows, and what the recipes in templates/help/recipes.md need, which nearly every machine has.
programs:
	@missing=; for program in chromium-headless-shell curl openssl; do \
		command -v $$program >/dev/null || missing="$$missing $$program"; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi
	@command -v curl >/dev/null && command -v openssl >/dev/null || echo "Some tests need curl and openssl: install them."

# What slow tests need besides. An installed nginx would serve port 80 of this machine, so it is only unpacked.
slow-programs: programs | .venv/bin/python
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		PATH="$$PATH:/usr/sbin:.venv/nginx/usr/sbin"; has() { command -v $$1 >/dev/null; }; \
		missing=; has systemd-analyze || missing=systemd; has soffice || missing="$$missing libreoffice-calc"; \
		has npm || missing="$$missing npm"; \
		has nginx && [ -z "$$missing" ] || apt-get update -qq; \
		[ -z "$$missing" ] || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
		has nginx || (cd .venv && apt-get download -qq -o APT::Sandbox::User=root nginx && dpkg-deb --extract nginx_*.deb nginx && rm nginx_*.deb); fi

loaded: $(DEV) programs

# Playwright's own Chromium where we may not install Debian's.
browser: $(DEV) programs
	@command -v chromium-headless-shell >/dev/null || $(PY) -m playwright install chromium

.venv/bin/python:
	@$(PYTHON) -c 'import sys; v = ".".join(map(str, sys.version_info[:3])); \
		sys.version_info >= (3, 11) or sys.exit("doiportal needs Python 3.11 or newer, and this is " + v + ". Name a newer one: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv

# A stamp is older than its lock file when the pinned versions have changed; otherwise nothing is done.
$(RUN): requirements.txt | .venv/bin/python
	$(INSTALL) -r requirements.txt
	@touch $@

# What mutmut needs besides its operators renames the processes that the tests look for, and is left out.
$(DEV): requirements-dev.txt requirements-mutants.txt $(RUN) | .venv/bin/python
	$(INSTALL) -r requirements-dev.txt
	$(INSTALL) --no-deps -r requirements-mutants.txt
	@touch $@

# With these files the portal has the page /read. They are fetched by npm, or TARBALL=FILE names a copy of the package.
reading-files:
	@TARBALL="$(TARBALL)" $(PYTHON) deploy/reading_files.py

SITE ?= var/reading-site
reading-site: $(RUN)
	@test -f static/reading/pyodide.mjs || $(MAKE) --no-print-directory reading-files
	@$(PY) manage.py writereadingsite "$(SITE)"

wheel: .venv/bin/python
	@rm -f dist/doiportal-*.whl dist/doi_reading-*.whl
	@$(PY) -m pip wheel --quiet --no-deps --wheel-dir dist . ./doi_reading
	@ls dist/doiportal-*.whl dist/doi_reading-*.whl

# Neither file may name the place that the packages came from.
COMPILE := .venv/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links
lock: $(DEV)
	$(COMPILE) --upgrade -o requirements.txt requirements.in
	$(COMPILE) --upgrade -o requirements-dev.txt requirements-dev.in
