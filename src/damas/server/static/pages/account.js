/** The account page: every form is a call of the API; what the server refuses it says in its own words. */

import { api, ApiError } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { lang, t } from '../lib/words.js';

const message = /** @type {HTMLElement} */ (document.querySelector('[data-testid="account-message"]'));

/** @param {string} text @param {boolean} [wrong] */
function say(text, wrong = false) {
  message.textContent = text;
  message.classList.toggle('notice-bad', wrong);
  // On a phone the form that was sent lies a screen further down.
  if (text) message.scrollIntoView({ block: 'nearest' });
}

/** Does something and shows what goes wrong. @param {() => Promise<void>} work */
async function attempt(work) {
  say('');
  try {
    await work();
  } catch (trouble) {
    if (!(trouble instanceof ApiError)) throw trouble;
    say(trouble.message, true);
  }
}

/** @type {Record<string, (data: FormData, form: HTMLFormElement) => Promise<void>>} */
const forms = {
  async login(data) {
    await api.post('/api/account/login', { name: data.get('name'), password: data.get('password') });
    location.reload();
  },
  async signup(data) {
    await api.post('/api/account', { name: data.get('name'), password: data.get('password'), bot: data.has('bot') });
    location.reload();
  },
  async name(data) {
    await api.post('/api/account/name', { name: data.get('name') });
    location.reload();
  },
  async password(data, form) {
    await api.post('/api/account/password', { old: data.get('old'), new: data.get('new') });
    form.reset();
    await show();
    say(t('account.password_changed'));
  },
  async close(data) {
    await api.post('/api/account/close', { password: data.get('password') });
    location.reload();
  },
  async token(data, form) {
    const scopes = ['bot:play', 'board:play'].filter((scope) => data.has(scope));
    const { token } = await api.post('/api/account/tokens', { label: data.get('label'), scopes });
    const shown = /** @type {HTMLElement} */ (document.querySelector('[data-shown="token"]'));
    shown.hidden = false;
    /** @type {HTMLElement} */ (shown.querySelector('code')).textContent = token;
    form.reset();
    await show();
  },
};

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-form]'))) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(() => forms[form.dataset.form ?? ''](new FormData(form), form));
  });
}

document.querySelector('[data-action="logout"]')?.addEventListener('click', () => attempt(async () => {
  await api.post('/api/account/logout');
  // The next person at this machine sees nothing of this one, not even without a network.
  for (const name of ('caches' in window ? await caches.keys() : [])) await caches.delete(name);
  location.reload();
}));

document.querySelector('[data-action="revoke"]')?.addEventListener('click', () => attempt(async () => {
  await api.post('/api/account/revoke');
  await show();
  say(t('account.saved'));
}));

const dates = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });

/** @param {string} title @param {string} detail @param {string} label @param {(() => Promise<unknown>) | null} end */
function row(title, detail, label, end) {
  const button = end && h('button.button.button-quiet', {
    type: 'button',
    onclick: () => attempt(async () => { await end(); await show(); }),
  }, label);
  return h('li', null, h('span', null, title, h('small', null, detail)), button);
}

/** A browser as its owner knows it. @param {string} agent */
function browserName(agent) {
  const [, browser] = agent.match(/(Firefox|Edg|OPR|SamsungBrowser|Chrome|Safari)\//) ?? [];
  const [, system] = agent.match(/(Android|iPhone|iPad|Windows|Mac OS|Linux)/) ?? [];
  return browser ? t('account.browser', { browser: browser.replace('Edg', 'Edge').replace('OPR', 'Opera'), system: system ?? '' }) : agent.slice(0, 60) || '–';
}

/** Where the account is open, and the tokens it has given. */
async function show() {
  const logins = document.querySelector('[data-list="logins"]');
  const tokens = document.querySelector('[data-list="tokens"]');
  if (!logins || !tokens) return;
  const account = await api.get('/api/account');
  logins.replaceChildren(...account.logins.map((/** @type {any} */ login) => row(
    browserName(login.agent),
    login.here ? t('account.this_one') : t('account.last_seen', { date: dates.format(login.seen_ms) }),
    t('account.end'),
    login.here ? null : () => api.post('/api/account/revoke', { login: login.key }),
  )));
  tokens.replaceChildren(...account.tokens.map((/** @type {any} */ token) => row(
    token.label || token.scopes.join(', '),
    token.used_ms ? t('account.last_seen', { date: dates.format(token.used_ms) }) : t('account.token_unused'),
    t('account.token_revoke'),
    () => api.delete(`/api/account/tokens/${token.id}`),
  )));
}

attempt(show);
