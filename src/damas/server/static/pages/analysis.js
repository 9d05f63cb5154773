/** The analysis page: a board for both sides, a tree of moves, the engine, the tables, and reports on whole games. */

import { api, ApiError, rulebook } from '../lib/api.js';
import { enableButtons, byId, fill, h, isWriting, toast } from '../lib/dom.js';
import { onPreferences } from '../lib/preferences.js';
import { RefusalPanel } from '../lib/refusal.js';
import { openSettings } from '../lib/settings.js';
import { shareButton } from '../lib/share.js';
import { lang, t } from '../lib/words.js';
import '../board/damas-board.js';
import { Editor, fenOf } from './analysis/editor.js';
import { EnginePanel } from './analysis/engine.js';
import { openExport, openImport } from './analysis/files.js';
import { movesList } from './analysis/moves.js';
import { ReportPanel } from './analysis/report.js';
import { Stepper } from './analysis/stepper.js';
import { Tree } from './analysis/tree.js';
import { Tables } from './analysis/tables.js';
import { TypedMoves } from './analysis/typing.js';

/** @typedef {import('./analysis/tree.js').Node} Node */

/** Of the computer that a position is played against again. */
const LEVEL = 5;
/** Milliseconds before a position is thought about: whoever only steps past it asks nothing. */
const PAUSE = 120;

const board = byId('board');
const refusalPanel = new RefusalPanel(byId('explain-panel'), board);
const passing = byId('not-crowned');

const state = {
  book: /** @type {any} */ (null),
  tree: new Tree(''),
  node: /** @type {Node} */ (/** @type {unknown} */ (null)),
  view: /** @type {any} */ (null),
  /** The node whose position is on the board. */
  shown: /** @type {Node} */ (/** @type {unknown} */ (null)),
  /** The game of the server that is looked at, if one is. */
  game: '',
  asking: 0,
  views: /** @type {WeakMap<Node, Promise<any>>} */ (new WeakMap()),
};
state.node = state.tree.root;

const engine = new EnginePanel({
  panel: byId('engine-panel'), bar: byId('eval-bar'),
  onArrows: (arrows) => { board.arrows = arrows; },
  onPlay: (texts) => { const nodes = state.tree.playAll(state.node, texts); go(nodes[nodes.length - 1]); },
});
const tables = new Tables(byId('tablebase'), (text) => play(text));
const stepper = new Stepper(byId('stepper'), go);
const editor = new Editor(byId('editor'), { onChange: edited, onDone: leaveEditor, onCancel: dropEdit, onStart: () => editor.set(state.book.start.pieces, state.book.start.turn) });
const report = new ReportPanel(byId('report'), { go: goMain, best: showBest, shot: showShot, again: playAgain, wanted: wantedReport });
new TypedMoves(byId('typed'), { place: typedAt, onMove: (text) => play(text), onRefused: async (text) => { await refused({ text }); }, named: (route) => route.map((square) => board.names[square]).join('-'), firstNumber: () => state.book.board.first_number, onPdn: takeText });

// Where the board stands

/** The positions of the tree, asked for in stretches: stepping through a game must not ask at every step. */
const AHEAD = 24;

/** @param {Node} node @returns {Promise<any>} */
function viewOf(node) {
  const known = state.views.get(node);
  if (known) return known;
  const { tree } = state;
  const wanted = [node];
  for (let at = node; wanted.length < AHEAD && at.children.length && !state.views.has(at.children[0]); ) wanted.push(at = at.children[0]);
  const last = wanted[wanted.length - 1];
  const asked = api.post('/api/analysis/line', { rulebook: tree.rulebook, fen: tree.fen, moves: tree.moves(last), since: node.ply });
  wanted.forEach((each, place) => {
    const view = asked.then((told) => {
      if (told.views[place]) return told.views[place];
      throw new Error(told.error?.message ?? '');
    });
    view.catch(() => state.views.delete(each));
    state.views.set(each, view);
  });
  return /** @type {Promise<any>} */ (state.views.get(node));
}

/** The position that a typed move is meant for: that of the move before, though its answer may still be on its way. */
async function typedAt() {
  return { rulebook: state.book.id, fen: (await viewOf(state.node)).fen };
}

