/** Short synthesized sounds (wood, a bell, a low knock) and speech. */

import { preference } from './preferences.js';

/** @type {AudioContext | null} */
let context = null;

// Browsers allow sound only after the first key or pointer event.
for (const event of ['pointerdown', 'keydown']) {
  window.addEventListener(event, () => { if (preference('sound')) startAudio(); },
    { once: true, capture: true });
}

function startAudio() {
  context ??= 'AudioContext' in window ? new AudioContext() : null;
  if (context?.state === 'suspended') void context.resume();
}

/**
 * A wooden click: a short burst of noise through a narrow band.
 * @param {AudioContext} audio @param {number} at seconds @param {number} pitchHz @param {number} volume
 */
function wood(audio, at, pitchHz, volume) {
  const length = Math.floor(audio.sampleRate * 0.05);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitchHz, Q: 3 });
  const gain = new GainNode(audio, { gain: volume });
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(at);
}

/**
 * @param {AudioContext} audio @param {number} at seconds @param {number} pitchHz
 * @param {number} length seconds @param {number} volume @param {OscillatorType} [type]
 */
function tone(audio, at, pitchHz, length, volume, type = 'sine') {
  const wave = new OscillatorNode(audio, { type, frequency: pitchHz });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + length);
  wave.connect(gain).connect(audio.destination);
  wave.start(at);
  wave.stop(at + length);
}

/** @typedef {'move' | 'capture' | 'crown' | 'refused' | 'lowTime' | 'end'} SoundName */

/** @type {Record<SoundName, (audio: AudioContext, at: number) => void>} */
const SOUNDS = {
  move: (audio, at) => wood(audio, at, 900, 1.6),
  capture: (audio, at) => {
    wood(audio, at, 700, 1.6);
    wood(audio, at + 0.07, 1100, 1.3);
  },
  crown: (audio, at) => {
    wood(audio, at, 900, 1.4);
    tone(audio, at + 0.05, 784, 0.35, 0.12);
    tone(audio, at + 0.15, 1175, 0.45, 0.1);
  },
  refused: (audio, at) => tone(audio, at, 155, 0.16, 0.14, 'triangle'),
  lowTime: (audio, at) => { for (const i of [0, 1]) tone(audio, at + i * 0.16, 880, 0.1, 0.1, 'square'); },
  end: (audio, at) => {
    for (const [i, pitchHz] of [523, 659, 784].entries()) tone(audio, at + i * 0.13, pitchHz, 0.7, 0.11);
  },
};

/** @param {SoundName} name */
export function playSound(name) {
  if (preference('sound') && context?.state === 'running') SOUNDS[name](context, context.currentTime + 0.005);
}

/** Speaks a sentence, if the visitor prefers speech. @param {string} words */
export function speak(words) {
  if (!preference('speech') || !('speechSynthesis' in window)) return;
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
