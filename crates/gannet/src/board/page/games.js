// The games that the server keeps: what changes is handed over after a moment, and a dialog lists, opens and exports them.

import { Busy, Lost, ask, insist, sleep } from "./server.js";

const find = (id) => document.getElementById(id);
const element = (name, className, text = "") => Object.assign(document.createElement(name), { className, textContent: text });
/** So long after the last change a game is handed over, in milliseconds. */
const MOMENT = 600;

/** A name for a game that no other has. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-").slice(0, 40);

export class Games {
  /** `onOpen(key)` is to show a game, `agree(text)` asks before one is thrown away. */
  constructor(onOpen, agree) {
    this.onOpen = onOpen;
    this.agree = agree;
    /** What is still to be handed over: key and PGN. */
    this.waiting = null;
    /** How often the list was asked for: an answer that has been overtaken is not shown. */
    this.asked = 0;
    find("games-search").addEventListener("input", () => this.#list(0));
    find("games-more").addEventListener("click", () => this.#list(find("games-list").children.length));
  }

  /** Has a game kept, in place of what is kept under its key. */
  keep(key, pgn) {
    // Another game has been begun meanwhile: this one is not to be forgotten over it.
    if (this.waiting && this.waiting.key !== key) this.#send(this.waiting);
    this.waiting = { key, pgn };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), MOMENT);
  }

  /** Hands over what waits. */
  flush() {
    clearTimeout(this.timer);
    const { waiting } = this;
    this.waiting = null;
    return waiting ? this.#send(waiting) : Promise.resolve();
  }

  /** The same for a page that is being left. */
  leave() {
    if (this.waiting) navigator.sendBeacon("/keep", `key ${this.waiting.key}\n\n${this.waiting.pgn}`);
    this.waiting = null;
  }

  async #send(game) {
    try {
      await ask("/keep", `key ${game.key}\n\n${game.pgn}`);
    } catch (error) {
      // Why nothing is kept is told where the games are listed.
      if (!(error instanceof Lost || error instanceof Busy)) return;
      await sleep(2000);
      // By now it may have changed again, or another one be waiting.
      if (!this.waiting) this.keep(game.key, game.pgn);
      else if (this.waiting.key !== game.key) await this.#send(game);
    }
  }

  /** Lists the games in a dialog. */
  async show() {
    find("games-dialog").showModal();
    await this.flush();
    await this.#list(0);
  }

  /** Lists the games from this place on. */
  async #list(from) {
    const search = find("games-search").value.replace(/\s+/g, " ").trim();
    const asked = ++this.asked;
    let told;
    try {
      told = await ask("/games", { search, from });
    } catch (error) {
      if (asked !== this.asked) return;
      find("games-list").replaceChildren();
      find("games-count").textContent = error.message;
      return;
    }
    if (asked !== this.asked) return;
    const rows = told.games.map((game) => this.#row(game));
    if (from) find("games-list").append(...rows);
    else find("games-list").replaceChildren(...rows);
    find("games-count").textContent = told.count === 1 ? "1 game" : `${told.count} games`;
    find("games-more").hidden = find("games-list").children.length >= told.count;
  }

  #row(game) {
    const known = (text) => text !== "" && !text.startsWith("?");
    const row = element("li", "");
    const open = element("button", "", known(game.white) || known(game.black) ? `${game.white} – ${game.black}` : "Moves without names");
    const moves = game.moves === 1 ? "1 move" : `${game.moves} moves`;
    const changed = new Date(game.changed).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const more = [game.result, known(game.event) && game.event, known(game.date) && game.date.replace(/\.\?.*/, ""), moves, `kept ${changed}`];
    open.append(element("small", "", more.filter(Boolean).join(", ")));
    open.type = "button";
    open.addEventListener("click", () => {
      find("games-dialog").close();
      this.onOpen(game.key);
    });
    const forget = element("button", "", "✕");
    forget.type = "button";
    forget.setAttribute("aria-label", `Throw ${open.firstChild.textContent} away`);
    forget.addEventListener("click", async () => {
      if (!(await this.agree(`Throw ${open.firstChild.textContent} away?`))) return;
      try {
        await insist("/forget", { key: game.key }, () => find("games-dialog").open);
      } catch (error) {
        find("games-count").textContent = error.message;
        return;
      }
      await this.#list(0);
    });
    row.append(open, forget);
    return row;
  }
}
