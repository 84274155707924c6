#!/usr/bin/env python3
"""Measures the trainer: positions a second for several widths, on made-up records in the device's memory."""

import argparse
import time

import torch

import records as packed
import train


def main():
    """Trains some hundred steps for each width and prints a table."""
    parser = argparse.ArgumentParser(description="Measures how fast the trainer is.")
    parser.add_argument("--hidden", type=int, nargs="+", default=[64, 128, 256, 512])
    parser.add_argument("--kings", type=int, nargs="+", default=[1], choices=list(train.KING_MAPS))
    parser.add_argument("--records", type=int, default=20_000_000)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--profile", action="store_true", help="print where the time of the last measurement goes")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    device = torch.device(options.device)
    name = torch.cuda.get_device_name() if device.type == "cuda" else "CPU"
    print(f"PyTorch {torch.__version__}, {name}, {options.records} records, batch {options.batch}")
    records = packed.synthetic(options.records, device, seed=1)
    order = torch.randperm(len(records), device=device)
    dtype = torch.float16 if device.type == "cuda" else torch.float32
    print("kings  hidden  positions/s  ms/step  loss", flush=True)
    for kings in options.kings:
        for hidden in options.hidden:
            net = train.Net(hidden, 8, train.KING_MAPS[kings], dtype).to(device)
            trainer = train.Trainer(net, records, options.batch, 0.01, (0.4, 0.4), (1e-3, 1e-6))
            places = [step * options.batch % (len(order) - options.batch + 1) for step in range(options.steps + 10)]
            chosen = [order[at : at + options.batch] for at in places]
            trainer.warm_up([(part, 0.0) for part in chosen[:10]])
            train.synchronise(device)
            trainer.take_loss(10)
            began = time.monotonic()
            for step in range(options.steps):
                trainer.step(chosen[10 + step], step / options.steps)
            train.synchronise(device)
            seconds = (time.monotonic() - began) / options.steps
            print(f"{kings:5}  {hidden:6}  {options.batch / seconds:11.0f}  {seconds * 1e3:7.3f}  "
                  f"{trainer.take_loss(options.steps):.5f}", flush=True)
    if options.profile:
        with torch.profiler.profile() as profile:
            for part in chosen[:5]:
                trainer.learn()
            train.synchronise(device)
        by = "self_cuda_time_total" if device.type == "cuda" else "self_cpu_time_total"
        print(profile.key_averages().table(sort_by=by, row_limit=25, max_name_column_width=70))


if __name__ == "__main__":
    main()
