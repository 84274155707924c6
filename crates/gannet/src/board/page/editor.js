// The position editor: pieces are put on the board from a palette or moved about, and the server says whether the position is one.

import { Board, NAMES, drawPiece, readPieces } from "./board.js";

const find = (id) => document.getElementById(id);
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
/** Where king and rook have to be for each right to castle. */
const HOMES = { K: "Ke1 Rh1", Q: "Ke1 Ra1", k: "ke8 rh8", q: "ke8 ra8" };
const SQUARES = [..."87654321"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));

export class Editor {
  /** `onUse(fen)` is to show the position; it answers with the reason if it is none. */
  constructor(onUse) {
    this.board = new Board(find("editor-board"), (from, to) => this.#move(from, to), () => {});
    this.board.onSquare = (name) => this.#place(name);
    this.pieces = new Map();
    find("palette").append(...["", ..."KQRBNPkqrbnp", "x"].map((letter) => this.#tool(letter)));
    const click = (id, action) => find(id).addEventListener("click", action);
    click("editor-start", () => this.#read(START));
    click("editor-empty", () => this.#read(EMPTY));
    click("editor-flip", () => this.board.orient(!this.board.flipped));
    click("editor-use", async () => {
      const reason = await onUse(this.fen);
      find("editor-message").textContent = reason;
      if (!reason) find("editor").close();
    });
  }

  /** Begins with a position. */
  show(fen, flipped) {
    this.board.orient(flipped);
    this.#read(fen);
    find("editor").showModal();
  }

  /** The position as it stands; a right to castle needs king and rook at home. */
  get fen() {
    const rows = SQUARES.map((name) => this.pieces.get(name) ?? "1").join("").match(/.{8}/g);
    const rows8 = rows.map((row) => row.replace(/1+/g, (gap) => gap.length)).join("/");
    const isHome = (right) => HOMES[right].split(" ").every((home) => this.pieces.get(home.slice(1)) === home[0]);
    const rights = [..."KQkq"].filter((right) => find(`castle-${right}`).checked && isHome(right)).join("");
    return `${rows8} ${find("editor-turn").value} ${rights || "-"} - 0 1`;
  }

  #tool(letter) {
    const label = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "radio", name: "tool", value: letter, checked: letter === "" });
    const name = letter === "" ? "Move" : letter === "x" ? "Remove" : `${letter < "a" ? "White" : "Black"} ${NAMES[letter.toLowerCase()]}`;
    input.setAttribute("aria-label", name);
    label.title = name;
    label.append(input, NAMES[letter.toLowerCase()] ? drawPiece(letter) : name);
    return label;
  }

  #read(fen) {
    this.pieces = readPieces(fen);
    const [, turn, rights] = fen.split(" ");
    find("editor-turn").value = turn;
    for (const right of "KQkq") find(`castle-${right}`).checked = rights.includes(right);
    this.#draw();
  }

  #draw() {
    find("editor-message").textContent = "";
    // Every piece may go anywhere.
    const legal = [...this.pieces.keys()].flatMap((from) => SQUARES.filter((to) => to !== from).map((to) => from + to));
    this.board.show({ fen: this.fen, check: "", legal, last: "" });
  }

  #move(from, to) {
    this.pieces.set(to, this.pieces.get(from));
    this.pieces.delete(from);
    this.#draw();
  }

  /** Puts the piece that is chosen on a square, or takes it away if it is there; false if pieces are to be moved. */
  #place(name) {
    const tool = document.querySelector("[name=tool]:checked").value;
    if (tool === "") return false;
    if (tool === "x" || this.pieces.get(name) === tool) this.pieces.delete(name);
    else this.pieces.set(name, tool);
    this.#draw();
    return true;
  }
}
