import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  landings, onePathPerMove, onlyCapture, onlyCaptureTo, origins, pathsStartingWith, premovePath, readTarget,
} from '../../src/damas/server/static/board/selection.js';
import { at, move } from './boards.js';

const STEP = move('a1-b2', ['a1 b2']);
const SHORT = move('a1xc3', ['a1 c3'], ['b2']);
const LONG = move('a1xc3xa3', ['a1 c3 a3'], ['b2', 'b4']);
const OTHER_LONG = move('a1xc3xc1', ['a1 c3 c1'], ['b2', 'd2']);
const TWO_ROUTES = move('a1xd4', ['a1 c3 d4', 'a1 a3 d4'], ['b2', 'b4']);

test('paths start with the entered squares', () => {
  assert.deepEqual(pathsStartingWith([LONG, OTHER_LONG, STEP], [at('a1'), at('c3')])
    .map(({ move: { text } }) => text),
    ['a1xc3xa3', 'a1xc3xc1']);
  assert.equal(pathsStartingWith([TWO_ROUTES], []).length, 2);
});

test('a move with two routes counts once, by its first route', () => {
  const paths = onePathPerMove(pathsStartingWith([TWO_ROUTES, STEP, TWO_ROUTES], []));
  assert.deepEqual(paths.map(({ route }) => route), [TWO_ROUTES.routes[0], STEP.routes[0]]);
});

test('landings have the most captures, and whether a move can end there', () => {
  assert.deepEqual(landings([SHORT, LONG], [at('a1')]), new Map([
    [at('c3'), { captures: 2, ends: true }],
    [at('a3'), { captures: 2, ends: true }],
  ]));
  assert.deepEqual(landings([LONG], [at('a1')]).get(at('c3')), { captures: 2, ends: false });
});

test('a round trip does not offer the square of the piece itself', () => {
  const roundTrip = move('a1xc3xa1', ['a1 c3 a1'], ['b2', 'd2']);
  assert.deepEqual([...landings([roundTrip], [at('a1')]).keys()], [at('c3')]);
  assert.deepEqual([...landings([roundTrip], [at('a1'), at('c3')]).keys()], [at('a1')]);
});

test('the end of a move plays it', () => {
  const meant = readTarget([STEP, LONG], [at('a1')], at('b2'), { complete: true });
  assert.deepEqual(meant, { kind: 'play', path: { move: STEP, route: STEP.routes[0] } });
});

test('a passed square plays the only capture through it, if completing is allowed', () => {
  assert.equal(readTarget([LONG], [at('a1')], at('c3'), { complete: true }).kind, 'play');
  assert.equal(readTarget([LONG], [at('a1')], at('c3'), { complete: false }).kind, 'step');
  assert.equal(readTarget([LONG, OTHER_LONG], [at('a1')], at('c3'), { complete: true }).kind, 'step');
});

test('a square that ends one move and is passed by another asks which one', () => {
  const meant = readTarget([SHORT, LONG], [at('a1')], at('c3'), { complete: true });
  assert.equal(meant.kind, 'choose');
  assert.deepEqual(meant.kind === 'choose' && meant.paths.map((path) => path.move.text),
    ['a1xc3', 'a1xc3xa3']);
});

test('a square that no move reaches is illegal', () => {
  assert.deepEqual(readTarget([STEP], [at('a1')], at('d4'), { complete: true }), { kind: 'illegal' });
});

test('a piece with one capture and no other move has an only capture', () => {
  assert.equal(onlyCapture([LONG], at('a1'))?.move, LONG);
  assert.equal(onlyCapture([LONG, SHORT], at('a1')), null);
  assert.equal(onlyCapture([STEP], at('a1')), null);
});

test('the only capture to a square may be by any piece', () => {
  const byAnother = move('c1xa3', ['c1 a3'], ['b2']);
  assert.equal(onlyCaptureTo([LONG, STEP], at('a3'))?.move, LONG);
  assert.equal(onlyCaptureTo([LONG, byAnother], at('a3')), null);
  assert.equal(onlyCaptureTo([STEP], at('b2')), null);
});

test('origins are the squares of the pieces that can move', () => {
  assert.deepEqual(origins([STEP, LONG, move('c1-d2', ['c1 d2'])]), new Set([at('a1'), at('c1')]));
});

test('a premove is the one legal move along its squares', () => {
  const path = (/** @type {Parameters<typeof premovePath>[0]} */ legal,
    /** @type {string} */ squares) => premovePath(legal, squares.split(' ').map(at))?.move.text;
  assert.equal(path([STEP, SHORT], 'a1 b2'), 'a1-b2');
  assert.equal(path([LONG, OTHER_LONG], 'a1 c3 a3'), 'a1xc3xa3');
  assert.equal(path([LONG, OTHER_LONG], 'a1 c1'), 'a1xc3xc1');
  assert.equal(path([LONG], 'a1 c3'), 'a1xc3xa3'); // its beginning, where only one goes on
  assert.equal(path([LONG, OTHER_LONG], 'a1 c3'), undefined); // two do: neither is played
  assert.equal(path([SHORT, LONG], 'a1 c3'), 'a1xc3'); // exactly what was entered
  assert.equal(path([STEP], 'a1 c3'), undefined);
  assert.equal(path([STEP], 'a1'), undefined);
  assert.equal(path([], 'a1 b2'), undefined);
});
