#!/usr/bin/env python3
"""Trains a network for Gannet from records of its own games, and writes it quantised.

    train.py --data games.bin32 --out nets/new --hidden 256

The recipe: the whole set lies in the device's memory as packed records; every epoch shuffles it anew; each step unpacks a
batch into rows of 0 and 1 and multiplies them with the weights. On a GPU one step is recorded once and replayed, so that
Python does next to nothing in the loop. docs/training.md explains the options and the files.
"""

import argparse
import datetime
import json
import math
import os
import sys
import time

import numpy
import torch

import chart
import network
import records as packed
from network import BIAS_LIMIT, FEATURE_LIMIT, OUTPUT_BIAS_LIMIT, OUTPUT_LIMIT, QA, QB, SCALE

# Gradients are kept this many times too large, so that half precision does not lose the small ones. The largest possible sum
# for a weight (2 views · 0.3 slope of the loss · 1.98 weight · 2 slope of SCReLU · this) stays below its maximum of 65504.
# Adam does not mind: it divides the factor out again, once its epsilon is made larger by as much.
GRADIENT_SCALE = 8192
SUPERBATCH = 100_000_000  # positions
VALIDATION_MAX = 1 << 20  # positions looked at after each epoch
REFERENCES = 100
REPORT_SECONDS = 10

# The bucket of the own king's square: files a to d, ranks 1 to 8. Other maps are given as 32 numbers.
KING_MAPS = {
    1: [0] * 32,
    2: [0] * 8 + [1] * 24,
    4: [0, 0, 1, 1] + [2] * 4 + [3] * 24,
    8: [0, 1, 2, 3] + [4, 4, 5, 5] + [6] * 8 + [7] * 16,
}


