// A game as a tree: every move is a node that knows where it came from and how it can go on, the main line first. What the
// rules say of each position came with it from the server. Written out, a tree is PGN.

/** What the numeric annotation glyphs look like that have a look. */
const GLYPHS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−",
  19: "−+", 22: "⨀", 32: "⟳", 36: "↑", 40: "→", 44: "=∞", 132: "⇆", 138: "⊕", 140: "∆", 146: "N",
};

const STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** The longest line of a file, as the standard has it. */
const WIDTH = 79;

/** Marks as people write them. */
export const glyphs = (marks) => marks.map((mark) => GLYPHS[mark] ?? `$${mark}`).join(" ");

/** A comment without the commands of programs, such as [%clk 0:05:00]. */
export const readable = (comment) => comment.replace(/\[%[^\]]*\]/g, " ").replace(/\s+/g, " ").trim();

/** The arrows and circles that somebody drew, as comments have them: [%cal Ge2e4,Rd8d1] and [%csl Yf7]. */
const DRAWINGS = /\[%c[as]l ([^\]]*)\]/g;

/** A position and the move that led to it. */
class Node {
  constructor(parent, step) {
    const { uci = "", san = "", fen, check, legal, end, marks = [], comments = [] } = step;
    Object.assign(this, { parent, uci, san, fen, check, legal, end, marks, comments });
    /** Comments before this move, where a line begins with it. */
    this.opening = [];
    /** How it can go on, the main line first. */
    this.children = [];
  }

  /** Who is to move: "w" or "b". */
  get turn() {
    return this.fen.split(" ")[1];
  }

  /** What stands before the move: "30." or "30...". */
  get number() {
    const fields = this.parent.fen.split(" ");
    return `${fields[5]}${fields[1] === "w" ? "." : "..."}`;
  }

  /** The nodes from the start of the game to here, without the start. */
  get path() {
    const path = [];
    for (let node = this; node.parent; node = node.parent) path.unshift(node);
    return path;
  }

  /** The moves to here, as the server reads them. */
  get moves() {
    return this.path.map((node) => node.uci).join(" ");
  }

  /** The last position of the line that goes on from here. */
  get last() {
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** Own arrows and circles: a letter for the colour, a square, and for an arrow another. */
  get drawings() {
    const found = this.comments.flatMap((text) => [...text.matchAll(DRAWINGS)]);
    return found.flatMap((match) => match[1].split(",")).map((text) => text.trim()).filter((text) => /^[GRYB]([a-h][1-8]){1,2}$/.test(text));
  }

  set drawings(drawings) {
    const list = (name, length) => {
      const fitting = drawings.filter((text) => text.length === length);
      return fitting.length ? [`[%${name} ${fitting.join(",")}]`] : [];
    };
    const kept = this.comments.map((text) => text.replace(DRAWINGS, " ").replace(/\s+/g, " ").trim());
    this.comments = [...kept, [...list("csl", 3), ...list("cal", 5)].join(" ")].filter((text) => text !== "");
  }

  /** Whether this is the main line of the game. */
  get isMain() {
    return this.path.every((node) => node.parent.children[0] === node);
  }
}

export class Tree {
  /** From what the server says of a game. */
  constructor(game) {
    this.tags = game.tags;
    this.result = game.result;
    this.chess960 = game.chess960;
    this.root = new Node(null, game.root);
    this.#grow(this.root, { ...game.main, opening: [] });
    // Comments before the first move are about the position there, whichever move is tried.
    this.root.comments = game.main.opening;
  }

  #grow(parent, line) {
    let node = parent;
    line.plies.forEach((ply, index) => {
      const before = node;
      node = new Node(before, ply);
      if (index === 0) node.opening = line.opening;
      before.children.push(node);
      for (const variation of ply.variations) this.#grow(before, variation);
    });
  }

  /** The start as the server reads it: nothing for the usual position. */
  get start() {
    return this.root.fen === STANDARD ? "" : this.root.fen;
  }

  /** The last position of the game. */
  get end() {
    return this.root.last;
  }

