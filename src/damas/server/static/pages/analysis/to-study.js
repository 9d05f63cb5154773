/** Makes the game on the board a study: with a report, its sentences, signs, better lines and arrows. */

import { api } from '../../lib/api.js';
import { lang } from '../../lib/words.js';
import { toggleDrawing } from './marks.js';
import { state } from './state.js';
import { Tree } from './tree.js';

/** @import { MistakeView, ReportView, RulebookView } from '../../lib/messages.js' */
/** @import { Node } from './tree.js' */

/** Numeric annotation glyphs of PDN. */
export const MISTAKE_NAGS = { blunder: 4, mistake: 2, inaccuracy: 6 };
const GOOD_MOVE_NAG = 1;

/** A mistake in the visitor's language. @param {MistakeView} mistake */
export function mistakeWords({ sentence }) {
  return sentence[lang] ?? sentence.en;
}

/**
 * Adds to a tree what a report says of its main line: at each mistake a sign and its sentence, before it an
 * arrow for the better move, beside it the better line.
 * @param {Tree} tree @param {ReportView} report @param {RulebookView} book
 */
export function annotate(tree, { mistakes }, book) {
  const mainLine = tree.mainLine();
  for (const mistake of mistakes) {
    const node = mainLine[mistake.ply], before = mainLine[mistake.ply - 1];
    if (!node || !before) continue;
    if (mistake.kind) setSign(node, MISTAKE_NAGS[mistake.kind]);
    const sentence = mistakeWords(mistake);
    if (!node.comments.includes(sentence)) node.comments = [sentence, ...node.comments];
    const [first] = tree.playAll(before, mistake.line);
    if (!first || first === node) continue;
    setSign(first, GOOD_MOVE_NAG);
    first.comments = first.comments.filter((comment) => comment !== sentence);
    const ends = endsOf(mistake.best, book);
    if (ends && !before.commands.includes('[%cal')) {
      toggleDrawing(before, book, { from: ends[0], to: ends[1], brush: 'green' });
    }
  }
}

/** @param {Node} node @param {number} nag */
function setSign(node, nag) {
  if (!node.nags.length) node.nags = [nag];
}

/** The squares where a move begins and ends. @param {string} text @param {RulebookView} book */
function endsOf(text, { board: { squares, scheme } }) {
  const names = text.split(/[-x]/);
  const places = [names[0], names[names.length - 1]].map((name) =>
    squares.findIndex((square) => square[scheme] === name || square.alg === name));
  return places.includes(-1) ? null : places;
}

/** Makes the study and opens it. @param {ReportView | null} report on the game, where there is one */
export async function makeStudy(report) {
  const tree = Tree.fromGame(state.tree.toGame());
  if (report) annotate(tree, report, state.book);
  const title = state.tree.players || state.book.name;
  const { url } = await api.post('/api/studies', { title, chapter: { ...tree.toGame(), title } });
  location.href = url;
}