class Net(torch.nn.Module):
    """(768 · king buckets, mirrored → hidden) × 2 → SCReLU → output buckets → 1, in units of 400 centipawns."""

    def __init__(self, hidden, output_buckets, king_map, dtype):
        super().__init__()
        self.output_buckets, self.dtype = output_buckets, dtype
        self.king_buckets = max(king_map) + 1
        self.register_buffer("king_map", torch.tensor([king_map[square // 8 * 4 + min(square % 8, 7 - square % 8)]
                                                       for square in range(64)]))
        shared = torch.randn(768, hidden) * 0.05
        # What never occurs stays zero: own kings on the files e to h, pawns on the first and last rank.
        square = torch.arange(64)
        shared.view(12, 64, hidden)[5, square % 8 >= 4] = 0
        shared.view(12, 64, hidden)[0::6, (square < 8) | (square >= 56)] = 0
        self.shared = torch.nn.Parameter(shared)
        # With several king buckets each adds what is special about it to the shared weights; the file holds the sums.
        self.special = None
        if self.king_buckets > 1:
            self.special = torch.nn.Parameter(torch.zeros(self.king_buckets, 768, hidden))
        self.biases = torch.nn.Parameter(torch.zeros(hidden))
        self.outputs = torch.nn.Parameter(torch.randn(2, hidden, output_buckets) / math.sqrt(2 * hidden))
        self.output_biases = torch.nn.Parameter(torch.zeros(output_buckets))

    def features(self):
        """The feature weights, [king buckets * 768][hidden]."""
        if self.special is None:
            return self.shared
        return (self.special + self.shared).view(-1, self.shared.shape[1])

    def bucket(self, men):
        """The output bucket of positions with so many men."""
        return torch.div((men - 2) * self.output_buckets, 32, rounding_mode="floor").clamp(max=self.output_buckets - 1)

    def forward(self, batch):
        """The values of a batch of records for the side to move."""
        codes, men = packed.unpack(batch)
        rows = packed.inputs(codes, self.king_map, self.king_buckets, self.dtype)
        hidden = torch.addmm(self.biases.to(self.dtype), rows, self.features().to(self.dtype))
        hidden = hidden.clamp(0, 1).square().view(2, len(batch), -1)
        every = torch.bmm(hidden, self.outputs.to(self.dtype)).float().sum(0) + self.output_biases
        return every.gather(1, self.bucket(men).unsqueeze(1)).squeeze(1)

    @torch.no_grad()
    def clip(self):
        """Keeps the weights within what their quantised form can hold."""
        limit = FEATURE_LIMIT / QA
        if self.special is None:
            self.shared.clamp_(-limit, limit)
        else:
            self.special.copy_((self.special + self.shared).clamp_(-limit, limit) - self.shared)
        self.outputs.clamp_(-OUTPUT_LIMIT / QB, OUTPUT_LIMIT / QB)

    @torch.no_grad()
    def quantise(self):
        """The network of integers, and how many (feature, output) weights stand at their limits, and biases beyond theirs."""
        def whole(weights, unit, limit):
            rounded = (weights.double().cpu() * unit).round()
            return rounded.clamp(-limit, limit).numpy(), rounded.abs()

        features, sizes = whole(self.features(), QA, FEATURE_LIMIT)
        biases, bias_sizes = whole(self.biases, QA, BIAS_LIMIT)
        outputs, output_sizes = whole(self.outputs.permute(2, 0, 1).flatten(1), QB, OUTPUT_LIMIT)
        output_biases, _ = whole(self.output_biases, QA * QB, OUTPUT_BIAS_LIMIT)
        clipped = [int((sizes >= FEATURE_LIMIT).sum()), int((output_sizes >= OUTPUT_LIMIT).sum()),
                   int((bias_sizes > BIAS_LIMIT).sum())]
        whole_net = network.Network(
            king_map=self.king_map.cpu().numpy().astype(numpy.uint8), features=features.astype(numpy.int16),
            biases=biases.astype(numpy.int16), outputs=outputs.astype(numpy.int16),
            output_biases=output_biases.astype(numpy.int32), provenance="")
        return whole_net, clipped


def loss_of(values, batch, wdl):
    """The squared error of each value: (σ(value) − target)², the target between the game's result and the search's score."""
    score, result = packed.labels(batch)
    target = wdl * result + (1 - wdl) * torch.sigmoid(score / SCALE)
    return (torch.sigmoid(values) - target).square()


class Trainer:
    """A net, its optimiser, and one training step."""

    def __init__(self, net, records, batch, decay, wdl, rate):
        self.net, self.records, self.wdl_range, self.rate_range = net, records, wdl, rate
        self.device = records.device
        self.chosen = torch.zeros(batch, dtype=torch.int64, device=self.device)
        self.loss_sum = torch.zeros((), device=self.device)
        self.wdl = torch.zeros((), device=self.device)
        self.graph = None
        # A product may be split over the batch; its parts are then added in single precision.
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
        # A recorded step reads the rate from the device's memory, which older versions of PyTorch cannot.
        self.recordable = self.device.type == "cuda" and int(torch.__version__.split(".")[0]) >= 2
        self.rate = torch.tensor(rate[0], device=self.device) if self.recordable else rate[0]
        fast = {"fused": True, "capturable": True} if self.recordable else {}
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=self.rate, weight_decay=decay,
                                           eps=1e-8 * GRADIENT_SCALE, **fast)

    def step(self, chosen, progress):
        """One step with the records of these numbers; progress from 0 to 1 decides the learning rate and the WDL weight."""
        first, last = self.rate_range
        rate = last + (first - last) * 0.5 * (1 + math.cos(math.pi * progress))
        self.chosen.copy_(chosen)
        self.wdl.fill_(self.wdl_range[0] + (self.wdl_range[1] - self.wdl_range[0]) * progress)
        if self.recordable:
            self.rate.fill_(rate)
        else:
            self.optimiser.param_groups[0]["lr"] = rate
        if self.graph is not None:
            self.graph.replay()
        else:
            self.optimiser.zero_grad(set_to_none=True)
            self.learn()

    def learn(self):
        """Forward, backward, update: what is recorded."""
        batch = self.records[self.chosen]
        loss = loss_of(self.net(batch), batch, self.wdl).mean()
        (loss * GRADIENT_SCALE).backward()
        self.optimiser.step()
        self.net.clip()
        self.loss_sum += loss.detach()

    def warm_up(self, steps):
        """Takes the first steps (pairs of arguments for `step`) one by one, then records the step."""
        if not self.recordable:
            for chosen, progress in steps:
                self.step(chosen, progress)
            return
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for chosen, progress in steps:
                self.step(chosen, progress)
        torch.cuda.current_stream().wait_stream(aside)
        self.optimiser.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.learn()
        self.graph = graph

    def take_loss(self, steps):
        """The mean loss since the last call."""
        mean = float(self.loss_sum) / max(steps, 1)
        self.loss_sum.zero_()
        return mean