/** Stands on a node. @param {Node} node @param {{silent?: boolean}} [how] */
async function go(node, how = {}) {
  state.node = node;
  drawMoves();
  let view;
  try {
    view = await viewOf(node);
  } catch (trouble) {
    if (trouble instanceof ApiError && state.view) return unheard(node, trouble);
    if (!node.parent || state.node !== node) throw trouble;
    // The rules end the line here: back to where it can still be played.
    toast(/** @type {Error} */ (trouble).message);
    return go(state.tree.remove(node));
  }
  if (state.node !== node) return;
  state.view = view;
  state.shown = node;
  board.clearRefusal();
  refusalPanel.close();
  board.position = view;
  byId('fen').value = view.fen;
  showNote(node);
  showState(view);
  byId('move-input').placeholder = view.legal.length ? t('analysis.typed_placeholder', { move: view.legal[0].text }) : '';
  if (!how.silent) remember();
  report.picture?.show(mainPly(node));
  engine.leave();
  window.clearTimeout(state.asking);
  state.asking = window.setTimeout(() => look(node, view), PAUSE);
}

/** No answer came, which says nothing against the move: the tree keeps it, and the board stays where it was. @param {Node} node @param {ApiError} problem */
function unheard(node, problem) {
  if (state.node !== node) return;
  if (state.tree.has(state.shown)) state.node = state.shown;
  drawMoves();
  board.reset();
  toast(problem.message);
}

/** Asks what is known of the position, once somebody stays on it. @param {Node} node @param {any} view */
function look(node, view) {
  const place = { rulebook: state.tree.rulebook, fen: state.tree.fen, moves: state.tree.moves(node), game: state.game };
  engine.look(place, view.turn);
  tables.look(place, view);
}

/** @param {Node} node */
function onMain(node) {
  return state.tree.main().includes(node);
}

/** The ply where a variation left the game. @param {Node} node */
function mainPly(node) {
  let at = node;
  while (at.parent && !onMain(at)) at = at.parent;
  return at.ply;
}

/** A move on the board, by its text. @param {string} text @param {number} [passes] the last row a man only passed */
async function play(text, passes = -1) {
  const from = state.view;
  const node = state.tree.play(state.node, text);
  const move = from.legal.find((/** @type {any} */ legal) => legal.text === text);
  if (passes >= 0 || (move?.captured.length > 1 && !move.promotes && !node.note)) await noteCrown(node, from, text);
  await go(node);
}

/** What the rules say of a man that passed the crown row and stays a man. @param {Node} node @param {any} view @param {string} text */
async function noteCrown(node, view, text) {
  try {
    const told = await api.post('/api/explain', { rulebook: state.tree.rulebook, fen: view.fen, move: text });
    if (told.not_crowned) {
      node.note = told.not_crowned.message;
      /** @type {any} */ (node).article = told.not_crowned.article_id;
    }
  } catch { /* a word of explanation less */ }
}

/** @param {Node} node */
function showNote(node) {
  passing.hidden = !node.note;
  passing.replaceChildren(...(node.note ? [h('p', null, node.note), h('a', { href: `/rules/${state.tree.rulebook}#${/** @type {any} */ (node).article ?? ''}` }, t('analysis.see_article'))] : []));
}

/** Who is to move, or how it ended; and what is being counted. @param {any} view */
function showState(view) {
  const line = byId('state');
  line.textContent = view.outcome ? view.outcome.sentence : t(`analysis.to_play_${view.turn}`);
  line.classList.toggle('over', Boolean(view.outcome));
  byId('counters').replaceChildren(...(view.counts ?? []).filter(worthAWord).map((/** @type {any} */ count) => h('li.tag', null, count.sentence ?? count.message)));
}

/** A count that has begun; the platform's own only where it comes near. @param {any} count */
function worthAWord(count) {
  return count.have > 0 && (!count.platform || count.need - count.have <= 10);
}

// The page around it

function behind() {
  // A position with the other side to move begins its list in the middle of a pair.
  const starts = state.tree.fen ? (/^\s*b/i.test(state.tree.fen) ? 'black' : 'white') : startTurn();
  return starts === startTurn() ? 0 : 1;
}

