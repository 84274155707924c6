"use strict";
// Shows the games of the page: the board, the graph, the moves with their reasons, and diagrams of the critical moments.

const find = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const ERRORS = ["inaccuracy", "mistake", "blunder"];
const sources = [...document.querySelectorAll("script.game")];
const graphs = [...document.querySelectorAll("template.graph")];
/** The game that is shown, the ply after which it stands, and the line that is looked at instead, if any. */
const state = { game: null, ply: 0, line: null, flipped: false };

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Draws a position, given as the first field of a FEN, into a board. */
function draw(board, placement, last = []) {
  const pieces = placement.replace(/\d/g, (count) => " ".repeat(count)).split("/").join("");
  const squares = [...pieces].map((piece, index) => {
    const name = "abcdefgh"[index % 8] + (8 - Math.floor(index / 8));
    const square = make("div", { className: "square" });
    square.dataset.square = name;
    square.classList.toggle("dark", (index + Math.floor(index / 8)) % 2 === 1);
    square.classList.toggle("last", last.includes(name));
    if (piece !== " ") {
      square.dataset.piece = piece;
      const drawing = document.createElementNS(SVG, "svg");
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", `#piece-${piece.toLowerCase()}`);
      drawing.setAttribute("class", piece === piece.toLowerCase() ? "b" : "w");
      drawing.append(use);
      square.append(drawing);
    }
    return square;
  });
  board.replaceChildren(...(state.flipped ? squares.reverse() : squares));
}

const isError = (move) => ERRORS.includes(move.verdict);

/** A line whose moves can be looked at on the board. */
function lineOf(words, moves) {
  const buttons = moves.map((move, index) => {
    const button = make("button", { textContent: move.text });
    button.addEventListener("click", () => {
      state.line = { moves, index };
      show();
      document.querySelectorAll(".line button").forEach((other) => other.classList.toggle("here", other === button));
    });
    return button;
  });
  return make("p", { className: "line" }, `${words} `, ...buttons.flatMap((button) => [button, " "]));
}

function explain(move) {
  const parts = [];
  if (!move) return parts;
  if (move.better.length) parts.push(lineOf("Better:", move.better));
  if (move.refutation.length) parts.push(lineOf("Answer:", move.refutation));
  return parts;
}

/** Shows where the game stands. */
function show() {
  const { game, ply, line } = state;
  const move = ply ? game.moves[ply - 1] : null;
  const shown = line ? line.moves[line.index] : move;
  draw(find("board"), shown ? shown.board : game.start, shown ? [shown.from, shown.to] : []);
  const worth = move ? move.worth || move.ending : game.worth;
  const name = move ? `${move.number}${move.mark}` : "Start";
  find("worth").textContent = line ? `${name}: line, ${shown.text}` : `${name}  ${worth}${move && move.clock ? `  (${move.clock})` : ""}`;
  find("board").setAttribute("aria-label", find("worth").textContent);
  if (!line) find("reason").replaceChildren(...explain(move));
  find("moves").querySelectorAll("button").forEach((button, index) => {
    button.classList.toggle("here", index + 1 === ply);
    if (index + 1 === ply) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  const here = find("graph").querySelector(".here");
  if (here) here.setAttribute("d", `M${8 + (624 * ply) / Math.max(game.moves.length, 1)} 8V152`);
}

function go(ply) {
  state.ply = Math.max(0, Math.min(state.game.moves.length, ply));
  state.line = null;
  show();
}

/** One move on or back, in the line if one is looked at. */
function step(by) {
  const { line } = state;
  if (!line) return go(state.ply + by);
  const index = line.index + by;
  if (index < 0) return go(state.ply);
  line.index = Math.min(index, line.moves.length - 1);
  show();
}

function mistake(by) {
  const { moves } = state.game;
  for (let ply = state.ply + by; ply >= 1 && ply <= moves.length; ply += by) {
    if (isError(moves[ply - 1])) return go(ply);
  }
}

function drawGraph(index) {
  const svg = graphs[index].content.firstElementChild.cloneNode(true);
  const here = document.createElementNS(SVG, "path");
  here.setAttribute("class", "here");
  svg.append(here);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * 640;
    go(Math.round(((place - 8) / 624) * state.game.moves.length));
  });
  find("graph").replaceChildren(svg);
}

function drawMoves(game) {
  const parts = game.moves.flatMap((move, index) => {
    const numbered = index === 0 || /^\d+\. /.test(move.number) || game.moves[index - 1].reason;
    const button = make("button", { textContent: (numbered ? move.number : move.san) + move.mark });
    if (move.verdict) button.className = move.verdict;
    button.title = [move.worth, move.clock].filter(Boolean).join("  ");
    button.addEventListener("click", () => go(index + 1));
    return [button, move.reason ? make("p", { className: "why", textContent: move.reason }) : " "];
  });
  find("moves").replaceChildren(...parts, game.result);
}

function drawMoments(game) {
  const moments = game.moves.flatMap((move, index) => {
    if (!["mistake", "blunder", "brilliant"].includes(move.verdict)) return [];
    const before = index ? game.moves[index - 1] : null;
    const board = make("div", { className: "board" });
    draw(board, before ? before.board : game.start, [move.from, move.to]);
    const label = make("b", { className: move.verdict, textContent: `${move.number}${move.mark} ` });
    const link = make("figcaption", {}, label, move.reason);
    return [make("figure", {}, board, link)];
  });
  find("diagrams").replaceChildren(...moments);
  find("moments").hidden = !moments.length;
}

function choose(index) {
  const game = JSON.parse(sources[index].textContent);
  Object.assign(state, { game, ply: 0, line: null });
  document.title = `${game.title}: analysed by Gannet`;
  find("title").textContent = game.title;
  find("place").textContent = [game.place, game.opening].filter(Boolean).join(" · ");
  const rows = game.tallies.map((tally, side) => {
    const cells = [`${tally.accuracy} %`, tally.centipawns, tally.inaccuracies, tally.mistakes, tally.blunders];
    const name = make("th", { textContent: side ? game.black : game.white, scope: "row" });
    return make("tr", {}, name, ...cells.map((text) => make("td", { textContent: tally.moves ? text : "–" })));
  });
  find("summary").tBodies[0].replaceChildren(...rows);
  find("critical").textContent = game.critical && `Critical move: ${game.critical}`;
  drawGraph(index);
  drawMoves(game);
  drawMoments(game);
  show();
}

function flip() {
  state.flipped = !state.flipped;
  drawMoments(state.game);
  show();
}

const actions = {
  first: () => go(0), back: () => step(-1), forth: () => step(1), last: () => go(Infinity), up: () => mistake(-1),
  down: () => mistake(1), flip,
};
const keys = { ArrowLeft: "back", ArrowRight: "forth", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last", f: "flip" };

Object.entries(actions).forEach(([id, action]) => find(id).addEventListener("click", action));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT" || !(event.key in keys)) return;
  event.preventDefault();
  actions[keys[event.key]]();
});
sources.forEach((source, index) => find("games").append(make("option", { value: index, textContent: source.dataset.title })));
find("choice").hidden = sources.length < 2;
find("games").addEventListener("change", () => choose(Number(find("games").value)));
if (sources.length) choose(0);