@torch.no_grad()
def validate(evaluate, records, batch, wdl):
    """The mean loss of `evaluate` over records."""
    total = 0.0
    for start in range(0, len(records), batch):
        part = records[start : start + batch]
        total += float(loss_of(evaluate(part), part, wdl).double().sum())
    return total / len(records)


@torch.no_grad()
def integer_evaluator(whole, net, device):
    """The quantised network as a function of records, exact: doubles hold these integers without rounding."""
    features = torch.from_numpy(whole.features.astype(numpy.float64)).to(device)
    biases = torch.from_numpy(whole.biases.astype(numpy.float64)).to(device)
    outputs = torch.from_numpy(whole.outputs.astype(numpy.float64)).to(device)
    output_biases = torch.from_numpy(whole.output_biases.astype(numpy.int64)).to(device)

    def value(batch):
        codes, men = packed.unpack(batch)
        rows = packed.inputs(codes, net.king_map, net.king_buckets, torch.float64)
        hidden = (rows @ features + biases).clamp(0, QA).square()
        every = torch.cat((hidden[: len(batch)], hidden[len(batch) :]), 1) @ outputs.T
        chosen = net.bucket(men)
        total = every.gather(1, chosen.unsqueeze(1)).squeeze(1).to(torch.int64)
        total = torch.div(total, QA, rounding_mode="trunc") + output_biases[chosen]
        return torch.div(total * SCALE, QA * QB, rounding_mode="trunc")

    return value


def train(trainer, validation, options, steps, log):
    """The loop over all steps. Returns a list of epochs: number, losses, speed."""
    count, batch = len(trainer.records), options.batch
    per_epoch = count // batch
    epochs, done = [], 0
    began = time.monotonic()
    while done < steps:
        order = torch.randperm(count, device=trainer.device)
        here = min(per_epoch, steps - done)
        calls = [(index * batch, (done + index) / steps) for index in range(here)]
        started = said = time.monotonic()
        if done == 0:
            trainer.warm_up([(order[at : at + batch], progress) for at, progress in calls[:3]])
            calls = calls[3:]
        for index, (at, progress) in enumerate(calls, here - len(calls) + 1):
            trainer.step(order[at : at + batch], progress)
            if index % 100 == 0 and time.monotonic() - said > REPORT_SECONDS:
                synchronise(trainer.device)
                said = time.monotonic()
                left = (said - began) / (done + index) * (steps - done - index)
                log(f"  {index / here:4.0%} of the epoch  {speed(index * batch / (said - started))}  {duration(left)} left")
        synchronise(trainer.device)
        seconds = time.monotonic() - started
        done += here
        loss = trainer.take_loss(here)
        held = validate(trainer.net, validation, batch, options.wdl[1])
        left = (time.monotonic() - began) / done * (steps - done)
        epochs.append({"epoch": len(epochs) + 1, "steps": done, "train": loss, "validation": held,
                       "positions_per_second": round(here * batch / seconds)})
        log(f"epoch {len(epochs):3}  train {loss:.6f}  validation {held:.6f}  "
            f"{speed(here * batch / seconds)}  {duration(left)} left")
        if not math.isfinite(loss):
            raise SystemExit("train.py: the loss is not a number any more; try a lower --lr")
    return epochs


def synchronise(device):
    """Waits for the device."""
    if device.type == "cuda":
        torch.cuda.synchronize()


def speed(rate):
    """Positions a second."""
    return f"{rate / 1e6:.2f} M positions/s" if rate >= 1e5 else f"{rate:.0f} positions/s"


def duration(seconds):
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def provenance(options, sources, counts, run):
    """What is written into the network file: how it was made."""
    lines = [f"Trained by Gannet's trainer on {run['date']}, PyTorch {torch.__version__.split('+')[0]}."]
    lines += [f"data: {name}, {count} records" for name, count in sources]
    lines += [f"split: {counts[0]} training, {counts[1]} validation records ({options.validation:g} of the games)",
              f"network: (768*{run['king_buckets']} mirrored -> {options.hidden})x2 -> SCReLU -> {options.output_buckets}"]
    lines += [f"{name}: {value}" for name, value in run["settings"].items()]
    lines += [f"loss: train {run['epochs'][-1]['train']:.6f}, validation {run['epochs'][-1]['validation']:.6f}, "
              f"quantised {run['quantised']:.6f} (before: {run['before_quantising']:.6f})"]
    return "\n".join(lines + options.note) + "\n"


