/** The page for a television in the hall: it changes its slides and heals by itself; arrows step. */

import { $, byId, fill, showText } from '../lib/dom.js';
import { keepAwake } from '../lib/awake.js';
import { publicUrl } from '../lib/share.js';
import { clockFace } from '../lib/times.js';
import { lang, t } from '../lib/words.js';
import { draw, fitNames, heading } from './tv/draw.js';
import { followHall } from './tv/feed.js';
import { keyOf, readOptions, roundTime, slidesOf, stepFrom } from './tv/slides.js';

/** @import { TableRowView, TournamentView } from './tournament/messages.js' */
/** @import { HallScreenView } from './tv/messages.js' */

const UPDATE_MS = 250;
const id = $('#tv').dataset.tournament ?? '';
const options = readOptions(location.search);
const stage = byId('tv-stage');
const timeOfDay = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit' });

/**
 * @type {{tournament: TournamentView, screen: HallScreenView, players: TableRowView[], at: number} | null}
 */
let latest = null;
let shownKey = '';
/** When the next slide comes, on the page's clock. */
let nextAt = 0;
/** Since when the server has not answered, on the device's clock. @type {number | null} */
let lostAt = null;

/** @param {number} step */
function show(step) {
  if (!latest) return;
  const { tournament, screen, players } = latest;
  const slides = slidesOf(tournament, screen, options, players);
  const at = stepFrom(slides, shownKey, step), slide = slides[at];
  shownKey = keyOf(slide);
  byId('tv-title').textContent = tournament.title;
  byId('tv-heading').textContent = heading(slide, tournament);
  showText(byId('tv-round'), tournament.round
    ? t('tv.round_of', { n: tournament.round, of: tournament.rounds }) : '');
  byId('tv-place').textContent = slides.length > 1 ? `${at + 1}/${slides.length}` : '';
  stage.dataset.kind = slide.kind;
  stage.style.setProperty('--rows', String(options.rows));
  fill(stage, draw(slide, tournament));
  fitNames(stage);
  update();
}

/** @param {number} step */
function stepBy(step) {
  nextAt = performance.now() + options.seconds * 1000;
  show(step);
}

function update() {
  byId('tv-now').textContent = timeOfDay.format(Date.now());
  const time = latest && roundTime(latest.screen, performance.now() - latest.at, options.delayMs);
  const isOpen = latest?.tournament.played.some(({ published, complete }) => published && !complete) ?? false;
  const { face, words } = time && isOpen ? timeWords(time) : { face: '', words: '' };
  showText(byId('tv-left'), stage.dataset.kind === 'timer' ? '' : face);
  const clock = stage.querySelector('[data-testid="tv-clock"]');
  if (clock) clock.textContent = face;
  const line = stage.querySelector('[data-testid="tv-clock-words"]');
  if (line) line.textContent = words || t('tv.round_over');
}

/** @param {{elapsed: number, left: number | null}} time */
function timeWords({ elapsed, left }) {
  if (elapsed < 0) return { face: clockFace(Math.max(10_000, -elapsed)), words: t('tv.starts_in') };
  if (left === null) return { face: clockFace(Math.max(10_000, elapsed)), words: t('tv.elapsed') };
  if (left === 0) return { face: clockFace(elapsed), words: t('tv.time_over') };
  return { face: clockFace(Math.max(left, 10_000)), words: t('tv.left') };
}

/** @param {import('../lib/api.js').ApiError | null} trouble */
function onTrouble(trouble) {
  if (!trouble) {
    lostAt = null;
    return showText(byId('tv-stale'), '');
  }
  lostAt ??= Date.now();
  const isRefused = trouble.status > 0 && trouble.status < 500;
  showText(byId('tv-stale'), isRefused ? trouble.message
    : t(latest ? 'tv.stale' : 'tv.no_server', { time: timeOfDay.format(lostAt) }));
}

document.addEventListener('keydown', ({ key }) => {
  if (key === 'ArrowRight') stepBy(1);
  else if (key === 'ArrowLeft') stepBy(-1);
});
window.addEventListener('resize', () => fitNames(stage));

const path = `/club/${id}`;
byId('tv-address').textContent = publicUrl(path).replace(/^https?:\/\//, '');
setInterval(() => {
  if (latest && performance.now() >= nextAt) stepBy(1);
  else update();
}, UPDATE_MS);
keepAwake(true);
document.body.dataset.ready = 'tv';
void followHall(id, (tournament, screen, players) => {
  const isFirst = latest === null;
  latest = { tournament, screen, players, at: performance.now() };
  if (isFirst) stepBy(0);
  else show(0);
}, onTrouble);
