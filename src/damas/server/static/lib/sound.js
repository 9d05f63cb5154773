/** Six short sounds, made on the spot: wood on wood, a bell, a low knock. Nothing to download. */

import { preference } from './preferences.js';

/** @type {AudioContext | null} */
let context = null;

/** Browsers let a page sound only after it was touched once. */
for (const event of ['pointerdown', 'keydown']) {
  window.addEventListener(event, () => { if (preference('sound')) ready(); }, { once: true, capture: true });
}

function ready() {
  context ??= 'AudioContext' in window ? new AudioContext() : null;
  if (context?.state === 'suspended') context.resume();
  return context;
}

/** A click of wood: a short burst of noise through a narrow band. @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} loud */
function wood(audio, at, pitch, loud) {
  const length = Math.floor(audio.sampleRate * 0.05);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const band = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch, Q: 3 });
  const gain = new GainNode(audio, { gain: loud });
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(at);
}

/** @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} length @param {number} loud @param {OscillatorType} [type] */
function tone(audio, at, pitch, length, loud, type = 'sine') {
  const wave = new OscillatorNode(audio, { type, frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + length);
  wave.connect(gain).connect(audio.destination);
  wave.start(at);
  wave.stop(at + length);
}

/** @type {Record<string, (audio: AudioContext, at: number) => void>} */
const SOUNDS = {
  move: (audio, at) => wood(audio, at, 900, 1.6),
  capture: (audio, at) => { wood(audio, at, 700, 1.6); wood(audio, at + 0.07, 1100, 1.3); },
  crown: (audio, at) => { wood(audio, at, 900, 1.4); tone(audio, at + 0.05, 784, 0.35, 0.12); tone(audio, at + 0.15, 1175, 0.45, 0.1); },
  refused: (audio, at) => tone(audio, at, 155, 0.16, 0.14, 'triangle'),
  hurry: (audio, at) => { for (const i of [0, 1]) tone(audio, at + i * 0.16, 880, 0.1, 0.1, 'square'); },
  end: (audio, at) => { [523, 659, 784].forEach((pitch, i) => tone(audio, at + i * 0.13, pitch, 0.7, 0.11)); },
};

/** @param {'move'|'capture'|'crown'|'refused'|'hurry'|'end'} name */
export function sound(name) {
  if (!preference('sound')) return;
  const audio = context?.state === 'running' ? context : null;
  if (audio) SOUNDS[name](audio, audio.currentTime + 0.005);
}

/** Says a sentence aloud, for those who asked for it. @param {string} words */
export function speak(words) {
  if (!preference('speech') || !('speechSynthesis' in window)) return;
  const saying = new SpeechSynthesisUtterance(words);
  saying.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(saying);
}
