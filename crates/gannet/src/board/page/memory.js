// What the browser keeps: the main line and the settings are in the address of the page, the whole game in its history and in
// the browser's store, so that a reload, a closed tab or a server started anew loses nothing.

const STORE = "gannet-board";

/** The settings to begin with. `you`: "w", "b" or "" for both sides; `elo`: 0 is full strength; `time`: milliseconds a move, where
 * there is no `clock`. */
const DEFAULTS = { start: "", moves: "", you: "w", elo: 1500, time: 1000, clock: "" };

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
    clock: fields.get("clock") ?? DEFAULTS.clock,
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
