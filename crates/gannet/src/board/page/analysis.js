// What a search has found: the bar beside the board, the numbers, and the lines, which unfold and can be clicked.

import { numbered } from "./memory.js";

const find = (id) => document.getElementById(id);
const element = (name, className, text = "") => Object.assign(document.createElement(name), { className, textContent: text });

/** White's share of a game that has ended, in per cent. */
const SHARES = { "1-0": 100, "0-1": 0, "1/2-1/2": 50 };

function short(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e3 ? `${Math.round(number / 1e3)} k` : String(number);
}

export class Analysis {
  /** `onPreview(step)` is to show the position after a move of a line, or the game again where there is none; `onKeep(steps)` is
   * to put a line into the game. */
  constructor(onPreview, onKeep) {
    this.onPreview = onPreview;
    this.onKeep = onKeep;
    /** The lines that are unfolded, by their place. */
    this.open = new Set();
    /** What is shown of a line on the board: that line, and how far. */
    this.preview = null;
    this.lines = [];
    /** Whether a button is being pressed, which must be there still when it is let go. */
    this.held = false;
    find("variations").addEventListener("pointerdown", () => (this.held = true));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => (this.held = false)));
  }

  /** Shows what a search of a node has found; null clears it. */
  show(node, progress, on) {
    const best = progress?.lines[0];
    find("bar").classList.toggle("off", !on);
    const expected = best ? (best.chances[0] + best.chances[1] / 2) / 10 : (SHARES[node.end?.result] ?? null);
    if (expected !== null) {
      const percent = Math.round(expected);
      find("white-share").style.height = `${percent}%`;
      find("bar").setAttribute("aria-valuenow", percent);
    }
    find("bar-score").textContent = best?.score ?? "";
    find("bar-score").classList.toggle("black", best !== undefined && expected < 50);
    find("expected").textContent = best ? `White expects ${Math.round(expected)} %` : "";
    find("numbers").textContent = progress?.depth
      ? `depth ${progress.depth}/${progress.seldepth} · ${short(progress.nodes)} nodes · ${short(progress.nps)}/s`
      : "";
    // Whoever looks at a line does not have it pulled away.
    if ((this.preview || this.held) && progress) return;
    this.preview = null;
    this.node = node;
    this.lines = progress?.lines ?? [];
    this.#list();
  }

  /** Goes along the line that is shown on the board; false if there is none. */
  step(count) {
    if (!this.preview) return false;
    const index = this.preview.index + count;
    if (index < 0) this.close();
    else this.#show(this.preview.line, Math.min(index, this.lines[this.preview.line].moves.length - 1));
    return true;
  }

  /** Shows the game again; false if it is shown already. */
  close() {
    if (!this.preview) return false;
    this.preview = null;
    this.onPreview(null);
    this.#list();
    return true;
  }

  #show(line, index) {
    this.preview = { line, index };
    this.open.add(line);
    this.onPreview(this.lines[line].moves[index]);
    this.#list();
  }

  /** Lists the lines. Where a button had the focus, the one in its place has it again. */
  #list() {
    const focused = document.activeElement?.dataset.key;
    find("variations").replaceChildren(...this.lines.map((line, index) => this.#line(line, index)));
    if (focused) find("variations").querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
  }

  #line(line, index) {
    const open = this.open.has(index);
    const item = element("li", open ? "open" : "");
    const button = (key, text, label, action) => {
      const made = element("button", "", text);
      made.type = "button";
      made.dataset.key = `${index} ${key}`;
      if (label) made.setAttribute("aria-label", label);
      made.addEventListener("click", action);
      return made;
    };
    const fold = button("fold", open ? "▾" : "▸", open ? "Show less of the line" : "Show the whole line", () => {
      if (!this.open.delete(index)) this.open.add(index);
      this.#list();
    });
    fold.setAttribute("aria-expanded", open);
    const score = element("b", line.chances[0] + line.chances[1] / 2 < 500 ? "black" : "", line.score);
    const texts = numbered(line.moves.map((move) => move.san), this.node.fen);
    const moves = texts.map((text, place) => {
      const made = button(place, text, "", () => this.#show(index, place));
      // The keyboard gets to the first move, and along the line with the arrow keys.
      if (place > 0) made.tabIndex = -1;
      if (this.preview?.line === index && this.preview.index === place) made.setAttribute("aria-current", "step");
      return made;
    });
    item.append(fold, score, ...moves);
    if (open) item.append(button("keep", "Keep", "Put this line into the game", () => this.onKeep(line.moves)));
    item.title = `White wins ${line.chances[0] / 10} %, draws ${line.chances[1] / 10} %, loses ${line.chances[2] / 10} %`;
    return item;
  }
}