function startTurn() {
  return state.book?.start.turn ?? 'white';
}

function drawMoves() {
  const list = movesList(state.tree, state.node, behind(), go);
  fill(byId('moves-frame'), list);
  const here = /** @type {HTMLElement | null} */ (list.querySelector('[aria-current]'));
  if (here) {
    const frame = byId('moves-frame'); // which the offset is measured from
    const top = here.offsetTop;
    if (top < frame.scrollTop || top > frame.scrollTop + frame.clientHeight - 40) frame.scrollTop = top - frame.clientHeight / 2;
  }
  const root = state.node === state.tree.root;
  byId('comment').value = state.node.comments.join(' ');
  byId('promote').disabled = root || onMain(state.node);
  byId('delete').disabled = root;
  const goesOn = state.node.children.length > 0;
  enableButtons([[byId('first'), !root], [byId('back'), !root], [byId('forward'), goesOn], [byId('last'), goesOn]]);
  if (!report.report) report.clear(state.tree.main().length > 1);
}

/** The address says rulebook, position and moves, so that it can be sent to somebody. */
function remember() {
  const query = new URLSearchParams();
  if (state.game && onMain(state.node)) {
    query.set('game', state.game);
    if (state.node.children.length) query.set('ply', String(state.node.ply));
  } else {
    query.set('rulebook', state.tree.rulebook);
    if (state.tree.fen) query.set('fen', state.tree.fen);
    const moves = state.tree.moves(state.node);
    if (moves.length) query.set('moves', moves.join('.'));
  }
  const kept = new URLSearchParams(location.search).get('lang');
  if (kept) query.set('lang', kept);
  history.replaceState(null, '', `${location.pathname}?${readable(query)}`);
  keepTree();
}

const KEPT = 'damas.analysis.tree';

/** Variations and comments do not fit into an address: they last as long as this tab. */
function keepTree() {
  if (state.game) return;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ address: location.search, tree: state.tree.written(), moves: state.tree.moves(state.node) }));
  } catch { /* a browser that keeps nothing still analyses */ }
}

/** The tree that this tab had under this very address. @returns {{tree: Tree, node: Node} | null} */
function keptTree() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
    if (kept?.address !== location.search) return null;
    const tree = Tree.read(kept.tree);
    return { tree, node: tree.playAll(tree.root, kept.moves).pop() ?? tree.root };
  } catch {
    return null;
  }
}

/** The same address, with the letters a person can read left as they are. @param {URLSearchParams} query */
function readable(query) {
  return query.toString().replace(/%3A/g, ':').replace(/%2C/g, ',');
}

/** Another tree on the board. @param {Tree} tree @param {Node} [node] */
async function take(tree, node) {
  if (state.book?.id !== tree.rulebook) {
    state.book = await rulebook(tree.rulebook);
    board.book = state.book;
    byId('rulebook').value = tree.rulebook;
    document.title = `${t('analysis.title')} · ${state.book.name} · damas`;
  }
  state.tree = tree;
  byId('players').textContent = tree.players;
  report.clear(tree.main().length > 1);
  stepper.hide();
  await go(node ?? tree.root);
}

/** @param {number} ply */
function goMain(ply) {
  const main = state.tree.main();
  go(main[Math.min(ply, main.length - 1)]);
}

// Refusals

/** @param {{route?: number[], text?: string}} tried */
function refused(tried) {
  return refusalPanel.explain({ rulebook: state.tree.rulebook, fen: state.view.fen, ...tried });
}

board.addEventListener('damas-move', (/** @type {CustomEvent} */ event) => play(event.detail.move.text, event.detail.passes));
board.addEventListener('damas-illegal', (/** @type {CustomEvent} */ event) => { if (!editor.open) refused({ route: event.detail.route }); });
board.addEventListener('damas-edit', (/** @type {CustomEvent} */ event) => editor.put(event.detail.square));

// The editor

function openEditor() {
  engine.stop();
  byId('engine-panel').hidden = true;
  byId('tablebase').hidden = true;
  board.editable = true;
  board.movable = 'none';
  editor.show(state.view.pieces, state.view.turn);
  byId('edit').setAttribute('aria-pressed', 'true');
}

