// The page: what is shown, what the buttons do, and the loop that asks the server to think. The rules, the moves and
// their names all come from the server.

import { Analysis } from "./analysis.js";
import { Board, drawPiece } from "./board.js";
import { Clocks, readControl, shown } from "./clock.js";
import { Editor } from "./editor.js";
import { Games, newKey } from "./games.js";
import { numbered, readFragment, recall, remember, writeFragment } from "./memory.js";
import { MoveList } from "./moves.js";
import { Review } from "./review.js";
import { Busy, Lost, Refused, ask, insist, sleep, watchConnection } from "./server.js";
import { knock } from "./sound.js";
import { Tree, readable } from "./tree.js";

const find = (id) => document.getElementById(id);

/** The name of this page among those that ask the server, new with each load. */
const page = crypto.getRandomValues(new Uint32Array(4)).join("-").slice(0, 40);

/** How often to ask how far a search is, in milliseconds. */
const PACE = 200;
/** Even an instant answer is shown after this, so that one sees what was played. */
const BREATH = 400;

const state = {
  /** The game, with all its variations. */
  game: null,
  /** The position shown. */
  node: null,
  /** What the server keeps the game as. */
  key: newKey(),
  /** The review that is under way: the game and what was asked. */
  reviewing: null,
  /** The move of the game for which a better one is looked for, and what has been tried. */
  trial: null,
  /** The text of several games that was opened, and what is in it. */
  file: null,
  you: "w",
  /** What "New game…" offers first: what was chosen there last, whatever has been pasted since. */
  offered: "w",
  elo: 1500,
  time: 1000,
  /** The time control as PGN has it, "300+3"; nothing where there is no clock. */
  clock: "",
  /** Whether a draw has been offered that is not answered yet. */
  offering: false,
  flipped: false,
  analysing: false,
  lines: 3,
  sound: false,
};

/** What the server calls itself. */
let name = "Gannet";

const board = new Board(find("board"), (from, to) => moveByHand(from, to), (color, from, to) => drawByHand(color, from, to));
const list = new MoveList(find("moves"), (node) => goTo(node));
const analysis = new Analysis((step) => renderBoard(step), (steps) => keepLine(steps));

const clocks = new Clocks();
const games = new Games((key) => openKept(key), (text) => agree(text));
const editor = new Editor((fen) => useEdited(fen));
const review = new Review((node) => goTo(node));

/** Resolves when anything changes that the engine should know. */
let wake = () => {};
let changed = new Promise((done) => (wake = done));
function stir() {
  wake();
  changed = new Promise((done) => (wake = done));
}

/** How far a trial has to be looked into before it is judged, in nodes. */
const TRIAL = 150000;
/** Gannet does not talk about a draw before so many half-moves. */
const DRAW_FROM = 20;

/** Whether the position shown is the last one of the game. */
const isAtEnd = () => state.node === state.game.end;
/** Whether the game is still going on. */
const isOpen = () => state.game.outcome === "*";
/** Whether Gannet is to play in the last position. */
const isEngineDue = () => state.you !== "" && isOpen() && state.game.end.turn !== state.you;

function say(text) {
  find("message").textContent = text;
}

// --- Loading and keeping games ---------------------------------------------------------------------------------------

/** Counts attempts to load a game, so that one that comes late is ignored. */
let attempt = 0;

/** Loads a game from the server: one with these moves, that of a `number` in a `text`, or one that is kept. False if it was refused
 * or another came first. */
async function load({ start = "", moves = "", text, number = 1, kept }, { place, key, found = null, since, push = false } = {}) {
  const mine = ++attempt;
  let [path, body] = text === undefined ? ["/game", { start, moves }] : [`/import/${number}`, text];
  if (kept) [path, body] = ["/kept", { key: kept }];
  let answer;
  try {
    answer = await insist(path, body, () => mine === attempt);
  } catch (error) {
    say(error.message);
    return false;
  }
  if (!answer || mine !== attempt) return false;
  const game = answer.game ?? answer;
  if (kept) resume(game);
  state.key = key ?? kept ?? newKey();
  state.game = new Tree(game);
  state.node = place === undefined ? state.game.end : state.game.find(place);
  state.file = answer.count > 1 ? { text, number, names: answer.names, count: answer.count } : null;
  state.trial = null;
  clocks.control = state.you === "" ? null : readControl(state.clock);
  clocks.start(since ?? Date.now());
  review.show(state.game, found);
  if (state.you !== "" && !state.game.tags.length) label();
  say(game.faults.join("\n"));
  change(push, false);
  return true;
}

