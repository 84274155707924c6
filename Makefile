# make            builds the engine as ./gannet          (EXE=name for another name, EVALFILE=path for another network,
#                 TUNE=1 to list the switches and numbers of the search as UCI options)
# make portable   builds ./gannet-portable, which runs on any x86-64 processor since 2009
# make release    archives of this version for other people's machines, with checksums, in dist
# make test       runs every test
# make python-test  lets python-chess drive the engine, if a Python with it is there
# make browser-test  does with the board and with reports what people do, if a Chromium is there
# make reliability  tries everything that breaks engines, for hours, and writes docs/reliability.md; can be resumed. Part of it are
#                 make python-chess, make sanitize and make fuzz
# make bench      prints the node count that names this version of the search
# make check-bench  compares it with the newest "Bench: N" line of the history
# make check-commits  looks for "Bench: N" in the last line of every commit
# make check-arm  builds for 64-bit ARM and runs tests and bench emulated, if the tools are there
# make check-offline  builds without crates from outside and compares the bench
# make fuzz       runs every fuzz target for FUZZ_SECONDS each (needs a nightly toolchain and cargo-fuzz)
# make sanitize   is make asan, make tsan and make miri: sanitizers and Miri (needs a nightly toolchain with rust-src and miri)
EXE ?= gannet

# Where cargo puts what it builds.
TARGET = $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)

.PHONY: all portable release test reliability reliability-short statistics-test python-test browser-test python-chess bench check-bench check-commits check-arm \
	check-offline fuzz asan tsan miri sanitize clean

# The network to embed, if it is not that of the repository. Where none is named the variable must not be there at all: cargo takes
# an empty one for a change, and would compile again what `cargo run --release` has compiled.
NETWORK = $(if $(EVALFILE),EVALFILE="$(abspath $(EVALFILE))",env -u EVALFILE)

# TUNE=1 lists every switch and number of the search as a UCI option. A branch to be tuned by a test farm, which calls make without
# it, sets it here.
TUNE ?=
FEATURES = $(if $(filter-out 0 false,$(TUNE)),--features tune)

# Where the crates of Cargo.lock cannot be had, the engine is built without them. A build that fails for another reason, which is
# one where they can be had, has failed.
all:
	@if $(NETWORK) cargo build --release --package gannet $(FEATURES); then cp $(TARGET)/release/gannet $(EXE); \
	elif CARGO_NET_RETRY=0 cargo fetch --locked --quiet 2>/dev/null; then exit 1; \
	else echo "make: the crates of Cargo.lock cannot be had here, so the engine is built without them:"; \
		echo "make: no endgame tables (SyzygyPath), no commands analyse, board, params, perft and tables; UCI and bench are the same"; \
		$(NETWORK) cargo build --release --offline --manifest-path offline/Cargo.toml --package gannet $(FEATURES) \
			--target-dir $(TARGET)/offline && \
		cp $(TARGET)/offline/release/gannet $(EXE); \
	fi

# Vector arithmetic is chosen when the program starts; the rest is compiled for SSE4.2 and popcnt. A folder of its own keeps cargo
# from compiling everything again with every change between the two.
portable:
	$(NETWORK) RUSTFLAGS="-C target-cpu=x86-64-v2" \
		cargo build --release --package gannet $(FEATURES) --target-dir $(TARGET)/portable
	cp $(TARGET)/portable/release/gannet $(EXE)-portable

release:
	env -u EVALFILE .ci/release

# Optimised code with every assertion on: the property tests make and check many millions of moves.
test:
	cargo test --workspace --profile checked
	@$(MAKE) --no-print-directory reliability-short statistics-test python-test browser-test

# Where endgame tables are, for what needs them.
SYZYGY ?= $(wildcard data/syzygy)
export SYZYGY

# What else make reliability runs; TOOLS= leaves it out.
TOOLS ?= asan tsan miri fuzz

# RELIABILITY="--percent 10" tries a tenth of everything, RELIABILITY="--only exits" one thing only. Whatever a part finds, the
# others follow and the report is written; then it fails.
reliability:
	cargo build --release --package gannet --package gannet-lab
	@status=0; ($(call drive,$(TARGET)/release/gannet docs/reliability.tsv)) || status=1; \
	for tool in $(TOOLS); do .ci/tools $$tool || status=1; done; \
	$(TARGET)/release/gannet-lab reliability --engine $(TARGET)/release/gannet \
		--results data/reliability --report docs/reliability.md --tools docs/reliability.tsv \
		--fixed docs/reliability-fixed.tsv $(SYZYGY:%=--syzygy %) $(RELIABILITY) || status=$$?; \
	exit $$status

reliability-short:
	cargo build --profile checked --package gannet --package gannet-lab
	$(TARGET)/checked/gannet-lab reliability --short --engine $(TARGET)/checked/gannet $(SYZYGY:%=--syzygy %)

# Lets python-chess drive an engine, and leave a line in a table if one is named after it.
drive = $(call python_chess,drive.py $(1))
# Lets it read the games that an engine has annotated.
annotated = $(call python_chess,annotated.py $(1))
define python_chess
for python in $(PYTHON) python3 /usr/bin/python3; do \
		if $$python -c "import chess.engine" 2>/dev/null; then exec $$python tests/python/$(1); fi; \
	done; echo "python-chess test: SKIPPED, no Python here can import chess (pip install chess)"
endef

# What the tests of the laboratory's statistics expect, computed in another way.
statistics-test:
	@if command -v python3 >/dev/null; then python3 tests/python/statistics.py; else echo "statistics test: SKIPPED, no python3 here"; fi

python-test:
	@cargo build --profile checked --package gannet
	@$(call drive,$(TARGET)/checked/gannet)
	@$(call annotated,$(TARGET)/checked/gannet)

# PICTURES=folder leaves a picture of the page after every walk there.
browser-test:
	@cargo build --profile checked --package gannet
	@if command -v python3 >/dev/null; then python3 tests/python/board_page.py $(TARGET)/checked/gannet && \
		python3 tests/python/report_page.py $(TARGET)/checked/gannet; \
	else echo "tests of pages: SKIPPED, no python3 here"; fi

# The same with the release build; what came of it goes into docs/reliability.tsv.
python-chess:
	@cargo build --release --package gannet
	@$(call drive,$(TARGET)/release/gannet docs/reliability.tsv)

bench: all
	./$(EXE) bench

check-offline:
	@CARGO_HOME=$(abspath $(TARGET))/no-crates CARGO_NET_OFFLINE=true $(MAKE) --no-print-directory check-bench EXE=$(TARGET)/gannet-offline

check-bench: all
	@expected=$$(git log --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$$/\1/p' | head -n 1); \
	found=$$($(if $(findstring /,$(EXE)),,./)$(EXE) bench | sed -n 's/^\([0-9][0-9]*\) nodes .*/\1/p'); \
	if [ -z "$$expected" ]; then echo "no Bench line in the history; bench is $$found"; \
	elif [ "$$expected" = "$$found" ]; then echo "bench is $$found, as the history says"; \
	else echo "bench is $$found, but the history says $$expected"; exit 1; fi

check-commits:
	@.ci/check-commits

check-arm:
	.ci/check-arm

# What is found goes into docs/reliability.tsv, and from there into docs/reliability.md with the next make reliability.
fuzz asan tsan miri:
	.ci/tools $@

sanitize: asan tsan miri

clean:
	cargo clean
	rm -f $(EXE) $(EXE)-portable
