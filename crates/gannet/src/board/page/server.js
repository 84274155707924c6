// Talks to the server. Answers, refusals and a lost connection are told apart: the first two are final, the last one
// is tried again by whoever asked.

/** The server understood, and will not do it; the message says why. */
export class Refused extends Error {}

/** The server has no engine to spare now; the message says so. */
export class Busy extends Error {}

/** The server cannot be reached. */
export class Lost extends Error {}

const PATIENCE = 8000;

let lost = false;
let onConnection = () => {};

/** How often to look whether the server is there, in milliseconds. */
const HEARTBEAT = 2000;

/** Calls `callback(lost)` whenever the connection is lost or found again; a page that nobody looks at does not care. */
export function watchConnection(callback) {
  onConnection = callback;
  setInterval(() => document.hidden || ask("/status").catch(() => {}), HEARTBEAT);
}

function note(isLost) {
  if (lost !== isLost) {
    lost = isLost;
    onConnection(lost);
  }
}

/** Waits. */
export function sleep(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Asks once; `body` is a text, or an object whose fields become lines. Without one, it only reads. */
export async function ask(path, body) {
  const lines = (fields) => Object.entries(fields).map(([name, value]) => `${name} ${value}`).join("\n");
  const text = body === undefined || typeof body === "string" ? body : lines(body);
  const method = text === undefined ? "GET" : "POST";
  let response, answer;
  try {
    response = await fetch(path, { method, body: text, signal: AbortSignal.timeout(PATIENCE) });
    answer = await response.text();
  } catch {
    note(true);
    throw new Lost("the server cannot be reached");
  }
  note(false);
  if (response.status === 503) throw new Busy(answer);
  if (!response.ok) throw new Refused(answer);
  return JSON.parse(answer);
}

/** Asks until there is an answer or a refusal, as long as `wanted()` holds; null when it does not any more. */
export async function insist(path, body, wanted = () => true) {
  while (wanted()) {
    try {
      return await ask(path, body);
    } catch (error) {
      if (error instanceof Refused) throw error;
      await sleep(1000);
    }
  }
  return null;
}