def finish(trainer, validation, options, sources, epochs, log):
    """Quantises, checks what that cost, and writes the files."""
    net, device = trainer.net, trainer.device
    whole, clipped = net.quantise()
    value = integer_evaluator(whole, net, device)
    wdl = options.wdl[1]
    run = {
        "date": datetime.date.today().isoformat(),
        "device": torch.cuda.get_device_name() if device.type == "cuda" else "CPU",
        "king_buckets": net.king_buckets,
        "settings": {"batch": options.batch, "steps": epochs[-1]["steps"], "epochs": len(epochs), "seed": options.seed,
                     "wdl": f"{options.wdl[0]:g}:{options.wdl[1]:g}", "lr": f"{options.lr:g}:{options.final_lr:g}",
                     "decay": options.decay, "hidden": options.hidden, "output_buckets": options.output_buckets,
                     "kings": " ".join(map(str, options.kings)) if net.king_buckets > 1 else "1"},
        "data": [{"file": name, "records": count} for name, count in sources],
        "training_records": len(trainer.records), "validation_records": options.held,
        "epochs": epochs,
        "before_quantising": validate(net, validation, options.batch, wdl),
        "quantised": validate(lambda batch: value(batch) / SCALE, validation, options.batch, wdl),
        "weights_at_limit": {"features": clipped[0], "outputs": clipped[1], "biases": clipped[2]},
    }
    log(f"quantised: loss {run['quantised']:.6f}, before {run['before_quantising']:.6f}")
    for name, number in run["weights_at_limit"].items():
        if number:
            log(f"warning: {number} weights of the {name} stand at their limit; the network would like larger ones")
    whole.provenance = provenance(options, sources, (len(trainer.records), options.held), run)
    whole.write(options.out + ".gnet")
    references = validation[:REFERENCES]
    network.write_reference(whole, references.cpu().numpy(), options.out + ".reference.txt")
    if [int(number) for number in value(references)] != [whole.evaluate(one) for one in references.cpu().numpy()]:
        raise SystemExit("train.py: the two integer evaluations differ; this is a mistake in the trainer")
    with open(options.out + ".json", "w", encoding="utf-8") as file:
        json.dump(run, file, indent=2)
        file.write("\n")
    lines = [(name, [(epoch["epoch"], epoch[name]) for epoch in epochs]) for name in ("train", "validation")]
    if len(epochs) > 2:
        del lines[0][1][0]  # the first epoch begins with a net that knows nothing, and would flatten all the others
    with open(options.out + ".svg", "w", encoding="utf-8") as file:
        file.write(chart.svg(f"{os.path.basename(options.out)}: mean squared error", "epoch", lines))
    log(f"wrote {options.out}.gnet, .reference.txt, .json and .svg")
    return run


