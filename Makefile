# The commands of this project. CMake builds the native side (CMakePresets.json), Maven the JVM side
# (spark/pom.xml); this file only puts them in order.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

JARS := dist/gluecat-spark-4.1_2.13.jar dist/gluecat-spark-3.5_2.12.jar
SPARK_SOURCES := $(shell find spark -type f -not -path '*/target/*' 2>/dev/null)
RELEASE := build/release
# Those beside the one that spark/spark-4.1_2.13/pom.xml builds against.
DELTA_VERSIONS := $(patsubst requirements/delta-%/pom.xml,%,$(wildcard requirements/delta-*/pom.xml))
# `make test-e2e PYTEST="-k views"` runs some of them.
PYTEST ?=
# `make lint FILES=core/base/json.cc` looks at some of them.
FILES ?=
CXX_DIRS := core store connect server transfer cli abi jni

.PHONY: help
help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: prerequisites
prerequisites: ## install what is missing on this machine (Debian 12)
	scripts/install-prerequisites

.PHONY: native
native: ## the command and the library, optimised, into build/release (not their tests)
	@cmake --preset release >$(RELEASE).log 2>&1 || { cat $(RELEASE).log; exit 1; }
	cmake --build --preset release --target gluecat_so gluecat_command

# What compiles installs first what it lacks; that takes no time when nothing is missing.
native test-native test-thread fuzz lint format: | build prerequisites
build:
	@mkdir -p build

.PHONY: dist
dist: dist/gluecat $(JARS) ## dist/gluecat (the command) and one jar per Spark version

# Ninja knows whether these are up to date; make then looks at what it left.
$(RELEASE)/bin/gluecat $(RELEASE)/lib/libgluecat.so &: native
	@:

dist/gluecat: $(RELEASE)/bin/gluecat
	@mkdir -p dist
	cp --remove-destination $< $@

$(JARS) &: $(RELEASE)/lib/libgluecat.so $(SPARK_SOURCES) scripts/pack-jar
	@mkdir -p dist
	mvn -q -B -f spark/pom.xml package -Dgluecat.native.dir=$(CURDIR)/$(RELEASE)/lib </dev/null
	for jar in $(notdir $(JARS)); do \
	  name=$${jar%.jar}; scripts/pack-jar spark/$${name#gluecat-}/target/$$jar dist/$$jar; \
	done

.PHONY: test
test: ## everything that CI runs
	$(MAKE) --no-print-directory test-native
	$(MAKE) --no-print-directory dist
	$(MAKE) --no-print-directory test-server
	$(MAKE) --no-print-directory test-e2e
	@echo "make test: all parts passed (native under sanitizers, layering, dist, server, end to end on Spark 4.1 and 3.5)"

.PHONY: test-native
test-native: ## the C++ tests under AddressSanitizer and UBSan, and the layering check
	@cmake --preset sanitize >build/sanitize.log 2>&1 || { cat build/sanitize.log; exit 1; }
	cmake --build --preset sanitize
	ctest --preset sanitize -j 2

.PHONY: test-thread
test-thread: ## the C++ tests under ThreadSanitizer
	@cmake --preset thread >build/thread.log 2>&1 || { cat build/thread.log; exit 1; }
	cmake --build --preset thread
	ctest --preset thread -j 2

.PHONY: test-server
test-server: dist ## the server, through boto3
	scripts/test-server $(PYTEST)

.PHONY: test-clients
test-clients: dist ## other people's clients and their own tests against the server (not in `make test`)
	scripts/test-clients $(PYTEST)

.PHONY: test-iceberg-client
test-iceberg-client: dist ## Iceberg's own Glue catalog in Spark against the server (not in `make test`)
	scripts/test-iceberg-client $(PYTEST)

.PHONY: test-trino
test-trino: dist ## a real Trino reads and writes what Spark wrote, over the server (not in `make test`)
	scripts/test-trino $(PYTEST)

.PHONY: test-e2e test-e2e-4.1 test-e2e-3.5
# Side by side: each waits more for its JVM to start and its files than it computes.
test-e2e: dist ## SQL against real Spark distributions
	@scripts/test-e2e 3.5 $(PYTEST) >build/test-e2e-3.5.log 2>&1 & other=$$!; \
	status=0; \
	scripts/test-e2e 4.1 $(PYTEST) || status=$$?; \
	wait $$other || status=$$?; \
	cat build/test-e2e-3.5.log; \
	exit $$status

test-e2e-4.1: dist ## ... Spark 4.1 only
	scripts/test-e2e 4.1 $(PYTEST)

test-e2e-3.5: dist ## ... Spark 3.5 only
	scripts/test-e2e 3.5 $(PYTEST)

.PHONY: test-delta-versions
test-delta-versions: dist ## the Delta tests with the other Delta releases for Spark 4.1 (not in `make test`)
	for version in $(DELTA_VERSIONS); do \
	  GLUECAT_DELTA=$$version scripts/test-e2e 4.1 -k delta $(PYTEST); \
	done

.PHONY: bench
bench: dist ## measure, and compare with the limits
	bench/run

.PHONY: bench-server
bench-server: dist ## measure the server next to moto's and ministack
	bench/run-server

.PHONY: demo
demo: dist ## a tour on this machine, without an account
	demo/run

.PHONY: fuzz
fuzz: ## build the fuzz targets and run each for a minute
	@cmake --preset fuzz >build/fuzz.log 2>&1 || { cat build/fuzz.log; exit 1; }
	cmake --build --preset fuzz
	for target in build/fuzz/bin/*_fuzz; do \
	  mkdir -p build/fuzz/corpus/$${target##*/}; \
	  $$target -max_total_time=60 -print_final_stats=1 build/fuzz/corpus/$${target##*/} \
	    $$(ls -d tests/fuzz/corpus/$${target##*/} 2>/dev/null); \
	done

.PHONY: lint
lint: ## formatting, clang-tidy, shellcheck
	scripts/lint $(FILES)

.PHONY: format
format: ## format C++ and Scala in place
	git ls-files -z --cached --others --exclude-standard -- $(CXX_DIRS:%='%/*.h') $(CXX_DIRS:%='%/*.cc') | xargs -0 -r clang-format-19 -i
	scripts/scalafmt/run

.PHONY: clean
clean: ## remove what the build made here (not the caches in ~/.cache/gluecat)
	rm -rf build dist spark/target spark/*/target
