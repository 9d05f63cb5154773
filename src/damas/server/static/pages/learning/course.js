/** The course that a visitor takes: the last one opened, or else that of the rules they play by. */

import { loadValue, storeValue } from '../../lib/storage.js';

const STORAGE_KEY = 'damas.course';
/** What the play page stores. */
const PLAY_KEY = 'damas.play';

/** @typedef {{id: string, preset: string}} CourseEntry `preset`: the regulation whose players it is for */

/** @param {string} course */
export function rememberCourse(course) {
  if (course) storeValue(STORAGE_KEY, course);
}

/** Id of the visitor's course among those there are, or ''. @param {CourseEntry[]} courses */
export function readersCourse(courses) {
  const stored = loadValue(STORAGE_KEY), play = loadValue(PLAY_KEY);
  const mine = courses.find(({ id }) => id === stored)
    ?? courses.find(({ preset }) => preset && preset === play?.preset)
    ?? courses.find(({ id }) => `${play?.rulebook ?? ''}-`.startsWith(`${id}-`));
  return mine?.id ?? '';
}