def arguments(words=None):
    """The command line."""
    def span(text):
        first, _, last = text.partition(":")
        try:
            span = float(first), float(last or first)
        except ValueError:
            span = (math.nan,)
        if not all(0 <= number <= 1 for number in span):
            raise argparse.ArgumentTypeError(f"'{text}': expected a weight from 0 to 1, or two as 0.2:0.4")
        return span

    def positive(text, zero=False):
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not (0 < number < math.inf or zero and number == 0):
            raise argparse.ArgumentTypeError(f"'{text}': expected a number {'from 0 on' if zero else 'above 0'}")
        return number

    def not_negative(text):
        return positive(text, zero=True)

    def device(text):
        try:
            torch.empty(0, device=text)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).partition("\n")[0]
            raise argparse.ArgumentTypeError(f"'{text}': expected cuda or cpu; PyTorch says: {reason}") from error
        return text

    def kings(text):
        try:
            numbers = [int(word) for word in text.replace(",", " ").split()]
        except ValueError:
            numbers = []
        if len(numbers) == 1 and numbers[0] in KING_MAPS:
            return KING_MAPS[numbers[0]]
        if len(numbers) == 32 and sorted(set(numbers)) == list(range(max(numbers) + 1)) and max(numbers) < 32:
            return numbers
        raise argparse.ArgumentTypeError(f"'{text}': expected one of {', '.join(map(str, KING_MAPS))}, or 32 bucket numbers "
                                         "from 0 without gaps for the squares a1 b1 c1 d1 a2 … d8")

    parser = argparse.ArgumentParser(description="Trains a network for Gannet from .bin32 records.")
    add = parser.add_argument
    add("--data", nargs="+", required=True, metavar="FILE", help="records, as 'gannet-lab data expand' writes them")
    add("--out", required=True, metavar="NAME", help="writes NAME.gnet, NAME.reference.txt, NAME.json and NAME.svg")
    add("--hidden", type=int, default=256, metavar="N", help="width of the hidden layer [256]")
    add("--output-buckets", type=int, default=8, metavar="N", help="output buckets, by the number of men [8]")
    add("--kings", type=kings, default=KING_MAPS[1], metavar="MAP", help="king buckets: 1, 2, 4, 8 or a map of 32 numbers [1]")
    add("--epochs", type=int, default=10, metavar="N", help="times every position is seen [10]")
    add("--superbatches", type=positive, metavar="N", help="instead of --epochs: length in units of 100 million positions")
    add("--wdl", type=span, default=(0.1, 0.1), metavar="W", help="weight of the result, or first:last [0.1]")
    add("--batch", type=int, default=16384, metavar="N", help="positions a step [16384]")
    add("--lr", type=positive, default=1e-3, metavar="R", help="learning rate at the start [0.001]")
    add("--final-lr", type=not_negative, default=1e-6, metavar="R", help="learning rate at the end of the cosine [0.000001]")
    add("--decay", type=not_negative, default=0.01, metavar="D", help="weight decay of AdamW [0.01]")
    add("--validation", type=float, default=0.01, metavar="S", help="share of the games held out [0.01]")
    add("--seed", type=int, default=1, metavar="N", help="of the initial weights, the split and the order [1]")
    add("--device", type=device, default="cuda" if torch.cuda.is_available() else "cpu", metavar="D", help="cuda or cpu")
    add("--note", action="append", default=[], metavar="TEXT", help="a line to add to the provenance")
    options = parser.parse_args(words)
    if options.hidden % 32 or not 32 <= options.hidden <= 4096:
        parser.error(f"--hidden {options.hidden}: expected a multiple of 32 from 32 to 4096")
    if not 1 <= options.output_buckets <= 32:
        parser.error(f"--output-buckets {options.output_buckets}: expected 1 to 32")
    if options.batch < 1 or options.epochs < 1 or not 0 < options.validation < 1:
        parser.error("--batch and --epochs must be at least 1, --validation between 0 and 1")
    options.out = options.out[: -len(".gnet")] if options.out.endswith(".gnet") else options.out
    folder = os.path.dirname(options.out) or "."
    if not -(2**63) <= options.seed < 2**63:
        parser.error(f"--seed {options.seed}: expected a number of 64 bits")
    if not os.access(folder, os.W_OK):
        parser.error(f"--out {options.out}: cannot write into the folder {folder}")
    return options


def run(options, log=print):
    """Everything: load, train, write. Returns what the JSON file holds."""
    torch.manual_seed(options.seed)
    device = torch.device(options.device)
    try:
        training, validation, sources = packed.load(options.data, device, options.validation, options.seed)
    except (OSError, packed.BadRecords) as error:
        raise SystemExit(f"train.py: {error}") from error
    options.held = len(validation)
    if len(training) < options.batch or not len(validation):
        raise SystemExit(f"train.py: {len(training)} records to train on and {len(validation)} to validate; expected at least "
                         f"a batch of {options.batch} and one held-out game (see --batch, --validation)")
    validation = validation[torch.randperm(len(validation), device=device)[:VALIDATION_MAX]]
    per_epoch = len(training) // options.batch
    steps = options.epochs * per_epoch
    if options.superbatches:
        steps = max(1, round(options.superbatches * SUPERBATCH / options.batch))
    dtype = torch.float16 if device.type == "cuda" else torch.float32
    net = Net(options.hidden, options.output_buckets, options.kings, dtype).to(device)
    log(f"{len(training)} records to train on, {options.held} to validate, {steps} steps of {options.batch}; "
        f"(768*{net.king_buckets} -> {options.hidden})x2 -> {options.output_buckets}")
    trainer = Trainer(net, training, options.batch, options.decay, options.wdl, (options.lr, options.final_lr))
    epochs = train(trainer, validation, options, steps, log)
    return finish(trainer, validation, options, sources, epochs, log)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    run(arguments())
