// The game as the page keeps it: what is needed to go on with it is in the address of the page and in the browser's store,
// so that a reload, a closed tab or a server started anew loses nothing.

const STORE = "gannet-board";

/** The settings to begin with. `you`: "w", "b" or "" for both sides; `elo`: 0 is full strength; `time`: milliseconds. */
const DEFAULTS = { start: "", moves: "", you: "w", elo: 1500, time: 1000 };

/** What an address says after its #. */
export function readFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const number = (name) => (fields.has(name) ? Number(fields.get(name)) || 0 : DEFAULTS[name]);
  return {
    start: fields.get("start") ?? DEFAULTS.start,
    moves: fields.get("moves") ?? DEFAULTS.moves,
    you: ["w", "b", ""].includes(fields.get("you")) ? fields.get("you") : DEFAULTS.you,
    elo: number("elo"),
    time: number("time"),
  };
}

/** The opposite. */
export function writeFragment(fields) {
  return `#${new URLSearchParams(fields)}`;
}

/** What was kept; an empty object if there is nothing. */
export function recall() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

/** Keeps it. A browser that keeps nothing has the address still. */
export function remember(kept) {
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch {
    // Private windows and full stores refuse.
  }
}

/** Moves with their numbers, as score sheets have them; `fen` is the position before the first. */
export function numbered(sans, fen) {
  const fields = fen.split(" ");
  let [number, white] = [Number(fields[5]), fields[1] === "w"];
  return sans.map((san, index) => {
    const text = white ? `${number}. ${san}` : index === 0 ? `${number}... ${san}` : san;
    if (!white) number++;
    white = !white;
    return text;
  });
}

/** The game as PGN. */
export function toPgn(game, { you, elo }) {
  const engine = elo ? `Gannet (${elo})` : "Gannet";
  const name = (color) => (you === "" ? "?" : you === color ? "You" : engine);
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  const result = game.end?.result ?? "*";
  const tags = [
    ["Event", you === "" ? "Analysis" : "Game against Gannet"],
    ["Site", "?"],
    ["Date", `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`],
    ["Round", "-"],
    ["White", name("w")],
    ["Black", name("b")],
    ["Result", result],
  ];
  if (game.chess960) tags.push(["Variant", "Chess960"]);
  if (!game.standard) tags.push(["SetUp", "1"], ["FEN", game.start]);
  const words = [...numbered(game.moves.map((move) => move.san), game.start), result];
  const lines = [""];
  for (const word of words.join(" ").split(" ")) {
    const last = lines[lines.length - 1];
    if (last.length + word.length > 78) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return `${tags.map(([tag, value]) => `[${tag} "${value}"]`).join("\n")}\n\n${lines.join("\n")}\n`;
}
