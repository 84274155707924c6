// The clocks of a game against Gannet. What a clock showed after a move stands in the game, as [%clk 0:04:58.3], so a game that
// was kept has its clocks, and moves that are taken back give their time back.

const MARK = /\[%clk (\d+):(\d\d):(\d\d(?:\.\d+)?)\]/;

/** A time control as PGN has it, "300+3": milliseconds, or null if there is none. */
export function readControl(text) {
  const match = /^(\d+)\+(\d+)$/.exec(text);
  return match ? { base: Number(match[1]) * 1000, increment: Number(match[2]) * 1000 } : null;
}

/** What a clock shows: minutes and seconds, with tenths at the end. */
export function shown(milliseconds) {
  const tenths = Math.max(0, Math.ceil(milliseconds / 100));
  const [minutes, seconds] = [Math.floor(tenths / 600), (tenths % 600) / 10];
  const text = tenths < 200 ? seconds.toFixed(1) : String(Math.ceil(seconds));
  // What is rounded up to a minute is one.
  if (text === "60") return `${minutes + 1}:00`;
  return `${minutes}:${text.padStart(tenths < 200 ? 4 : 2, "0")}`;
}

function written(milliseconds) {
  const tenths = Math.max(0, Math.round(milliseconds / 100));
  const part = (unit, base) => String(Math.floor(tenths / unit) % base).padStart(2, "0");
  return `[%clk ${Math.floor(tenths / 36000)}:${part(600, 60)}:${part(10, 60)}.${tenths % 10}]`;
}

export class Clocks {
  constructor() {
    this.control = null;
    /** When the clock that runs was started. */
    this.since = Date.now();
  }

  /** Starts the clock of whoever is to move. */
  start(since = Date.now()) {
    this.since = since;
  }

  /** Whether a clock runs: from the first answer on, so that nobody loses time before the game begins. */
  runs(tree) {
    return this.control !== null && tree.root.children.length > 0 && tree.outcome === "*";
  }

  /** What the clock of a side showed after its last move before a position, which is when it was started. */
  before(end, color) {
    for (let node = end; node.parent; node = node.parent) {
      const match = node.parent.turn === color && node.comments.map((text) => MARK.exec(text)).find(Boolean);
      if (match) return ((Number(match[1]) * 60 + Number(match[2])) * 60 + Number(match[3])) * 1000;
    }
    return this.control.base;
  }

  /** What a side has left now, in milliseconds; in an earlier position of the game, what it had there. */
  left(tree, color, node = tree.end) {
    const before = this.before(node, color);
    return this.runs(tree) && node === tree.end && node.turn === color ? before - (Date.now() - this.since) : before;
  }

  /** Stops the clock of whoever has just made this move, given what was left then, and starts the other one. */
  press(node, left) {
    if (!this.control) return;
    node.comments.unshift(written(left + this.control.increment));
    this.start();
  }
}