/** @param {Record<string, string>} pieces @param {string} turn */
async function edited(pieces, turn) {
  const fen = fenOf(state.book, pieces, turn);
  board.position = { ...board.position, fen, turn, pieces, legal: [], last: null, must_capture: false };
  byId('fen').value = fen;
  const told = await fitting(state.book.id, fen);
  if (byId('fen').value === fen) editor.refuse(told.fits ? '' : told.message);
}

async function leaveEditor() {
  if (byId('fen').value === fenOf(state.book, state.view.pieces, state.view.turn)) return dropEdit(); // nothing new: the game stays
  if (await setUp(byId('fen').value)) closeEditor();
}

function closeEditor() {
  editor.hide();
  byId('engine-panel').hidden = false;
  board.editable = false;
  board.movable = 'both';
  board.scrollIntoView({ block: 'nearest' });
  byId('edit').setAttribute('aria-pressed', 'false');
}

/** Back to the game and the position as they were. */
function dropEdit() {
  closeEditor();
  board.position = state.view;
  byId('fen').value = state.view.fen;
  look(state.node, state.view);
  byId('edit').focus({ preventScroll: true });
}

/** Whether a position can stand, and why not. @param {string} book @param {string} fen @returns {Promise<any>} */
function fitting(book, fen) {
  return api.post('/api/analysis/setup', { rulebook: book, fen }).catch((problem) => ({ fits: false, message: problem.message }));
}

/** Begins anew from a position. @param {string} fen @returns {Promise<boolean>} */
async function setUp(fen, book = state.book.id) {
  const told = fen ? await fitting(book, fen) : { fits: true, standard: true };
  const problem = editor.open ? editor.problem : byId('fen-problem');
  problem.textContent = told.fits ? '' : told.message;
  problem.hidden = told.fits;
  if (!told.fits) return false;
  state.game = '';
  await take(new Tree(book, told.standard ? '' : told.fen));
  return true;
}

// Reports

function wantedReport() {
  if (state.game) return { game: state.game };
  const { tree } = state;
  return { rulebook: tree.rulebook, fen: tree.fen, moves: tree.main().slice(1).map((node) => node.text) };
}

/** The position before a mistake with the better move on the board. @param {any} mistake */
async function showBest(mistake) {
  const before = state.tree.main()[mistake.ply - 1];
  const nodes = state.tree.playAll(before, mistake.line);
  if (!nodes[0].nags.length) nodes[0].nags = [1];
  await go(before);
  const best = state.view.legal.find((/** @type {any} */ move) => move.text === mistake.best);
  if (best && !engine.on) board.arrows = [{ route: best.routes[0], brush: 'green' }];
  board.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}

/** @param {any} mistake @param {any} shot @param {number} from the ply it is played after */
function showShot(mistake, shot, from) {
  const start = state.tree.main()[from];
  const nodes = state.tree.playAll(start, shot.moves);
  if (!nodes[0].comments.length) nodes[0].comments = [mistake.sentence[lang] ?? mistake.sentence.en];
  stepper.show(start, nodes, shot);
  board.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}

/** A game against the computer from the position before the mistake. @param {any} mistake */
async function playAgain(mistake) {
  await startGame(mistake.before, mistake.by);
}

/** @param {string} fen @param {string} colour */
async function startGame(fen, colour) {
  try {
    const made = await api.post('/api/games', { rulebook: state.tree.rulebook, opponent: { kind: 'level', level: LEVEL }, color: colour, time: 'none', preset: 'casual', fen });
    location.assign(made.url);
  } catch (trouble) {
    toast(/** @type {Error} */ (trouble).message);
  }
}

/** @param {any} view the game of the server @param {string} game its id */
async function markMistakes(view, game) {
  const known = await api.get(`/api/analysis/report?game=${encodeURIComponent(game)}`).catch(() => null);
  if (known?.report) report.show(known.report);
  else if (view.outcome) await report.ask();
  if (!report.report) return;
  report.picture?.show(mainPly(state.node));
  const main = state.tree.main();
  for (const mistake of report.report.mistakes) {
    const node = main[mistake.ply];
    if (!node || !mistake.kind) continue;
    node.nags = [{ blunder: 4, mistake: 2, inaccuracy: 6 }[/** @type {'blunder'} */ (mistake.kind)]];
  }
  drawMoves();
}

