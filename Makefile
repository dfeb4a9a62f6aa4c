# A thin front of cmake and ctest. `make help` lists what there is.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=
export JOBS CMAKE_FLAGS

RELEASE := build/release

.PHONY: all build test demo install format check check-full clean help

all: build

build:
	cmake --preset release $(CMAKE_FLAGS)
	cmake --build $(RELEASE) --parallel $(JOBS)

test:
	scripts/test

demo:
	scripts/demo

install: build
	cmake --install $(RELEASE) --prefix $(PREFIX)

format:
	scripts/format

check:
	.ci/run

check-full:
	.ci/run full

clean:
	rm -rf build

help:
	@echo 'make            build the library and the tool into $(RELEASE)'
	@echo 'make test       scripts/test: install what is missing, build, run the fast tests'
	@echo 'make demo       scripts/demo: install what is missing, build, show what the tool does'
	@echo 'make install    into PREFIX=$(PREFIX), below DESTDIR if set'
	@echo 'make format     clang-format every C file in place'
	@echo 'make check      everything that CI decides by (40 to 80 minutes on two cores)'
	@echo 'make check-full all there is: every machine, long tests, aarch64, GPU code (hours)'
	@echo 'make clean      remove build/'
	@echo 'JOBS=$(JOBS) and CMAKE_FLAGS can be set.'
