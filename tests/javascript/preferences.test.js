import assert from 'node:assert/strict';
import { test } from 'node:test';

const KEY = 'damas.preferences';
localStorage.setItem(KEY, JSON.stringify({ theme: 'dark' }));
const { onPreferences, preference,
  setPreferences } = await import('../../src/damas/server/static/lib/preferences.js');

/** @param {string} key */
function changeInOtherTab(key) {
  window.dispatchEvent(Object.assign(new Event('storage'), { key }));
}

test('stored preferences replace defaults', () => {
  assert.equal(preference('theme'), 'dark');
  assert.equal(preference('animation'), 'normal');
});

test('a change is stored, and listeners hear it', () => {
  /** @type {string[]} */
  const heard = [];
  onPreferences(({ animation }) => heard.push(animation));
  setPreferences({ animation: 'fast' });
  assert.deepEqual(heard, ['normal', 'fast']);
  assert.deepEqual(JSON.parse(localStorage.getItem(KEY) ?? '').animation, 'fast');
});

test('a change in another tab is taken over', () => {
  localStorage.setItem(KEY, JSON.stringify({ theme: 'light' }));
  changeInOtherTab('something else');
  assert.equal(preference('theme'), 'dark');
  changeInOtherTab(KEY);
  assert.equal(preference('theme'), 'light');
});

test('broken storage means defaults', () => {
  localStorage.setItem(KEY, '{not json');
  changeInOtherTab(KEY);
  assert.equal(preference('theme'), 'system');
});
