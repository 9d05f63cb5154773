import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BoardState, EMPTY_POSITION } from '../../src/damas/server/static/board/state.js';
import { at, BOOK, move } from './boards.js';

const POSITION = {
  ...EMPTY_POSITION, fen: 'W:Wa1:Bd4', ply: 3, pieces: { [at('a1')]: 'w', [at('d4')]: 'b' },
  legal: [move('a1-b2', ['a1 b2'])],
};

/** @param {Partial<BoardState>} [changes] */
function stateWith(changes = {}) {
  return Object.assign(new BoardState(), { book: BOOK, view: POSITION, movable: 'white' }, changes);
}

test('a move is awaited only from the side that may be moved', () => {
  assert.equal(stateWith().awaitsMove, true);
  assert.equal(stateWith({ movable: 'both' }).awaitsMove, true);
  assert.equal(stateWith({ movable: 'black' }).awaitsMove, false);
  assert.equal(stateWith({ view: { ...POSITION, legal: [] } }).awaitsMove, false);
  assert.equal(stateWith({ pending: { move: POSITION.legal[0], route: [0, 2] } }).awaitsMove, false);
});

test('only pieces of the side to move are one\'s own', () => {
  const state = stateWith({ movable: 'both' });
  assert.equal(state.isOwnPiece(at('a1')), true);
  assert.equal(state.isOwnPiece(at('d4')), false);
  assert.equal(state.isOwnPiece(at('b2')), false);
});

test('where every attempt counts any piece can be selected in turn, one\'s own out of turn', () => {
  assert.equal(stateWith().canSelect(at('d4')), false);
  assert.equal(stateWith({ attemptsCount: true }).canSelect(at('d4')), true);
  assert.equal(stateWith({ attemptsCount: true }).canSelect(at('b2')), false);
  const outOfTurn = stateWith({ attemptsCount: true, movable: 'black' });
  assert.equal(outOfTurn.mayTryOutOfTurn, true);
  assert.equal(outOfTurn.canSelect(at('d4')), true);
  assert.equal(outOfTurn.canSelect(at('a1')), false);
  assert.equal(stateWith({ movable: 'black' }).canSelect(at('d4')), false);
});

test('in the middle of a capture only its own piece can be dragged', () => {
  const state = stateWith({ entered: [at('a1'), at('c3')] });
  assert.equal(state.currentSquare, at('c3'));
  assert.equal(state.canLift(at('c3')), true);
  assert.equal(state.canLift(at('a1')), false);
  assert.equal(stateWith({ editable: true }).canLift(at('a1')), false);
});

test('the same position sent again is recognized', () => {
  const state = stateWith();
  assert.equal(state.isSamePosition({ ...POSITION }), true);
  assert.equal(state.isSamePosition(POSITION), false);
  assert.equal(state.isSamePosition({ ...POSITION, ply: 4 }), false);
  assert.equal(state.isSamePosition({ ...POSITION, legal: [] }), false);
});

test('a touched piece is found by its name', () => {
  assert.equal(stateWith({ view: { ...POSITION, touched: 'a1' } }).touchedSquare, at('a1'));
  assert.equal(stateWith().touchedSquare, -1);
});

test('pieces are lifted and men crowned only by whose duty it is', () => {
  const duty = { by: /** @type {const} */ ('black'), squares: [3, 5] };
  const lifting = { ...POSITION, legal: [], lifting: duty };
  assert.deepEqual(stateWith({ view: lifting, movable: 'black' }).toLift, [3, 5]);
  assert.deepEqual(stateWith({ view: lifting, movable: 'both' }).toLift, [3, 5]);
  assert.deepEqual(stateWith({ view: lifting, movable: 'white' }).toLift, []);
  const square = at('d4');
  const crowning = { ...POSITION, crowning: { by: /** @type {const} */ ('white'), square, name: 'd4' } };
  assert.equal(stateWith({ view: crowning }).toCrown, square);
  assert.equal(stateWith({ view: crowning, movable: 'none' }).toCrown, -1);
  assert.equal(stateWith().toCrown, -1);
  assert.equal(stateWith().isSamePosition(crowning), false);
});

test('a man that passes the last row without being crowned is noticed', () => {
  const passing = move('a1xd4xc1', ['a1 d4 c1'], ['b2']);
  const state = stateWith();
  assert.equal(state.passedCrownRow({ move: passing, route: passing.routes[0] }), at('d4'));
  assert.equal(state.passedCrownRow({ move: { ...passing, promotes: true }, route: passing.routes[0] }), -1);
  const king = stateWith({ view: { ...POSITION, pieces: { [at('a1')]: 'W' } } });
  assert.equal(king.passedCrownRow({ move: passing, route: passing.routes[0] }), -1);
});

test('names follow the numbering, and are never empty', () => {
  assert.deepEqual(stateWith({ numbering: 'numbers' }).names.slice(0, 2), ['7', '8']);
  assert.deepEqual(stateWith({ numbering: 'none' }).names.slice(0, 2), ['a1', 'c1']);
});

test('a premove begins with a piece of one\'s own out of turn, where premoves are played', () => {
  const waiting = stateWith({ movable: 'black', premoves: true });
  assert.equal(waiting.canPremove(at('d4')), true);
  assert.equal(waiting.canLift(at('d4')), true);
  assert.equal(waiting.canPremove(at('a1')), false);
  assert.equal(stateWith({ movable: 'black' }).canPremove(at('d4')), false);
  assert.equal(stateWith({ movable: 'white', premoves: true }).canPremove(at('a1')), false);
  assert.equal(stateWith({ movable: 'both', premoves: true }).mayPremove, false);
  assert.equal(stateWith({ movable: 'none', premoves: true }).mayPremove, false);
});
