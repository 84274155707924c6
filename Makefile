# make            builds the engine as ./gannet          (EXE=name for another name)
# make test       runs every test
# make bench      prints the node count that names this version of the search
EXE ?= gannet

.PHONY: all test bench clean

all:
	cargo build --release --package gannet
	cp target/release/gannet $(EXE)

# Optimised code with every assertion on: the property tests make and check many millions of moves.
test:
	cargo test --workspace --profile checked

bench: all
	./$(EXE) bench

clean:
	cargo clean
	rm -f $(EXE)
