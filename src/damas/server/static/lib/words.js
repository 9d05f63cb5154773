/** The texts of the page in its language, from one catalogue; a missing key is shown as itself. */

import { fill } from './fill.js';

export const lang = document.documentElement.lang || 'en';

/** @typedef {{[key: string]: string | Catalogue}} Catalogue nested by the dots of the keys */

/** @type {Catalogue} */
const catalogue = await load();

/** @returns {Promise<Catalogue>} */
async function load() {
  const link = document.querySelector('link[rel="words"]');
  const response = await fetch(link instanceof HTMLLinkElement ? link.href : `/words/${lang}.json`);
  return response.ok ? response.json() : {};
}

let rulebook = '';

/** Speaks from now on in the words of a rulebook's text, where it has its own. @param {string} id */
export function useWordsOf(id) {
  rulebook = id;
}

/** @param {string} key @returns {string | null} */
function find(key) {
  const own = catalogue[`${key}@${rulebook}`];
  if (typeof own === 'string') return own;
  if (typeof catalogue[key] === 'string') return catalogue[key];
  /** @type {string | Catalogue | undefined} */
  let entry = catalogue;
  for (const part of key.split('.')) entry = typeof entry === 'object' ? entry[part] : undefined;
  return typeof entry === 'string' ? entry : null;
}

/** Whether the catalogue has a text. @param {string} key */
export function has(key) {
  return find(key) !== null;
}

/** The text of a key with its facts. @param {string} key @param {Record<string, unknown>} [facts] */
export function t(key, facts = {}) {
  const sentence = find(key);
  return sentence === null ? key : fill(sentence, facts);
}

/** A sentence with a capital letter. @param {string} words */
export const capital = (words) => words[0].toLocaleUpperCase() + words.slice(1);

/** A long capture by its ends: c3xe5xg7 as c3xg7. @param {string} text */
export function shortMove(text) {
  const squares = text.split('x');
  return squares.length > 2 ? `${squares[0]}x${squares[squares.length - 1]}` : text;
}

/** A day of the calendar in words. @param {string} date such as 2026-11-19, or empty */
export const dateWords = (date) =>
  date && new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date));

/** A player's name in lists of games. @param {{name: string, kind: string}} player */
export function playerName({ name, kind }) {
  const level = /^level:(\d+)/.exec(kind)?.[1];
  return level ? t('games.level', { level }) : name || t('games.nobody');
}

const numberFormat = new Intl.NumberFormat(lang);

/** A number in the format of the language. @param {number} value */
export function number(value) {
  return numberFormat.format(value);
}