  /** How it has ended: as its file says, or as it has on the board. */
  get outcome() {
    return this.result === "*" ? (this.end.end?.result ?? "*") : this.result;
  }

  tag(name) {
    return this.tags.find(([known]) => known === name)?.[1] ?? "";
  }

  setTag(name, value) {
    const tag = this.tags.find(([known]) => known === name);
    if (tag) tag[1] = value;
    else this.tags.push([name, value]);
  }

  /** Adds a move after a node, unless it is there already. */
  add(parent, step) {
    const known = parent.children.find((child) => child.uci === step.uci);
    if (known) return known;
    const node = new Node(parent, step);
    parent.children.push(node);
    return node;
  }

  /** Makes the line that leads to a node the main line. */
  promote(node) {
    for (const step of node.path) {
      const siblings = step.parent.children;
      siblings.splice(siblings.indexOf(step), 1);
      siblings.unshift(step);
    }
  }

  /** Takes a node away, and all that comes after it. */
  remove(node) {
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
  }

  /** Takes away what an earlier review wrote into the game, so that nothing stands there twice. */
  clearReview() {
    if (!this.tag("Annotator").startsWith("Gannet")) return;
    const isReview = (text) => /^(\[%eval [^\]]*\]|(White|Black): accuracy|Checkmate\.|Stalemate\.|Drawn: )/.test(text);
    for (let node = this.root; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      node.children = [main, ...others.filter((other) => !other.comments.some(isReview))];
      main.comments = main.comments.filter((text) => !isReview(text));
    }
  }

  /** Where a node stands, in a form that can be kept. */
  locate(node) {
    return node.path.map((step) => step.parent.children.indexOf(step)).join(" ");
  }

  /** The node at such a place, or the last before it that is there. */
  find(place) {
    let node = this.root;
    for (const index of place.match(/\d+/g) ?? []) node = node.children[Number(index)] ?? node;
    return node;
  }

  /** The game as PGN. */
  toPgn() {
    const tags = new Map([["Event", "?"], ["Site", "?"], ["Date", "????.??.??"], ["Round", "?"], ["White", "?"], ["Black", "?"],
      ["Result", this.outcome]]);
    for (const [name, value] of this.tags) if (name !== "Result") tags.set(name, value);
    if (this.chess960 && !tags.has("Variant")) tags.set("Variant", "Chess960");
    if (this.start) tags.set("SetUp", "1").set("FEN", this.start);
    const head = [...tags].map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`);
    const words = [...this.root.comments.flatMap(comment), ...this.#line(this.root, false), this.outcome];
    return `${head.join("\n")}\n\n${wrap(words)}\n`;
  }

  /** The words of all that goes on from a node; `numbered` is whether its move has just been written. */
  #line(from, numbered) {
    const words = [];
    for (let node = from; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      words.push(...this.#move(main, numbered));
      for (const other of others) {
        const inner = [...this.#move(other, false), ...this.#line(other, !other.comments.length)];
        inner[0] = `(${inner[0]}`;
        inner[inner.length - 1] += ")";
        words.push(...inner);
      }
      numbered = !others.length && !main.comments.length;
    }
    return words;
  }

  /** A move with all that is said of it; Black's has its number only where nothing else tells it. */
  #move(node, numbered) {
    const number = numbered && node.parent.turn === "b" ? [] : [node.number];
    return [...node.opening.flatMap(comment), ...number, node.san, ...node.marks.map((mark) => `$${mark}`),
      ...node.comments.flatMap(comment)];
  }
}

/** The words of a comment; commands of programs are not torn apart. */
function comment(text) {
  const words = text.replaceAll("}", ")").match(/(?:\[%[^\]]*\]|\S)+/g) ?? [];
  if (!words.length) return [];
  words[0] = `{${words[0]}`;
  words[words.length - 1] += "}";
  return words;
}

/** Words on lines that are not too long. What would be taken for a tag or hide a line does not begin one. */
function wrap(words) {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1);
    const fits = last.length + 1 + word.length <= WIDTH || /^(%|\[(?!%))/.test(word);
    if (last && !fits) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("\n");
}
