# Two commands matter: `make demo` shows Estrange at work on real code, `make test` checks everything.
# Both install what is missing first (see tools/setup). `make help` lists the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# rustup's programs are used even where a login shell has not put them in PATH.
export PATH := $(PATH):$(HOME)/.cargo/bin

ESTRANGE := $(or $(CARGO_TARGET_DIR),target)/release/estrange

# The sources whose numbers the README shows.
SOURCES := \
	deb:utf8proc deb:libonig deb:double-conversion deb:fmtlib deb:yaml-cpp deb:libsamplerate \
	deb:wolfssl deb:zlib deb:expat deb:tiff deb:libxml2 deb:curl \
	crate:libsqlite3-sys crate:onig_sys crate:zstd-sys crate:freetype-sys

# Three small ones, two in C and one in C++: a first result within minutes.
DEMO_SOURCES := deb:utf8proc deb:zlib deb:double-conversion
DEMO_SETTINGS := standard,neutralized,randomized,x86_64,wasm32
DEMO_BENCH := $(or $(CARGO_TARGET_DIR),target)/demo-bench
DEMO_RUNS := $(or $(CARGO_TARGET_DIR),target)/demo-runs
DEMO_REPORT := $(or $(CARGO_TARGET_DIR),target)/demo-report.html

.PHONY: help
help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

.PHONY: demo
demo: build ## set up, build, and run the main job on real code: a bench, a search with two models, a report
	$(ESTRANGE) build $(DEMO_SOURCES) --settings $(DEMO_SETTINGS) --trials 3 --out $(DEMO_BENCH)
	$(ESTRANGE) stats $(DEMO_BENCH) --table funnel --table classes --table variants --table lowered
	$(ESTRANGE) show $(DEMO_BENCH) utf8proc_codepoint_valid --setting neutralized
	$(ESTRANGE) queries $(DEMO_BENCH)
	$(ESTRANGE) search $(DEMO_BENCH) --model bm25 --out $(DEMO_RUNS)/bm25
	model=$$(tools/model all-MiniLM-L6-v2) && \
		$(ESTRANGE) search $(DEMO_BENCH) --model local:$$model --out $(DEMO_RUNS)/all-MiniLM-L6-v2
	$(ESTRANGE) report $(DEMO_RUNS)/bm25 $(DEMO_RUNS)/all-MiniLM-L6-v2 --out $(DEMO_REPORT)

# The integration tests that take seconds, and need no network, no package and no browser.
FAST_TESTS := cache corpora folder format_1 forms funnel garbage git local map pages parser reading records show stats stops \
	tools tree workers

.PHONY: check
check: ## the quick check while working: formatting, lints, unit tests and the fast integration tests; installs nothing
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo test --locked --workspace --lib --bins $(FAST_TESTS:%=--test %)

.PHONY: test
test: setup ## set up, then check formatting, lints, documentation and every test
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items
	cargo test --locked --workspace

.PHONY: sources
sources: build ## fetch and survey the sixteen sources of the README, and print its table
	$(ESTRANGE) sources --parse $(SOURCES)

.PHONY: bench
bench: build ## measure what docs/benchmarks.md shows; ARGS="minimality cost" for parts of it, ARGS=--help for more
	cargo bench --locked --package estrange --package estrange-build --bench bars -- \
		--estrange $(abspath $(ESTRANGE)) $(ARGS)

.PHONY: cves
cves: build ## make pairs of the security patches of some sixty Debian packages; ARGS=--no-seek collects them and runs nothing
	$(ESTRANGE) pairs $$(sed -n 's/^[a-z].*/deb:&/p' pairs/debian-packages.txt) --out $(or $(OUT),$(or $(CARGO_TARGET_DIR),target)/cves) $(ARGS)

.PHONY: peers
peers: setup ## compare values and cost with the packages that others use, which it installs (some 2.5 GB)
	cargo bench --locked --package estrange-stats --bench metrics
	cargo bench --locked --package estrange-model --bench bm25
	cargo bench --locked --package estrange-model --bench encode
	cargo bench --locked --package estrange-inference --bench generate

.PHONY: mteb
mteb: build ## score BENCH, the demo's unless named, in MTEB, which it installs (some 2 GB), and compare with our own scores
	tools/mteb $(ESTRANGE) $(or $(BENCH),$(DEMO_BENCH))

.PHONY: build
build: setup ## set up and build the release binary
	cargo build --locked --release --package estrange

.PHONY: setup
setup: ## install what is missing: Debian packages, rustfmt, clippy
	@tools/setup
