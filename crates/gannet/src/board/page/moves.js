// The list of moves: the main line in pairs, what is said of it below, variations in brackets.

import { glyphs, readable } from "./tree.js";

const element = (name, className, text = "") => Object.assign(document.createElement(name), { className, textContent: text });

export class MoveList {
  /** `onChoose(node)` hears of every move that is clicked. */
  constructor(place, onChoose) {
    this.place = place;
    this.onChoose = onChoose;
    this.buttons = new Map();
  }

  /** Shows a game anew. Whoever goes through it with the keyboard does not lose the place: `mark` keeps the buttons. */
  show(tree) {
    this.buttons.clear();
    const parts = tree.root.comments.map((text) => this.#comment(text));
    let row = null;
    for (let node = tree.root; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      const white = node.turn === "w";
      if (white || !row) {
        row = element("div", "pair");
        row.append(element("span", "number", `${node.fen.split(" ")[5]}.`));
        if (!white) row.append(element("span", "number", "…"));
        parts.push(row);
      }
      row.append(this.#button(main));
      const said = [...main.comments.map((text) => this.#comment(text)), ...others.map((other) => this.#variation(other))]
        .filter((part) => part !== null);
      if (said.length) {
        if (white && main.children.length) row.append(element("span", "number", "…"));
        parts.push(...said);
        row = null;
      }
    }
    if (tree.outcome !== "*") parts.push(element("p", "result", tree.outcome));
    this.place.replaceChildren(...parts.filter((part) => part !== null));
  }

  /** Marks the move that led to the position shown. */
  mark(node) {
    this.place.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.buttons.get(node);
    current?.setAttribute("aria-current", "step");
    // Only the list is scrolled, never the page.
    this.place.scrollTop = current ? current.offsetTop - this.place.offsetTop - this.place.clientHeight / 2 : 0;
  }

  #button(node) {
    const button = element("button", "", node.san);
    button.type = "button";
    if (node.marks.length) {
      const sign = element("span", `sign sign-${node.marks[0]}`, glyphs(node.marks));
      button.append(sign);
    }
    button.addEventListener("click", () => this.onChoose(node));
    this.buttons.set(node, button);
    return button;
  }

  #comment(text) {
    const shown = readable(text);
    return shown ? element("p", "comment", shown) : null;
  }

  /** A line that begins with a node, and the variations within it. */
  #variation(first) {
    const place = element("div", "variation");
    const say = (texts) => texts.map(readable).filter(Boolean).forEach((text) => place.append(element("span", "comment", text)));
    let numbered = false;
    const move = (node) => {
      say(node.opening);
      if (!numbered || node.parent.turn === "w") place.append(element("span", "number", node.number));
      place.append(this.#button(node));
      say(node.comments);
      numbered = !node.comments.length;
    };
    move(first);
    for (let node = first; node.children.length; node = node.children[0]) {
      const [main, ...others] = node.children;
      move(main);
      place.append(...others.map((other) => this.#variation(other)));
      numbered &&= !others.length;
    }
    return place;
  }
}