/** Takes up a game that was kept: one against Gannet that is not over goes on. */
function resume({ tags, result, main, root }) {
  const tag = Object.fromEntries(tags);
  const last = main.plies.at(-1) ?? root;
  const engine = /^Gannet(?: \((\d+)\))?$/;
  const you = tag.White === "You" && engine.test(tag.Black) ? "w" : tag.Black === "You" && engine.test(tag.White) ? "b" : "";
  state.you = result === "*" && !last.end ? you : "";
  if (state.you === "") return;
  state.elo = Number(engine.exec(you === "w" ? tag.Black : tag.White)[1] ?? 0);
  state.clock = readControl(tag.TimeControl ?? "") ? tag.TimeControl : "";
}

async function openKept(key) {
  if (await load({ kept: key }, { push: true })) flip(state.you === "b");
}

/** Writes down who plays. */
function label() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  const engine = state.elo ? `Gannet (${state.elo})` : "Gannet";
  const name = (color) => (state.you === color ? "You" : engine);
  const date = `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
  const tags = { Event: "Game against Gannet", Date: date, White: name("w"), Black: name("b"), TimeControl: state.clock || "-" };
  Object.entries(tags).forEach(([tag, value]) => state.game.setTag(tag, value));
}

/** The game is another one now: it is kept and shown, and the engine hears of it. */
function change(push = false, save = true) {
  if (save) keepOnServer();
  state.offering = false;
  if (state.reviewing && state.reviewing.game !== state.game) endReview();
  if (!review.fits(state.game)) review.show(state.game, null);
  keep(push);
  list.show(state.game);
  render();
  stir();
}

/** Has the server keep the game, too. */
function keepOnServer() {
  if (state.game.root.children.length) games.keep(state.key, state.game.toPgn());
}

/** Writes the game into address, history and store; `push` lets the browser's back button undo it. */
function keep(push = false) {
  const { game, node, you, offered, elo, time, clock, flipped, analysing, lines, sound } = state;
  const fragment = writeFragment({ start: game.start, moves: game.end.moves, you, elo, time, clock });
  const kept = { pgn: game.toPgn(), place: game.locate(node), key: state.key, found: review.found, since: clocks.since };
  try {
    history[push ? "pushState" : "replaceState"](kept, "", fragment);
  } catch {
    // Browsers take so much and not more, and not too often.
  }
  remember({ fragment, ...kept, offered, flipped, analysing, lines, sound });
}

/** Loads what was kept: from the history, from the store if it is about this address, or else what the address itself says. */
async function loadKept(kept, since) {
  const fragment = location.hash || kept.fragment || "";
  const { start, moves, ...settings } = readFragment(fragment);
  Object.assign(state, settings);
  const known = history.state ?? (kept.fragment === fragment ? kept : null);
  if (known?.pgn && (await load({ text: known.pgn }, { place: known.place ?? "", key: known.key, found: known.found, since }))) return;
  if (await load({ start, moves })) return;
  // What cannot be read must not keep the page from working.
  if (!state.game) {
    const reason = find("message").textContent;
    await load({});
    say(`The address holds no game that can be read: ${reason}`);
  }
}

// --- Moves -----------------------------------------------------------------------------------------------------------

/** The moves that may be made in the position shown. */
function allowed() {
  const { node, you, trial } = state;
  if (trial) return trial.tried ? [] : node.legal;
  const mine = you === "" || node.turn === you;
  // Whoever analyses may go on after a draw.
  const over = you !== "" && isAtEnd() && !isOpen();
  return mine && !over ? node.legal : [];
}

async function moveByHand(from, to) {
  let fitting = allowed().filter((move) => move.startsWith(from + to));
  if (fitting.length > 1) {
    const piece = await choosePromotion();
    fitting = fitting.filter((move) => move.endsWith(piece) && piece !== "");
  }
  if (fitting.length) await makeMove(fitting[0]);
}

/** A move by hand: it is played, or tried where a better one is looked for. */
const makeMove = (move) => (state.trial ? tryMove(move) : play(move, state.node));

/** Plays a move after a node; false if it is none. In a game against Gannet the line that is played is the main one, and what was
 * played before becomes a variation. */
async function play(move, node) {
  const mine = ++attempt;
  const left = clocks.control ? clocks.left(state.game, node.turn, node) : 0;
  let next = node.children.find((child) => child.uci === move);
  const isNew = !next;
  if (isNew) {
    try {
      const moves = `${node.moves} ${move}`;
      const step = await insist("/move", { start: state.game.start, moves }, () => mine === attempt);
      if (!step || mine !== attempt) return false;
      next = state.game.add(node, step);
    } catch (error) {
      say(error.message);
      return false;
    }
  }
  if (state.you !== "") {
    // A game that was over goes on where somebody takes a move of it back.
    state.game.result = "*";
    if (isNew) clocks.press(next, left);
    else clocks.start();
    state.game.promote(next);
  }
  // Whoever looks at another position while Gannet moves is shown the move only if that was the last one.
  if (state.node === node) state.node = next;
  if (state.sound) knock(next.san.includes("x"));
  say("");
  change(node.children.length > 1);
  return true;
}

/** Puts a line of analysis into the game, and shows its beginning. */
async function keepLine(steps) {
  const mine = ++attempt;
  const from = state.node;
  try {
    const moves = [from.moves, ...steps.map((step) => step.uci)].join(" ");
    const line = await insist("/game", { start: state.game.start, moves }, () => mine === attempt);
    if (!line || mine !== attempt) return;
    let node = from;
    for (const step of line.main.plies.slice(from.path.length)) node = state.game.add(node, step);
  } catch (error) {
    return say(error.message);
  }
  analysis.close();
  change(true);
}

function drawByHand(color, from, to) {
  const drawing = color + from + (from === to ? "" : to);
  const others = state.node.drawings.filter((other) => other.slice(1) !== drawing.slice(1));
  const again = state.node.drawings.includes(drawing);
  state.node.drawings = again ? others : [...others, drawing];
  keep();
  keepOnServer();
  renderBoard();
}

function choosePromotion() {
  const dialog = find("promotion");
  for (const button of dialog.querySelectorAll("button")) {
    button.replaceChildren(drawPiece(state.node.turn === "w" ? button.value.toUpperCase() : button.value));
  }
  return openDialog(dialog);
}

/** Shows a dialog; its value when it is closed, "" if it was dismissed. */
function openDialog(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

/** Takes the last move of whoever plays back, with Gannet's answer. */
function takeBack() {
  const end = state.game.end;
  const steps = end.turn === state.you && end.parent?.parent ? 2 : 1;
  const taken = steps === 2 ? end.parent : end;
  if (!taken.parent) return;
  remove(taken);
}

/** Takes a move away, and all that comes after it; the browser's back button has it still. */
function remove(node) {
  keep();
  if (state.node.path.includes(node)) state.node = node.parent;
  state.game.remove(node);
  if (state.you !== "") state.game.result = "*";
  clocks.start();
  attempt++;
  change(true);
}

function goTo(node) {
  analysis.close();
  leaveTrial();
  if (!node || node === state.node) return;
  state.node = node;
  keep();
  render();
  stir();
}

/** The next variation in the place of this move, down or up. */
function sibling(count) {
  const { node } = state;
  if (!node.parent) return;
  const { children } = node.parent;
  goTo(children[(children.indexOf(node) + count + children.length) % children.length]);
}

/** Along the game, or along the line that is shown on the board. */
function step(count) {
  if (state.trial) leaveTrial();
  if (analysis.step(count)) return;
  goTo(count < 0 ? state.node.parent : state.node.children[0]);
}

// --- What is shown ---------------------------------------------------------------------------------------------------

function render() {
  const { game, node, you } = state;
  analysis.show(node, null, state.analysing);
  renderBoard();
  list.mark(node);
  find("status").textContent = statusText();
  find("opponent").textContent = you === "" ? "both sides are yours" : levelText(state.elo);
  find("title").textContent = titleText();
  for (const id of ["first", "back"]) find(id).disabled = !node.parent;
  for (const id of ["last", "forth"]) find(id).disabled = !node.children.length;
  find("take-back").disabled = !game.root.children.length;
  find("take-back").hidden = you === "";
  for (const id of ["resign", "draw-offer"]) find(id).hidden = you === "" || !isOpen();
  find("resign").disabled = !game.root.children.length;
  find("draw-offer").disabled = !game.root.children.length || isEngineDue() || state.offering;
  for (const id of ["promote", "delete"]) find(id).hidden = you !== "";
  find("promote").disabled = node.isMain;
  find("delete").disabled = !node.parent;
  find("previous-mistake").disabled = !review.next(node, -1);
  find("next-mistake").disabled = !review.next(node, 1);
  find("start-review").disabled = !game.root.children.length || (you !== "" && isOpen());
  review.mark(node);
  renderTrial();
  renderClocks();
  renderFile();
}

/** A strength by name, as the dialog has it. */
function levelText(elo) {
  if (!elo) return "full strength";
  const option = find("level").querySelector(`option[value="${elo}"]`);
  return option ? option.textContent : `${elo} Elo`;
}

/** What both clocks show; whoever has no time left has lost. */
function renderClocks() {
  const { game, you } = state;
  find("clocks").hidden = !game || you === "" || !clocks.control;
  if (find("clocks").hidden) return;
  for (const color of ["w", "b"]) {
    const left = clocks.left(game, color);
    const clock = find(`clock-${color === you ? "you" : "gannet"}`);
    clock.querySelector("b").textContent = shown(left);
    clock.classList.toggle("runs", clocks.runs(game) && game.end.turn === color);
    clock.classList.toggle("short", left < 20000);
    // Gannet does not lose because the connection is lost.
    if (left > 0 || !clocks.runs(game) || (color !== you && !find("lost").hidden)) continue;
    finish(canMate(game, color === "w" ? "b" : "w") ? (color === "w" ? "0-1" : "1-0") : "1/2-1/2",
      `${color === "w" ? "White" : "Black"} has no time left.`);
  }
}

/** Whether a side has more than its king, and so may win by the clock. */
const canMate = (game, color) => (color === "w" ? /[PNBRQ]/ : /[pnbrq]/).test(game.end.fen.split(" ")[0]);

/** Ends the game otherwise than on the board. */
function finish(result, words) {
  state.game.result = result;
  state.game.end.comments.push(words);
  attempt++;
  change();
}

async function resign() {
  if (!(await agree("Resign this game?")) || !isOpen()) return;
  finish(state.you === "w" ? "0-1" : "1-0", `${state.you === "w" ? "White" : "Black"} resigns.`);
}

/** Asks before something that cannot be taken back lightly. */
async function agree(text) {
  find("confirm-text").textContent = text;
  return (await openDialog(find("confirm"))) === "yes";
}

function offerDraw() {
  state.offering = true;
  find("status").textContent = "You offer a draw…";
  find("draw-offer").disabled = true;
  stir();
}

/** Gannet takes a draw that is no worse than what it expects, once the game is under way. */
function judgeOffer(progress) {
  const best = progress.lines[0];
  if (!best || (progress.nodes < TRIAL && !progress.done)) return;
  state.offering = false;
  const [white, draw, black] = best.chances;
  const expected = (state.you === "w" ? black : white) + draw / 2;
  if (state.game.end.path.length >= DRAW_FROM && expected <= 500) return finish("1/2-1/2", "Draw agreed.");
  render();
  find("status").textContent = "Gannet declines the draw.";
}

/** Shows the position, or one of a line of analysis. */
function renderBoard(step = null) {
  const { node } = state;
  find("preview").hidden = !step;
  if (step) {
    board.show({ fen: step.fen, check: "", legal: [], last: step.uci });
    board.draw([]);
    board.point([]);
  } else {
    board.show({ fen: node.fen, check: node.check, legal: allowed(), last: node.uci });
    board.draw(node.drawings);
    board.point(analysis.lines.map((line) => line.moves[0]?.uci).filter(Boolean));
  }
}

/** Who played, where and when. */
function titleText() {
  const tag = (name) => (state.game.tag(name).startsWith("?") ? "" : state.game.tag(name));
  const players = tag("White") || tag("Black") ? `${tag("White") || "?"} – ${tag("Black") || "?"}` : "";
  return [players, tag("Event"), tag("Date").replace(/\.\?.*/, "")].filter(Boolean).join(", ");
}

function statusText() {
  const { node, game } = state;
  const side = node.turn === "w" ? "White" : "Black";
  const last = node.parent ? `${numbered([node.san], node.parent.fen)}. ` : "";
  if (node.end) return `${last}${node.end.result}: ${node.end.reason}.`;
  if (isAtEnd() && !isOpen()) return `${last}${game.outcome}${state.you ? `: ${readable(node.comments.at(-1) ?? "")}` : "."}`;
  if (isAtEnd() && isEngineDue()) return `${last}Gannet thinks…`;
  return `${last}${side} to move${node.check ? ", in check" : ""}.`;
}

/** The games of a file that has several. */
function renderFile() {
  const { file } = state;
  find("file").hidden = !file;
  if (!file || find("games").dataset.shown === file.text) {
    if (file) find("games").value = file.number;
    return;
  }
  const options = file.names.map((name, index) => new Option(`${index + 1}. ${name}`, index + 1));
  find("games").replaceChildren(...options);
  find("games").dataset.shown = file.text;
  find("games").value = file.number;
}

/** Shows what a search of the position shown has found; null clears it. */
function renderAnalysis(progress) {
  analysis.show(state.node, progress, state.analysing);
  if (!analysis.preview) renderBoard();
}

// --- The engine ------------------------------------------------------------------------------------------------------

/** What the server should search now, if anything. */
function wish() {
  if (!state.game) return null;
  const from = { page, start: state.game.start };
  const { trial } = state;
  if (trial) {
    const open = trial.tried && !trial.verdict;
    return open ? { ...from, moves: `${state.node.moves} ${trial.tried.uci}`, aim: "analyse", lines: 1 } : null;
  }
  if (isEngineDue()) {
    const { control } = clocks;
    const left = control && Math.max(1, Math.round(clocks.before(state.game.end, state.game.end.turn)));
    const time = control ? { clock: left, increment: control.increment } : { time: state.time };
    return { ...from, moves: state.game.end.moves, aim: "play", ...time, ...(state.elo ? { elo: state.elo } : {}) };
  }
  if (state.offering) return { ...from, moves: state.game.end.moves, aim: "analyse", lines: 1 };
  // Nobody looks at a page in the background.
  if (!state.analysing || document.hidden || !state.node.legal.length) return null;
  return { ...from, moves: state.node.moves, aim: "analyse", lines: state.lines };
}

/** Asks, again and again, how far the search is that is wanted, and plays the move that was found. */
async function think() {
  let resting = true;
  for (;;) {
    const wanted = wish();
    const still = () => JSON.stringify(wish()) === JSON.stringify(wanted);
    const began = Date.now();
    try {
      if (wanted) {
        resting = false;
        await pursue(wanted, still, began);
      } else {
        renderIdle();
        if (!resting) await ask("/search", { page, aim: "rest" });
        resting = true;
        if (still()) await changed;
      }
    } catch (error) {
      // A refusal will not be taken back, unless something else is asked; the others may pass.
      if (error instanceof Refused) {
        say(error.message);
        if (still()) await changed;
      } else if (error instanceof Busy || error instanceof Lost) {
        if (error instanceof Busy) say(error.message);
        await sleep(1000);
      } else {
        throw error;
      }
    }
  }
}

function renderIdle() {
  if (state.game && !state.trial) renderAnalysis(null);
}

/** Follows one search until it is done or something else is wanted. */
async function pursue(wanted, still, began) {
  const plays = wanted.aim === "play";
  if (plays) renderIdle();
  let busy = find("message").textContent !== "";
  while (still()) {
    const change = changed;
    const progress = await ask("/search", wanted);
    if (!still()) return;
    if (busy) say("");
    busy = false;
    if (state.trial) judgeTrial(progress);
    else if (state.offering) judgeOffer(progress);
    else if (!plays) renderAnalysis(progress);
    if (!progress.done) {
      await Promise.race([change, sleep(PACE)]);
    } else if (plays) {
      await sleep(Math.max(0, began + BREATH - Date.now()));
      if (still()) await play(progress.best, state.game.end);
      return;
    } else {
      if (still()) await change;
    }
  }
}

// --- The review ------------------------------------------------------------------------------------------------------

/** Has the game analysed from end to end, and puts what was found into it. */
async function startReview() {
  const { game } = state;
  const mine = { game };
  state.reviewing = mine;
  game.clearReview();
  const question = `page ${page}\nnodes ${find("review-depth").value}\n\n${game.toPgn()}`;
  find("review-progress").removeAttribute("value");
  renderReviewing();
  while (state.reviewing === mine) {
    try {
      const told = await ask("/review", question);
      if (state.reviewing !== mine) return;
      if (told.game) return takeReview(told);
      find("review-progress").max = told.steps;
      find("review-progress").value = told.done;
      await sleep(PACE);
    } catch (error) {
      if (error instanceof Refused) {
        endReview();
        return say(error.message);
      }
      await sleep(1000);
    }
  }
}

function takeReview({ game, ...found }) {
  const place = state.game.locate(state.node);
  const { tags } = state.game;
  keep();
  state.game = new Tree(game);
  state.game.tags = tags;
  state.game.setTag("Annotator", name);
  // Variations that were found stand behind those that were there, so every place is still the same on the main line.
  state.node = state.game.find(place);
  state.reviewing = null;
  review.show(state.game, found);
  renderReviewing();
  change(true);
}

function endReview() {
  state.reviewing = null;
  renderReviewing();
  // Nobody has to wait for this; if it is lost, silence ends the review.
  ask("/review", { page }).catch(() => {});
}

function renderReviewing() {
  const under = state.reviewing !== null;
  find("reviewing").hidden = !under;
  find("start-review").hidden = find("review-depth").hidden = under;
}

/** Goes to the next mistake, or the one before. */
function goToMistake(step) {
  const node = review.next(state.trial?.node ?? state.node, step);
  const trying = state.trial !== null;
  if (node) goTo(node);
  if (node && trying) startTrial(node);
}

/** Lets somebody look for a better move than this one. */
function startTrial(node) {
  goTo(node.parent);
  state.trial = { node, tried: null, verdict: "" };
  render();
  stir();
}

function leaveTrial() {
  if (!state.trial) return;
  state.trial = null;
  render();
  stir();
}

async function tryMove(move) {
  const { trial } = state;
  try {
    const step = await insist("/move", { start: state.game.start, moves: `${state.node.moves} ${move}` }, () => state.trial === trial);
    if (!step || state.trial !== trial) return false;
    say("");
    const best = review.of(trial.node).better;
    trial.tried = step;
    trial.verdict = step.uci === best ? "best" : step.uci === trial.node.uci ? "same" : "";
    if (!trial.verdict && step.end) judgeShare({ "1-0": 100, "0-1": 0 }[step.end.result] ?? 50);
  } catch (error) {
    say(error.message);
    return false;
  }
  render();
  stir();
  return true;
}

/** Whether what was tried is good, once the search has looked far enough. */
function judgeTrial(progress) {
  const best = progress.lines[0];
  if (!best || (progress.nodes < TRIAL && !progress.done)) return;
  judgeShare((best.chances[0] + best.chances[1] / 2) / 10);
  render();
  stir();
}

function judgeShare(share) {
  state.trial.verdict = review.isGood(state.trial.node, share) ? "good" : "bad";
}

/** The move that was best, shown beside the mistake. */
function showAnswer() {
  goTo(state.trial.node);
}

function renderTrial() {
  const { trial } = state;
  find("moves").classList.toggle("secret", trial !== null);
  find("trial").hidden = !trial;
  if (!trial) return;
  const { node, tried, verdict } = trial;
  const played = `${node.number} ${node.san}`;
  const side = node.parent.turn === "w" ? "White" : "Black";
  const tries = tried ? `${node.number} ${tried.san}` : "";
  const texts = {
    best: `${tries} is best. Well found!`,
    good: `${tries} is good, too.`,
    same: `${tries} is what was played. Try another move.`,
    bad: `${tries} is not good enough. Try another move.`,
    "": tried ? `${tries}: let me see…` : `${side} played ${played}. Find a better move.`,
  };
  find("trial-text").textContent = texts[verdict];
  find("trial").className = verdict;
  find("trial-next").disabled = !review.next(node, 1);
  if (tried) renderBoard(tried);
  find("preview").hidden = true;
  // What was not good enough is taken back, so that another move can be tried.
  if (verdict === "bad" || verdict === "same") setTimeout(() => takeTryBack(trial), 1500);
}

function takeTryBack(trial) {
  if (state.trial !== trial || !["bad", "same"].includes(trial.verdict)) return;
  trial.tried = null;
  renderBoard();
  trial.verdict = "";
}

// --- Buttons, keys and dialogs ---------------------------------------------------------------------------------------

function flip(flipped) {
  state.flipped = flipped;
  find("bar").classList.toggle("flipped", flipped);
  board.orient(flipped);
  if (state.game) renderBoard();
}

/** Shows in the dialog of a new game what belongs to what was chosen. */
function adjustDialog() {
  find("elo-label").hidden = find("level").value !== "own";
  find("time-label").hidden = find("clock").value !== "";
  find("own-clock").hidden = find("clock").value !== "own";
  // What is hidden cannot be wrong.
  for (const id of ["minutes", "increment"]) find(id).disabled = find("own-clock").hidden;
  find("number").disabled = find("from").value !== "960";
  find("shuffle").hidden = find("from").value !== "960";
}

async function newGame() {
  document.querySelector(`[name=you][value="${state.offered}"]`).checked = true;
  const named = find("level").querySelector(`option[value="${state.elo}"]`) !== null;
  find("level").value = named ? state.elo : "own";
  find("elo-label").hidden = named;
  if (state.elo) find("elo-shown").value = find("elo").value = state.elo;
  find("clock").value = find("clock").querySelector(`option[value="${state.clock}"]`) ? state.clock : "own";
  const control = readControl(state.clock);
  if (control) [find("minutes").value, find("increment").value] = [control.base / 60000, control.increment / 1000];
  adjustDialog();
  if (find("time").querySelector(`[value="${state.time}"]`)) find("time").value = state.time;
  if ((await openDialog(find("new-dialog"))) !== "start") return;
  state.offered = document.querySelector("[name=you]:checked").value;
  state.you = state.offered === "?" ? (Math.random() < 0.5 ? "w" : "b") : state.offered;
  state.elo = Number(find("level").value === "own" ? find("elo").value : find("level").value);
  state.time = Number(find("time").value);
  const own = `${Math.round(Number(find("minutes").value) * 60)}+${find("increment").value}`;
  state.clock = find("clock").value === "own" ? own : find("clock").value;
  const starts = { "": "", 960: find("number").value, shown: state.node.fen };
  if (await load({ start: starts[find("from").value] }, { push: true })) {
    flip(state.you === "b");
    keep();
  }
}

async function showText(title, text, readable) {
  find("text-title").textContent = title;
  find("text").value = text;
  find("text").readOnly = !readable;
  find("read").hidden = !readable;
  const closed = openDialog(find("text-dialog"));
  find("text").select();
  return (await closed) === "read" ? find("text").value : null;
}

async function paste() {
  const text = await showText("Paste a FEN, a PGN game or moves", "", true);
  if (text !== null) await take({ text });
}

/** Shows a game that somebody brings along; false if it cannot be read. */
async function take(what) {
  const you = state.you;
  // Nobody wants Gannet to move in a position that was pasted to be looked at.
  state.you = "";
  if (!(await load(what, { push: true, ...(what.text?.includes("[") ? { place: "" } : {}) }))) {
    state.you = you;
    return false;
  }
  flip(false);
  // Of a file with several games those are kept that somebody changes.
  if (!state.file) keepOnServer();
  return true;
}

/** Shows a position that was set up; the reason if it is none. */
async function useEdited(fen) {
  if (await take({ start: fen })) return "";
  const reason = find("message").textContent;
  say("");
  return reason;
}

async function openFile(file) {
  if (!file) return;
  try {
    await take({ text: await readText(file) });
  } catch (error) {
    say(`${file.name} cannot be read: ${error.message}`);
  }
}

/** The text of a file; what is not UTF-8 is taken for ISO 8859-1, as the standard of PGN has it. */
async function readText(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes);
  }
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([state.game.toPgn()], { type: "application/x-chess-pgn" }));
  const names = ["White", "Black"].map((name) => state.game.tag(name).replace(/[^\p{L}\p{N}]+/gu, "_")).filter((name) => /[^_]/.test(name));
  link.download = `${names.join("-") || "game"}.pgn`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(title, text) {
  try {
    await navigator.clipboard.writeText(text);
    find("status").textContent = `${title} copied.`;
  } catch {
    // Browsers allow it on this machine only, and not always then.
    await showText(title, text, false);
  }
}

function listen() {
  const click = (id, action) => find(id).addEventListener("click", action);
  click("first", () => goTo(state.game.root));
  click("back", () => step(-1));
  click("forth", () => step(1));
  click("last", () => goTo(state.node.last));
  click("promote", () => (state.game.promote(state.node), change(true)));
  click("delete", () => remove(state.node));
  click("preview", () => analysis.close());
  click("start-review", startReview);
  click("end-review", endReview);
  click("previous-mistake", () => goToMistake(-1));
  click("next-mistake", () => goToMistake(1));
  click("retry", () => startTrial(state.node));
  click("trial-answer", showAnswer);
  click("trial-next", () => goToMistake(1));
  click("trial-leave", leaveTrial);
  click("flip", () => (flip(!state.flipped), keep(), stir()));
  click("take-back", takeBack);
  click("new", newGame);
  click("import", paste);
  click("copy-fen", () => copy("FEN", state.node.fen));
  click("copy-pgn", () => copy("PGN", state.game.toPgn()));
  click("save", save);
  click("edit", () => editor.show(state.node.fen, state.flipped));
  find("sound").addEventListener("change", (event) => {
    state.sound = event.target.checked;
    if (state.sound) knock(false);
    keep();
  });
  click("show-games", () => games.show());
  click("open", () => find("chosen-file").click());
  find("chosen-file").addEventListener("change", async ({ target }) => {
    await openFile(target.files[0]);
    target.value = "";
  });
  find("games").addEventListener("change", () => take({ text: state.file.text, number: Number(find("games").value) }));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) openFile(file);
    else if (event.dataTransfer.getData("text")) take({ text: event.dataTransfer.getData("text") });
  });
  find("board").addEventListener("wheel", onWheel, { passive: false });
  click("draw", () => (find("number").value = Math.floor(Math.random() * 960)));
  for (const id of ["level", "clock", "from"]) find(id).addEventListener("change", adjustDialog);
  click("resign", resign);
  click("draw-offer", offerDraw);
  find("elo").addEventListener("input", () => (find("elo-shown").value = find("elo").value));
  find("analyse").addEventListener("change", (event) => {
    state.analysing = event.target.checked;
    keep();
    stir();
  });
  find("lines").addEventListener("change", (event) => {
    state.lines = Number(event.target.value);
    keep();
    stir();
  });
  find("move-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const move = find("move").value.trim();
    if (!move || !allowed().length) return say("It is not your move in this position.");
    makeMove(move).then((played) => played && (find("move").value = ""));
  });
  addEventListener("keydown", onKey);
  addEventListener("popstate", () => loadKept(recall()));
  document.addEventListener("visibilitychange", stir);
  // Whoever leaves need not keep an engine busy.
  addEventListener("pagehide", () => {
    games.leave();
    navigator.sendBeacon("/search", `page ${page}\naim rest`);
  });
  watchConnection((lost) => {
    find("lost").hidden = !lost;
    // While nobody could be asked no time has passed for Gannet.
    if (!lost && state.game && isEngineDue()) clocks.start();
  });
  setInterval(() => state.game && renderClocks(), 100);
}

function onKey(event) {
  const busy = event.target.closest("input:not([type=checkbox]), select, textarea, dialog[open]");
  if (busy || event.ctrlKey || event.metaKey || event.altKey || !state.game) return;
  const actions = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => sibling(-1),
    ArrowDown: () => sibling(1),
    Home: () => goTo(state.game.root),
    End: () => goTo(state.node.last),
    Escape: () => analysis.close() || leaveTrial(),
    f: () => find("flip").click(),
  };
  if (!(event.key in actions)) return;
  if (event.key !== "Escape") event.preventDefault();
  actions[event.key]();
}

let turned = 0;

/** The wheel goes through the game; touchpads turn it a little and often. */
function onWheel(event) {
  if (event.ctrlKey || !state.game) return;
  event.preventDefault();
  turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
  if (Math.abs(turned) < 40) return;
  step(turned < 0 ? -1 : 1);
  turned = 0;
}

async function begin() {
  const kept = recall();
  state.analysing = kept.analysing === true;
  state.lines = [1, 2, 3, 4, 5].includes(kept.lines) ? kept.lines : 3;
  state.offered = ["w", "b", "?", ""].includes(kept.offered) ? kept.offered : "w";
  state.sound = kept.sound === true;
  find("sound").checked = state.sound;
  find("analyse").checked = state.analysing;
  find("lines").value = state.lines;
  find("elo-shown").value = find("elo").value;
  find("bar").classList.toggle("off", !state.analysing);
  listen();
  const status = await insist("/status");
  find("elo").min = status.weakest;
  find("elo").max = status.strongest;
  name = status.name;
  document.title = `${name}: board`;
  // A clock goes on while the page is loaded anew.
  await loadKept(kept, (history.state ?? kept).since);
  flip(kept.flipped ?? state.you === "b");
  await think();
}

begin();