// Texts

/** A pasted game goes on from here if it fits, else it is a game of its own. @param {string} text */
function takeText(text) {
  const dialog = openImport(importParts());
  const field = document.querySelector('[data-testid="import-text"]');
  if (field) /** @type {HTMLTextAreaElement} */ (field).value = text;
  /** @type {HTMLElement|null} */ (document.querySelector('[data-testid="import-read"]'))?.click();
  return dialog;
}

function importParts() {
  return {
    rulebook: state.book.id,
    onGame: (/** @type {any} */ game) => { state.game = ''; const tree = Tree.read(game); take(tree, tree.end(tree.root)); },
    onFen: async (/** @type {string} */ fen) => { if (!await setUp(fen)) throw new Error(byId('fen-problem').textContent ?? ''); },
  };
}

// Buttons and keys

byId('flip').addEventListener('click', flip);
byId('settings').addEventListener('click', openSettings);
onPreferences(({ numbering }) => { board.numbering = numbering; });
byId('edit').addEventListener('click', () => (editor.open ? leaveEditor() : openEditor()));
byId('import').addEventListener('click', () => openImport(importParts()));
byId('export').addEventListener('click', () => openExport({ fen: state.view.fen, pdn: api.post('/api/pdn/write', state.tree.written()) }));
byId('play-from-here').addEventListener('click', () => startGame(state.view.fen, state.view.turn));
byId('first').addEventListener('click', () => go(state.tree.root));
byId('back').addEventListener('click', () => go(state.node.parent ?? state.node));
byId('forward').addEventListener('click', () => go(state.node.children[0] ?? state.node));
byId('last').addEventListener('click', () => go(state.tree.end(state.node)));
byId('promote').addEventListener('click', () => { state.tree.promote(state.node); drawMoves(); remember(); });
byId('delete').addEventListener('click', () => go(state.tree.remove(state.node)));
byId('comment').addEventListener('change', (/** @type {Event} */ event) => {
  const said = /** @type {HTMLTextAreaElement} */ (event.target).value.trim();
  state.node.comments = said ? [said] : [];
  drawMoves();
  keepTree();
});
byId('rulebook').addEventListener('change', async (/** @type {Event} */ event) => {
  const choice = /** @type {HTMLSelectElement} */ (event.target), id = choice.value;
  const next = await rulebook(id).catch((problem) => { toast(problem.message); });
  if (!next) return void (choice.value = state.book.id);
  const same = next.board.size === state.book.board.size && next.board.all_squares === state.book.board.all_squares;
  const moved = state.tree.fen || state.node !== state.tree.root;
  await setUp(same && moved ? fenOf(next, board.position.pieces, board.position.turn) : '', id);
  if (editor.open) openEditor();
});
byId('fen-form').addEventListener('submit', async (/** @type {Event} */ event) => {
  event.preventDefault();
  if (await setUp(byId('fen').value) && editor.open) openEditor();
});
shareButton(() => {
  const query = new URLSearchParams({ rulebook: state.tree.rulebook, fen: state.tree.fen, moves: state.tree.moves(state.node).join('.'), orientation: board.orientation });
  return {
    title: `${t('analysis.title')} · ${state.book.name}`, path: `${location.pathname}${location.search}`,
    files: [
      { kind: 'PDN', name: 'damas.pdn', type: 'text/x-pdn', makeText: async () => (await api.post('/api/pdn/write', state.tree.written())).pdn },
      ...['svg', 'png', 'gif'].map((kind) => ({ kind: kind.toUpperCase(), href: `/position.${kind}?${query}`, name: `damas.${kind}` })),
    ],
  };
});

function flip() {
  board.orientation = board.orientation === 'white' ? 'black' : 'white';
  byId('eval-bar').classList.toggle('flipped', board.orientation === 'black');
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => go(state.node.parent ?? state.node),
  ArrowRight: () => go(state.node.children[0] ?? state.node),
  ArrowUp: () => go(state.tree.root),
  ArrowDown: () => go(state.tree.end(state.node)),
  'shift+ArrowLeft': () => go(state.tree.branching(state.node)),
  'shift+ArrowRight': () => go(state.node.children.length > 1 ? state.node.children[1] : state.node.children[0] ?? state.node),
  'shift+ArrowUp': () => go(brother(-1)),
  'shift+ArrowDown': () => go(brother(1)),
  l: () => engine.toggle(),
  a: () => engine.toggleArrows(),
  ' ': () => { if (engine.best) play(engine.best); else engine.toggle(true); },
  f: flip,
};

