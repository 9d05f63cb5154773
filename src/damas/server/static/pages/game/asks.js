/** What players ask of each other and of the arbiter: offers, answers, claims, counts, and the row of actions. */

import { $, fill, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @typedef {{you: string, view: any, begun: string, act: (what: string, facts?: object) => void}} Table `begun` is a capture that is being made, so far */

/** @param {string} side */
const other = (side) => (side === 'white' ? 'black' : 'white');

/** Whether a player's part is this visitor's. @param {string} you @param {string | null} side */
const isMine = (you, side) => side !== null && (you === side || you === 'both');

/** @param {string} testid @param {string} name @param {string} words @param {() => void} action @param {string} [kind] */
export function button(testid, name, words, action, kind = 'button-quiet') {
  return h(`button.${kind}`, { type: 'button', dataset: { testid }, onclick: action }, icon(name), h('span', null, words));
}

/** Questions that wait for an answer, and claims that are open. @param {Table} table */
export function showAsks({ you, view, begun, act }) {
  const shown = you === 'viewer' || view.outcome ? [] : [...offers(you, view, act), ...takeBacks(you, view, act), ...chains(you, view, act), ...releases(you, view, begun, act), ...claims(view, act)];
  if (view.adjusting?.some((/** @type {string} */ side) => isMine(you, side))) shown.push(h('p.ask.small', null, t('play.adjusting')));
  fill($('#asks'), shown);
  $('#asks').hidden = !shown.length;
}

/** @param {string} words @param {...HTMLElement} answers */
function ask(words, ...answers) {
  return h('div.ask', { role: 'status' }, h('p', null, words), h('div.toolbar', null, ...answers));
}

/** @param {string} you @param {any} view @param {Table['act']} act */
function offers(you, view, act) {
  if (!view.offer) return [];
  if (you === view.offer) return [h('p.ask.small', { role: 'status' }, t('play.offer_mine'))];
  return [ask(t('play.offer_theirs'), button('accept', 'check', t('play.accept'), () => act('accept'), 'button'), button('decline', 'close', t('play.decline'), () => act('decline')))];
}

/** @param {string} you @param {any} view @param {Table['act']} act */
function takeBacks(you, view, act) {
  if (!view.take_back) return [];
  if (you === view.take_back) return [h('p.ask.small', { role: 'status' }, t('play.take_back_mine'))];
  return [ask(t('play.take_back_theirs'), button('grant', 'check', t('play.accept'), () => act('grant'), 'button'), button('refuse', 'close', t('play.decline'), () => act('refuse')))];
}

/** A capture let go too early: the opponent accepts it or demands the rest. @param {string} you @param {any} view @param {Table['act']} act */
function chains(you, view, act) {
  const chain = view.unfinished;
  if (!chain || chain.demanded || !isMine(you, other(chain.by))) return [];
  return [ask(t('play.unfinished_theirs', { move: chain.move }), button('accept', 'check', t('play.accept'), () => act('accept'), 'button'), button('demand', 'claim', t('play.demand'), () => act('demand')))];
}

/** Over the board a piece that is let go has made its move, finished or not. @param {string} you @param {any} view @param {string} begun @param {Table['act']} act */
function releases(you, view, begun, act) {
  if (!begun || !view.can.includes('stop') || !isMine(you, view.to_move)) return [];
  return [ask(t('play.release_line'), button('stop', 'hand', t('play.release'), () => act('stop', { move: begun })))];
}

/** @param {any} view @param {Table['act']} act */
function claims(view, act) {
  return view.claims.map((/** @type {any} */ claim) =>
    button(`claim-${claim.rule}`, claim.kind === 'attention' ? 'bell' : 'claim', claim.message, () => act(claim.kind, { rule: claim.rule }), 'button-quiet.claim'));
}

/** Short limits are worth knowing from their first move, long ones once a good part has run. @param {any} count */
const isWorthShowing = ({ have, need }) => need <= 15 || 4 * have >= need;

/** "7 of 13 (Art. 12)" with how far that is. @param {any} view */
export function showCounts(view) {
  const shown = (view.outcome ? [] : view.counts.filter(isWorthShowing)).map((/** @type {any} */ count) => {
    const bar = h('span');
    bar.style.width = `${Math.min(100, (100 * count.have) / count.need)}%`;
    return h('div.counter', { dataset: { testid: `count-${count.rule}` } },
      count.article_id && !count.platform ? h('a.counter-words', { href: `/rules/${count.rulebook}#${count.article_id}`, target: '_blank', rel: 'noopener' }, count.message) : h('span.counter-words', null, count.message),
      h('div.progress', { role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': count.need, 'aria-valuenow': Math.min(count.have, count.need), 'aria-label': count.message }, bar));
  });
  fill($('#counters'), shown);
  $('#counters').hidden = !shown.length;
}

/** Asks once more before what cannot be undone. @param {HTMLElement} from @param {string} question @param {() => void} done */
export function twoSteps(from, question, done) {
  const back = (/** @type {boolean} */ said) => { box.replaceWith(from); from.focus(); if (said) done(); };
  const yes = h('button.button-bad', { type: 'button', dataset: { testid: `${from.dataset.testid}-confirm` }, onclick: () => back(true) }, t('play.yes'));
  const box = h('div.two-steps', { role: 'group', 'aria-label': question, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Escape') back(false); } },
    h('span.two-steps-words', null, question), yes, h('button.button-quiet', { type: 'button', dataset: { testid: `${from.dataset.testid}-cancel` }, onclick: () => back(false) }, t('play.no')));
  from.replaceWith(box);
  yes.focus();
}
