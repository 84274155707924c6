// The page: what is shown, what the buttons do, and the loop that asks the server to think. The rules, the moves and
// their names all come from the server.

import { Board, drawPiece } from "./board.js";
import { numbered, readFragment, recall, remember, toPgn, writeFragment } from "./game.js";
import { Busy, Lost, Refused, ask, insist, sleep, watchConnection } from "./server.js";

const find = (id) => document.getElementById(id);

/** The name of this page among those that ask the server, new with each load. */
const page = crypto.getRandomValues(new Uint32Array(4)).join("-").slice(0, 40);

/** How often to ask how far a search is, in milliseconds. */
const PACE = 200;
/** Even an instant answer is shown after this, so that one sees what was played. */
const BREATH = 400;

const state = {
  /** What the server says about the game. */
  game: null,
  /** Which position is shown: after so many moves. */
  ply: 0,
  you: "w",
  /** What "New game…" offers first: what was chosen there last, whatever has been pasted since. */
  offered: "w",
  elo: 1500,
  time: 1000,
  flipped: false,
  analysing: false,
  lines: 3,
};

const board = new Board(find("board"), (from, to) => moveByHand(from, to));

/** Resolves when anything changes that the engine should know. */
let wake = () => {};
let changed = new Promise((done) => (wake = done));
function stir() {
  wake();
  changed = new Promise((done) => (wake = done));
}

const turn = (ply) => state.game.positions[ply].fen.split(" ")[1];
const isAtEnd = () => state.ply === state.game.moves.length;
const movesUpTo = (ply) => state.game.moves.slice(0, ply).map((move) => move.uci);
const startText = () => (state.game.standard ? "" : state.game.start);
/** Whether Gannet is to play in the last position. */
const isEngineDue = () => state.you !== "" && !state.game.end && turn(state.game.moves.length) !== state.you;

function say(text) {
  find("message").textContent = text;
}

// --- Loading and keeping games ---------------------------------------------------------------------------------------

/** Counts attempts to load a game, so that one that comes late is ignored. */
let attempt = 0;

/** Loads a game from the server; `text` is for whatever people paste. False if it was refused or another came first. */
async function load({ start = "", moves = [], text }, { ply, push = false } = {}) {
  const mine = ++attempt;
  const [path, body] = text === undefined ? ["/game", { start, moves: moves.join(" ") }] : ["/import", text];
  let game;
  try {
    game = await insist(path, body, () => mine === attempt);
  } catch (error) {
    say(error.message);
    return false;
  }
  if (!game || mine !== attempt) return false;
  game.standard = game.start === "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  state.game = game;
  state.ply = Math.min(ply ?? game.moves.length, game.moves.length);
  say("");
  keep(push);
  render();
  // What was found is about another position.
  renderAnalysis(null);
  stir();
  return true;
}

/** Writes the game into the address and the store; `push` lets the browser's back button undo it. */
function keep(push = false) {
  const { you, offered, elo, time, flipped, analysing, lines } = state;
  const moves = movesUpTo(state.game.moves.length).join(" ");
  const fragment = writeFragment({ start: startText(), moves, you, elo, time });
  if (fragment !== location.hash) history[push ? "pushState" : "replaceState"](null, "", fragment);
  remember({ fragment, offered, flipped, analysing, lines });
}

async function loadFragment(fragment) {
  const { start, moves, ...settings } = readFragment(fragment);
  Object.assign(state, settings);
  const read = moves.split(" ").filter((move) => move !== "");
  if (await load({ start, moves: read })) return;
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
  const mine = state.you === "" || turn(state.ply) === state.you;
  // Whoever analyses may go on after a draw.
  const over = state.you !== "" && isAtEnd() && state.game.end;
  return mine && !over ? state.game.positions[state.ply].legal : [];
}

async function moveByHand(from, to) {
  let fitting = allowed().filter((move) => move.startsWith(from + to));
  if (fitting.length > 1) {
    const piece = await choosePromotion();
    fitting = fitting.filter((move) => move.endsWith(piece) && piece !== "");
  }
  if (fitting.length) await play(fitting[0]);
}

/** Plays a move in the position shown. What came after it is left behind, but the browser's back button has it. */
function play(move) {
  return load({ start: startText(), moves: [...movesUpTo(state.ply), move] }, { push: !isAtEnd() });
}

function choosePromotion() {
  const dialog = find("promotion");
  for (const button of dialog.querySelectorAll("button")) {
    button.replaceChildren(drawPiece(turn(state.ply) === "w" ? button.value.toUpperCase() : button.value));
  }
  return openDialog(dialog);
}

