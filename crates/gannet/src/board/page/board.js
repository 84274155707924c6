// The board itself: draws a position, and turns clicks, drags and keys into moves. It knows no rules; it is told which
// moves there are.

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SVG = "http://www.w3.org/2000/svg";
/** A pointer that moves less than this many pixels clicks. */
const CLICK = 5;
/** Colours to draw with: by itself, with Shift, with Alt, with both. */
const PENS = "GRBY";

/** A drawing of a piece, given as its letter in a FEN. */
export function drawPiece(letter) {
  const svg = document.createElementNS(SVG, "svg");
  const kind = letter.toLowerCase();
  svg.setAttribute("class", `piece ${letter === kind ? "b" : "w"}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#piece-${kind}`);
  svg.append(use);
  return svg;
}

/** The pieces of a FEN, by square. */
export function readPieces(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else pieces.set("abcdefgh"[file++] + (8 - index), letter);
    }
  });
  return pieces;
}

export class Board {
  /** `onMove(from, to)` hears of every legal pair of squares that was chosen, `onDraw(color, from, to)` of arrows and circles
   * that somebody draws with the right button; a circle begins and ends on the same square. */
  constructor(element, onMove, onDraw) {
    this.element = element;
    this.onMove = onMove;
    this.onDraw = onDraw;
    this.pen = null;
    /** What hears of a square that is clicked before anybody else, and answers whether that was all. */
    this.onSquare = () => false;
    this.flipped = false;
    this.position = null;
    this.chosen = null;
    this.drag = null;
    this.squares = new Map();
    for (let index = 0; index < 64; index++) this.element.append(this.#makeSquare());
    const layer = (name) => {
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("class", `layer ${name}`);
      svg.setAttribute("viewBox", "0 0 8 8");
      svg.setAttribute("aria-hidden", "true");
      this.element.append(svg);
      return svg;
    };
    this.coordinates = layer("coordinates");
    this.hints = layer("hints");
    this.drawings = layer("drawings");
    this.orient(false);
    this.element.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    this.element.addEventListener("pointermove", (event) => this.#pointerMove(event));
    this.element.addEventListener("pointerup", (event) => this.#pointerUp(event));
    this.element.addEventListener("pointercancel", () => this.#endDrag());
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
    this.element.addEventListener("keydown", (event) => this.#keyDown(event));
  }

  #makeSquare() {
    const square = document.createElement("button");
    square.type = "button";
    // A click that a key made; those of pointers are seen to elsewhere.
    square.addEventListener("click", (event) => {
      const name = square.dataset.square;
      if (event.detail === 0 && !this.onSquare(name)) this.#choose(name);
    });
    return square;
  }

  /** Turns the board. */
  orient(flipped) {
    this.flipped = flipped;
    this.squares.clear();
    this.element.querySelectorAll("button").forEach((square, index) => {
      const place = flipped ? 63 - index : index;
      const [file, rank] = [place % 8, 8 - Math.floor(place / 8)];
      const name = "abcdefgh"[file] + rank;
      // The first square, a1, is dark.
      square.className = (file + rank) % 2 ? "square dark" : "square";
      square.dataset.square = name;
      square.tabIndex = index === 56 ? 0 : -1;
      this.squares.set(name, square);
    });
    const text = (letter, x, y) => {
      const element = document.createElementNS(SVG, "text");
      element.setAttribute("x", x);
      element.setAttribute("y", y);
      element.textContent = letter;
      return element;
    };
    const shown = (letters) => [...letters].map((letter, index) => [letter, flipped ? 7 - index : index]);
    const ranks = shown("87654321").map(([letter, place]) => text(letter, 0.04, place + 0.19));
    const files = shown("abcdefgh").map(([letter, place]) => text(letter, place + 0.85, 7.95));
    this.coordinates.replaceChildren(...ranks, ...files);
    if (this.position) this.show(this.position);
  }

  /** Shows a position: `fen`, `legal` moves that may be made here, the `last` move, the square of a `check`. */
  show(position) {
    const moved = this.position?.fen !== position.fen;
    this.position = position;
    if (moved) {
      this.#endDrag();
      this.chosen = null;
    }
    const pieces = readPieces(position.fen);
    for (const [name, square] of this.squares) {
      const letter = pieces.get(name) ?? "";
      if (square.dataset.piece !== letter) {
        square.replaceChildren(...(letter ? [drawPiece(letter)] : []));
        square.dataset.piece = letter;
      }
    }
    this.#mark();
  }

  /** Draws arrows for moves in coordinates, the best first and plainest. */
  point(moves) {
    this.hints.replaceChildren(...moves.map((move, index) => this.#arrow(move.slice(0, 2), move.slice(2, 4), `hint hint-${index}`)));
  }

  /** Draws what somebody drew: each a letter for the colour, a square, and for an arrow another. */
  draw(drawings) {
    this.drawings.replaceChildren(...drawings.map((text) => {
      const [color, from, to] = [text[0], text.slice(1, 3), text.slice(3, 5)];
      return to ? this.#arrow(from, to, `own-${color}`) : this.#circle(from, `own-${color}`);
    }));
  }

  /** The middle of a square, in squares. */
  #middle(name) {
    const [x, y] = ["abcdefgh".indexOf(name[0]) + 0.5, 8.5 - Number(name[1])];
    return this.flipped ? [8 - x, 8 - y] : [x, y];
  }

  #arrow(from, to, className) {
    const [[x1, y1], [x2, y2]] = [this.#middle(from), this.#middle(to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const path = document.createElementNS(SVG, "path");
    const neck = length - 0.4;
    path.setAttribute("class", className);
    path.setAttribute("d", `M.25-.09H${neck}V-.25L${length} 0L${neck} .25V.09H.25z`);
    path.setAttribute("transform", `translate(${x1} ${y1}) rotate(${(Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI})`);
    return path;
  }

  #circle(name, className) {
    const circle = document.createElementNS(SVG, "circle");
    const [x, y] = this.#middle(name);
    Object.entries({ cx: x, cy: y, r: 0.44, class: className }).forEach(([key, value]) => circle.setAttribute(key, value));
    return circle;
  }

  /** Where the piece on a square may go. */
  #targets(from) {
    return new Set(this.position.legal.filter((move) => move.startsWith(from)).map((move) => move.slice(2, 4)));
  }

  #mark() {
    const { last, check, legal } = this.position;
    const targets = this.chosen ? this.#targets(this.chosen) : new Set();
    const own = new Set(legal.map((move) => move.slice(0, 2)));
    for (const [name, square] of this.squares) {
      const letter = square.dataset.piece;
      square.classList.toggle("last", name === last.slice(0, 2) || name === last.slice(2, 4));
      square.classList.toggle("check", name === check);
      square.classList.toggle("chosen", name === this.chosen);
      square.classList.toggle("target", targets.has(name));
      square.classList.toggle("full", letter !== "");
      square.classList.toggle("own", own.has(name));
      const color = letter === letter.toLowerCase() ? "black" : "white";
      const words = [name, letter ? `${color} ${NAMES[letter.toLowerCase()]}` : "empty"];
      if (name === check) words.push("in check");
      if (name === this.chosen) words.push("chosen");
      if (targets.has(name)) words.push("can be reached");
      square.setAttribute("aria-label", words.join(", "));
    }
  }

  /** A square was clicked: goes there, takes up another piece, or lets go. */
  #choose(name) {
    if (!this.position) return;
    const from = this.chosen;
    if (from && this.#targets(from).has(name)) {
      this.chosen = null;
      this.#mark();
      this.onMove(from, name);
    } else {
      this.chosen = name !== from && this.#targets(name).size ? name : null;
      this.#mark();
    }
  }

  #squareAt(event) {
    const box = this.element.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 8);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.element.children[row * 8 + column].dataset.square;
  }

  #pointerDown(event) {
    if (event.button === 2) {
      this.pen = { color: PENS[Number(event.shiftKey) + 2 * Number(event.altKey)], from: this.#squareAt(event) };
      return;
    }
    if (event.button !== 0 || !event.isPrimary || !this.position) return;
    event.preventDefault();
    const name = this.#squareAt(event);
    if (!name) return;
    const square = this.squares.get(name);
    square.focus({ preventScroll: true, focusVisible: false });
    if (this.onSquare(name)) return;
    const again = this.chosen === name;
    const goes = this.chosen && this.#targets(this.chosen).has(name);
    if (goes || !this.#targets(name).size) return this.#choose(name);
    this.chosen = name;
    this.#mark();
    this.drag = { name, again, x: event.clientX, y: event.clientY, moving: false };
    this.element.setPointerCapture(event.pointerId);
  }

  #pointerMove(event) {
    if (!this.drag) return;
    const { name, x, y } = this.drag;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    if (!this.drag.moving && Math.hypot(dx, dy) < CLICK) return;
    const square = this.squares.get(name);
    const piece = square.querySelector(".piece");
    if (!this.drag.moving) {
      this.drag.moving = true;
      square.classList.add("lifting");
      piece.classList.add("dragged");
    }
    piece.style.transform = `translate(${dx}px, ${dy}px)`;
    const over = this.#squareAt(event);
    for (const [other, element] of this.squares) {
      element.classList.toggle("over", other === over && this.#targets(name).has(other));
    }
  }

  #pointerUp(event) {
    if (event.button === 2 && this.pen) {
      const { color, from } = this.pen;
      const to = this.#squareAt(event);
      this.pen = null;
      if (from && to) this.onDraw(color, from, to);
      return;
    }
    if (!this.drag) return;
    const { name, again, moving } = this.drag;
    const to = this.#squareAt(event);
    this.#endDrag();
    if (!moving) {
      // A second click on the same piece lets it go.
      if (again) this.#choose(name);
    } else if (to && this.#targets(name).has(to)) {
      this.chosen = null;
      this.#mark();
      this.onMove(name, to);
    }
  }

  #endDrag() {
    if (!this.drag) return;
    const square = this.squares.get(this.drag.name);
    square.classList.remove("lifting");
    const piece = square.querySelector(".piece");
    piece?.classList.remove("dragged");
    if (piece) piece.style.transform = "";
    for (const element of this.squares.values()) element.classList.remove("over");
    this.drag = null;
  }

  #keyDown(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };
    const step = steps[event.key];
    if (event.key === "Escape") {
      this.chosen = null;
      if (this.position) this.#mark();
    }
    if (!step) return;
    // These keys go through the game elsewhere.
    event.preventDefault();
    event.stopPropagation();
    const squares = [...this.element.querySelectorAll("button")];
    const index = squares.indexOf(document.activeElement);
    const next = index + step;
    const wraps = Math.abs(step) === 1 && Math.floor(next / 8) !== Math.floor(index / 8);
    if (index < 0 || wraps || !squares[next]) return;
    squares[index].tabIndex = -1;
    squares[next].tabIndex = 0;
    squares[next].focus();
  }
}