/** The move before or after among those that could be played instead. @param {number} by */
function brother(by) {
  const brothers = state.node.parent?.children ?? [state.node];
  return brothers[(brothers.indexOf(state.node) + by + brothers.length) % brothers.length];
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event) || document.querySelector('dialog[open]') || editor.open) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const act = KEYS[(event.shiftKey ? 'shift+' : '') + event.key];
  const pressing = event.key === ' ' && target.closest('button, a, summary, [role="gridcell"], [role="tab"]');
  const chooses = event.key.startsWith('Arrow') && target.closest('input, [role="grid"]');
  if (!act || pressing || chooses) return;
  event.preventDefault();
  act();
});

document.addEventListener('visibilitychange', () => {
  // Nobody looks: the engine rests, and goes on when somebody does.
  if (document.hidden) engine.leave();
  else if (state.view && !editor.open) look(state.node, state.view);
});

// The beginning

async function begin() {
  const asked = new URLSearchParams(location.search);
  const books = await api.get('/api/rulebooks');
  const list = books.rulebooks;
  byId('rulebook').replaceChildren(...list.map((/** @type {any} */ book) => h('option', { value: book.id }, book.name ?? book.id)));
  board.movable = 'both';
  const game = asked.get('game');
  if (game && await beginWithGame(game, asked.get('ply'))) return;
  const kept = keptTree();
  if (kept) return take(kept.tree, kept.node);
  const known = list.find((/** @type {any} */ book) => book.id === asked.get('rulebook') || book.alias === asked.get('rulebook'));
  const id = known?.id ?? document.documentElement.dataset.rulebookDefault ?? 'brasileira';
  const tree = new Tree(id, asked.get('fen') ?? '');
  if (game) return beginAnew(id, t('play.connection.gone'));
  try {
    const nodes = tree.playAll(tree.root, (asked.get('moves') ?? '').split('.').filter(Boolean));
    await take(tree, nodes[nodes.length - 1]);
  } catch (trouble) {
    await beginAnew(id, /** @type {Error} */ (trouble).message);
  }
}

/** What the address asks for cannot be shown: says why, over a board that can be used. @param {string} id of a rulebook @param {string} why */
async function beginAnew(id, why) {
  await take(new Tree(id));
  byId('fen-problem').textContent = why;
  byId('fen-problem').hidden = false;
}

/** @param {{name: string, kind: string}} player of a stored game */
function nameOf({ name, kind }) {
  const level = /^level:(\d+)/.exec(kind)?.[1];
  return level ? t('games.level', { level }) : name || t('games.nobody');
}

/** @param {string} id @param {string|null} ply @returns {Promise<boolean>} false where there is no such game */
async function beginWithGame(id, ply) {
  const game = await api.get(`/game/export/${encodeURIComponent(id)}.json`).catch((problem) => {
    if (problem.status !== 404) throw problem;
  });
  if (!game) return false;
  const book = await rulebook(game.rulebook);
  state.game = id;
  const tree = new Tree(game.rulebook, game.start === book.start_fen ? '' : game.start);
  tree.tags = { White: game.white.name, Black: game.black.name };
  tree.named = [game.white, game.black].map(nameOf);
  tree.result = game.outcome?.result ?? '*';
  tree.playAll(tree.root, game.moves.map((/** @type {any} */ move) => move.text));
  const main = tree.main();
  report.side = game.you === 'white' || game.you === 'black' ? game.you : 'both';
  if (game.you === 'black') flip();
  await take(tree, ply ? main[Math.min(Number(ply), main.length - 1)] : main[main.length - 1]);
  markMistakes(game, id);
  return true;
}

begin().catch((trouble) => {
  byId('state').textContent = trouble.message;
}).finally(() => { document.body.dataset.ready = 'analysis'; });