/** Shows a dialog; its value when it is closed, "" if it was dismissed. */
function openDialog(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

function takeBack() {
  const count = state.game.moves.length;
  const steps = state.you !== "" && turn(count) === state.you ? 2 : 1;
  return load({ start: startText(), moves: movesUpTo(Math.max(count - steps, 0)) }, { push: true });
}

function goTo(ply) {
  const bounded = Math.max(0, Math.min(ply, state.game.moves.length));
  if (bounded === state.ply) return;
  state.ply = bounded;
  render();
  renderAnalysis(null);
  stir();
}

// --- What is shown ---------------------------------------------------------------------------------------------------

function render() {
  const { game, ply } = state;
  const { fen, check } = game.positions[ply];
  board.show({ fen, check, legal: allowed(), last: ply ? game.moves[ply - 1].uci : "" });
  find("status").textContent = statusText();
  find("opponent").textContent = state.you === "" ? "both sides are yours" : state.elo ? `at ${state.elo} Elo` : "at full strength";
  for (const id of ["first", "back"]) find(id).disabled = ply === 0;
  for (const id of ["last", "forth"]) find(id).disabled = isAtEnd();
  find("take-back").disabled = game.moves.length === 0;
  renderMoves();
}

function statusText() {
  const { game, ply } = state;
  const side = turn(ply) === "w" ? "White" : "Black";
  const last = ply ? `${numbered([game.moves[ply - 1].san], game.positions[ply - 1].fen)}. ` : "";
  if (isAtEnd() && game.end) return `${last}${game.end.result}: ${game.end.reason}.`;
  const check = game.positions[ply].check ? ", in check" : "";
  if (isAtEnd() && isEngineDue()) return `${last}Gannet thinks…`;
  return `${last}${side} to move${check}.`;
}

/** The game whose moves are in the list. */
let listed = null;

/** Marks the move that led to the position shown. The list itself is made once for each game, so that whoever goes through
 * it with the keyboard does not lose the place. */
function renderMoves() {
  const list = find("moves");
  if (listed !== state.game) {
    list.replaceChildren(...listMoves(state.game));
    listed = state.game;
  }
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelectorAll("button")[state.ply - 1];
  current?.setAttribute("aria-current", "step");
  // Only the list is scrolled, never the page.
  list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

function listMoves(game) {
  const place = game.start.split(" ")[1] === "b" ? 1 : 0;
  const first = Number(game.start.split(" ")[5]);
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const items = [];
  game.moves.forEach((move, index) => {
    const half = index + place;
    if (half % 2 === 0 || index === 0) {
      items.push(element("li", ""));
      items.at(-1).append(element("span", `${first + Math.floor(half / 2)}.`));
      if (half % 2 === 1) items.at(-1).append(element("span", "…"));
    }
    const button = element("button", move.san);
    button.type = "button";
    button.addEventListener("click", () => goTo(index + 1));
    items.at(-1).append(button);
  });
  return items;
}

/** White's share of a game that has ended, in per cent; null while it goes on. */
function finalShare() {
  const shares = { "1-0": 100, "0-1": 0, "1/2-1/2": 50 };
  return isAtEnd() ? (shares[state.game.end?.result] ?? null) : null;
}

/** Shows what a search of the position shown has found; null clears it. */
function renderAnalysis(progress) {
  const best = progress?.lines[0];
  board.point(best?.first);
  find("bar").classList.toggle("off", !state.analysing);
  const expected = best ? (best.chances[0] + best.chances[1] / 2) / 10 : finalShare();
  if (expected !== null) {
    const percent = Math.round(expected);
    find("white-share").style.height = `${percent}%`;
    find("bar").setAttribute("aria-valuenow", percent);
  }
  find("expected").textContent = best ? `White expects ${Math.round(expected)} %` : "";
  find("numbers").textContent = progress?.depth
    ? `depth ${progress.depth}/${progress.seldepth} · ${short(progress.nodes)} nodes · ${short(progress.nps)}/s`
    : "";
  const fen = state.game.positions[state.ply].fen;
  const items = (progress?.lines ?? []).map((line) => {
    const item = document.createElement("li");
    const score = Object.assign(document.createElement("b"), { textContent: line.score });
    item.append(score, numbered(line.san, fen).join(" "));
    item.title = `White wins ${line.chances[0] / 10} %, draws ${line.chances[1] / 10} %, loses ${line.chances[2] / 10} %`;
    return item;
  });
  find("variations").replaceChildren(...items);
}

function short(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e3 ? `${Math.round(number / 1e3)} k` : String(number);
}

// --- The engine ------------------------------------------------------------------------------------------------------

/** What the server should search now, if anything. */
function wish() {
  if (!state.game) return null;
  const from = { page, start: startText() };
  if (isEngineDue()) {
    const moves = movesUpTo(state.game.moves.length).join(" ");
    return { ...from, moves, aim: "play", time: state.time, ...(state.elo ? { elo: state.elo } : {}) };
  }
  // Nobody looks at a page in the background.
  if (!state.analysing || document.hidden || !state.game.positions[state.ply].legal.length) return null;
  return { ...from, moves: movesUpTo(state.ply).join(" "), aim: "analyse", lines: state.lines };
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
  if (state.game) renderAnalysis(null);
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
    if (!plays) renderAnalysis(progress);
    if (!progress.done) {
      await Promise.race([change, sleep(PACE)]);
    } else if (plays) {
      await sleep(Math.max(0, began + BREATH - Date.now()));
      if (still()) await playEngineMove(progress.best);
      return;
    } else {
      if (still()) await change;
    }
  }
}

/** Plays Gannet's move at the end of the game, and shows it to whoever was looking there. */
function playEngineMove(move) {
  const ply = isAtEnd() ? undefined : state.ply;
  return load({ start: startText(), moves: [...movesUpTo(state.game.moves.length), move] }, { ply });
}

// --- Buttons, keys and dialogs ---------------------------------------------------------------------------------------

function flip(flipped) {
  state.flipped = flipped;
  find("bar").classList.toggle("flipped", flipped);
  board.orient(flipped);
  if (state.game) render();
}

async function newGame() {
  document.querySelector(`[name=you][value="${state.offered}"]`).checked = true;
  find("full").checked = state.elo === 0;
  find("elo-label").hidden = state.elo === 0;
  if (state.elo) find("elo-shown").value = find("elo").value = state.elo;
  if (find("time").querySelector(`[value="${state.time}"]`)) find("time").value = state.time;
  if ((await openDialog(find("new-dialog"))) !== "start") return;
  state.offered = document.querySelector("[name=you]:checked").value;
  state.you = state.offered === "?" ? (Math.random() < 0.5 ? "w" : "b") : state.offered;
  state.elo = find("full").checked ? 0 : Number(find("elo").value);
  state.time = Number(find("time").value);
  const starts = { "": "", 960: find("number").value, shown: state.game.positions[state.ply].fen };
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
  if (text === null) return;
  const you = state.you;
  // Nobody wants Gannet to move in a position that was pasted to be looked at.
  state.you = "";
  if (!(await load({ text }, { push: true }))) state.you = you;
  else flip(false);
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
  click("first", () => goTo(0));
  click("back", () => goTo(state.ply - 1));
  click("forth", () => goTo(state.ply + 1));
  click("last", () => goTo(state.game.moves.length));
  click("flip", () => (flip(!state.flipped), keep(), stir()));
  click("take-back", takeBack);
  click("new", newGame);
  click("import", paste);
  click("copy-fen", () => copy("FEN", state.game.positions[state.ply].fen));
  click("copy-pgn", () => copy("PGN", toPgn(state.game, state)));
  click("draw", () => (find("number").value = Math.floor(Math.random() * 960)));
  find("from").addEventListener("change", () => (find("shuffle").hidden = find("from").value !== "960"));
  find("full").addEventListener("change", () => (find("elo-label").hidden = find("full").checked));
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
    play(move).then((played) => played && (find("move").value = ""));
  });
  addEventListener("keydown", onKey);
  addEventListener("popstate", () => loadFragment(location.hash));
  document.addEventListener("visibilitychange", stir);
  // Whoever leaves need not keep an engine busy.
  addEventListener("pagehide", () => navigator.sendBeacon("/search", `page ${page}\naim rest`));
  watchConnection((lost) => (find("lost").hidden = !lost));
}

function onKey(event) {
  const busy = event.target.closest("input:not([type=checkbox]), select, textarea, dialog[open]");
  if (busy || event.ctrlKey || event.metaKey || event.altKey || !state.game) return;
  const steps = { ArrowLeft: state.ply - 1, ArrowRight: state.ply + 1, Home: 0, End: state.game.moves.length };
  if (event.key in steps) {
    event.preventDefault();
    goTo(steps[event.key]);
  } else if (event.key === "f") {
    find("flip").click();
  }
}

async function begin() {
  const kept = recall();
  state.analysing = kept.analysing === true;
  state.lines = [1, 2, 3].includes(kept.lines) ? kept.lines : 3;
  state.offered = ["w", "b", "?", ""].includes(kept.offered) ? kept.offered : "w";
  find("analyse").checked = state.analysing;
  find("lines").value = state.lines;
  find("elo-shown").value = find("elo").value;
  find("bar").classList.toggle("off", !state.analysing);
  listen();
  const status = await insist("/status");
  find("elo").min = status.weakest;
  find("elo").max = status.strongest;
  document.title = `${status.name}: board`;
  await loadFragment(location.hash || kept.fragment || "");
  flip(kept.flipped ?? state.you === "b");
  await think();
}

begin();
