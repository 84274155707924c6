// A short sound for every move, for those who want it.

let context = null;

/** Sounds like wood on wood, a capture lower than a move. */
export function knock(isCapture) {
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  tone.type = "triangle";
  tone.frequency.setValueAtTime(isCapture ? 160 : 240, now);
  tone.frequency.exponentialRampToValueAtTime(60, now + 0.09);
  volume.gain.setValueAtTime(0.5, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.1);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
