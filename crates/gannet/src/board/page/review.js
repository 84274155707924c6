// The review of a game: how far it is, the graph, the numbers, the mistakes one after the other, and another try at them.

const find = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
/** What a review says of a move, and the mark that stands in the game. */
const ERRORS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
/** Whoever finds a move that costs no more than this many per cent of a point has found a good one. */
const GOOD_ENOUGH = 4;

function draw(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

export class Review {
  /** `onChoose(node)` is to show a position. */
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** What was found, or null. */
    this.found = null;
    /** The nodes of the main line when it was reviewed. */
    this.nodes = [];
    find("graph").addEventListener("click", (event) => {
      const box = find("graph").getBoundingClientRect();
      const index = Math.round(((event.clientX - box.left) / box.width) * this.found.moves.length);
      this.onChoose(index ? this.nodes[index - 1] : this.tree.root);
    });
  }

  /** Takes what the server or the browser's store has of the review of this game; null if there is none. */
  show(tree, found) {
    this.tree = tree;
    this.found = found;
    this.nodes = found ? tree.end.path.slice(0, found.moves.length) : [];
    find("review").hidden = !found;
    if (!found) return;
    this.#draw();
    const row = (name, side) => [name, `${side.accuracy} %`, side.inaccuracies, side.mistakes, side.blunders];
    const rows = [row("White", found.white), row("Black", found.black)].map((cells) => {
      const line = document.createElement("tr");
      line.append(...cells.map((text, index) => Object.assign(document.createElement(index ? "td" : "th"), { textContent: text })));
      return line;
    });
    find("accuracy").replaceChildren(...rows);
  }

  /** Whether the game still has the moves that were reviewed. */
  fits(tree) {
    return !this.found || (tree === this.tree && this.nodes.every((node) => node.isMain && node.parent.children.includes(node)));
  }

  #draw() {
    const { moves } = this.found;
    const width = Math.max(moves.length, 1);
    const shares = [moves[0]?.best ?? 50, ...moves.map((move) => move.left)];
    const points = shares.map((share, index) => `${index} ${100 - share}`);
    const marks = moves.flatMap((move, index) => {
      if (!(move.verdict in ERRORS)) return [];
      const title = draw("title", {}, `${this.nodes[index].number} ${this.nodes[index].san}${ERRORS[move.verdict]}`);
      return [draw("ellipse", { cx: index + 1, cy: 100 - move.left, rx: width / 90, ry: 5, class: move.verdict }, title)];
    });
    find("graph").setAttribute("viewBox", `0 0 ${width} 100`);
    find("graph").replaceChildren(
      draw("path", { d: `M0 100L${points.join("L")}L${width} 100Z`, class: "share" }),
      draw("path", { d: `M0 50H${width}`, class: "middle" }),
      ...marks,
      draw("path", { d: "M0 0V100", class: "here" }),
    );
  }

  /** Marks where in the game a node is, and tells what was found about it. */
  mark(node) {
    if (!this.found) return;
    const index = this.nodes.indexOf(node);
    const place = node.parent ? index + 1 : 0;
    const here = find("graph").querySelector(".here");
    here.setAttribute("d", `M${place} 0V100`);
    here.classList.toggle("away", node.parent !== null && index < 0);
    const share = place ? this.found.moves[index]?.left : this.found.moves[0]?.best;
    find("graph").setAttribute("aria-valuenow", Math.round(share ?? 50));
    find("retry").hidden = !this.isError(node);
  }

  isError(node) {
    return this.found?.moves[this.nodes.indexOf(node)]?.verdict in ERRORS;
  }

  /** The next mistake after a position, or the last one before it; none if there is none. */
  next(node, step) {
    const main = node.path.filter((passed) => this.nodes.includes(passed)).length - 1;
    for (let index = main + step; index >= 0 && index < this.nodes.length; index += step) {
      if (this.isError(this.nodes[index])) return this.nodes[index];
    }
    return null;
  }

  /** What was found about a move. */
  of(node) {
    return this.found?.moves[this.nodes.indexOf(node)];
  }

  /** Whether a move after which White expects so much in per cent is as good as the best one in the place of this node. */
  isGood(node, share) {
    const white = node.parent.turn === "w";
    return (white ? this.of(node).best - share : share - this.of(node).best) <= GOOD_ENOUGH;
  }
}
