/** The account page: each form is a call of the API, and its errors are shown as the server words them. */

import { api, tryAction } from '../lib/api.js';
import { $, $$, byId, h } from '../lib/dom.js';
import { lang, t } from '../lib/words.js';

/** @import { AccountView } from '../lib/messages.js' */

const message = byId('account-message');
const dateFormat = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });

/** @param {string} text @param {boolean} [isError] */
function showMessage(text, isError = false) {
  message.textContent = text;
  message.classList.toggle('notice-bad', isError);
  // On a phone the form is a screen further down.
  if (text) message.scrollIntoView({ block: 'nearest' });
}

/** Runs an action and shows its error. @param {() => Promise<void>} action */
function attempt(action) {
  showMessage('');
  return tryAction(action, (error) => showMessage(error.message, true));
}

/** @param {FormData} data @param {...string} names */
const fields = (data, ...names) => Object.fromEntries(names.map((name) => [name, data.get(name)]));

/** @param {string} path under the account's address @param {object} [body] */
async function postAndReload(path, body) {
  await api.post(`/api/account${path}`, body);
  location.reload();
}

/** By `data-form`. @type {Record<string, (data: FormData, form: HTMLFormElement) => Promise<void>>} */
const FORMS = {
  login: (data) => postAndReload('/login', fields(data, 'name', 'password')),
  signup: (data) => postAndReload('', { ...fields(data, 'name', 'password'), bot: data.has('bot') }),
  name: (data) => postAndReload('/name', fields(data, 'name')),
  close: (data) => postAndReload('/close', fields(data, 'password')),
  async password(data, form) {
    await api.post('/api/account/password', fields(data, 'old', 'new'));
    form.reset();
    await showAccount();
    showMessage(t('account.password_changed'));
  },
  async token(data, form) {
    const scopes = ['bot:play', 'board:play'].filter((scope) => data.has(scope));
    /** @type {{token: string}} */
    const { token } = await api.post('/api/account/tokens', { label: data.get('label'), scopes });
    const shown = $('[data-shown="token"]');
    shown.hidden = false;
    $('code', HTMLElement, shown).textContent = token;
    form.reset();
    await showAccount();
  },
};

for (const form of $$('form[data-form]', HTMLFormElement)) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(() => FORMS[form.dataset.form ?? ''](new FormData(form), form));
  });
}

document.querySelector('[data-action="logout"]')?.addEventListener('click', () => attempt(async () => {
  await api.post('/api/account/logout');
  // Nothing of this visitor stays for the next person at this device, not even offline.
  for (const name of ('caches' in window ? await caches.keys() : [])) await caches.delete(name);
  location.reload();
}));

document.querySelector('[data-action="revoke"]')?.addEventListener('click', () => attempt(async () => {
  await api.post('/api/account/revoke');
  await showAccount();
  showMessage(t('account.saved'));
}));

/**
 * @param {string} title @param {string} detail @param {string} label of the button
 * @param {(() => Promise<unknown>) | null} remove
 */
function row(title, detail, label, remove) {
  const button = remove && h('button.button.button-quiet', {
    onclick: () => attempt(async () => {
      await remove();
      await showAccount();
    }),
  }, label);
  return h('li', h('span', title, h('small', detail)), button);
}

/** "Firefox, Linux" for a user agent. @param {string} agent */
function browserName(agent) {
  const browser = agent.match(/(Firefox|Edg|OPR|SamsungBrowser|Chrome|Safari)\//)?.[1];
  const system = agent.match(/(Android|iPhone|iPad|Windows|Mac OS|Linux)/)?.[1] ?? '';
  if (!browser) return agent.slice(0, 60) || '–';
  return t('account.browser', { browser: browser.replace('Edg', 'Edge').replace('OPR', 'Opera'), system });
}

/** Shows where the account is logged in, and its tokens. */
async function showAccount() {
  const logins = document.querySelector('[data-list="logins"]');
  const tokens = document.querySelector('[data-list="tokens"]');
  if (!logins || !tokens) return;
  const lastSeen = (/** @type {number} */ ms) => t('account.last_seen', { date: dateFormat.format(ms) });
  /** @type {AccountView} */
  const account = await api.get('/api/account');
  logins.replaceChildren(...account.logins.map(({ key, agent, seen_ms, here }) => row(
    browserName(agent), here ? t('account.this_one') : lastSeen(seen_ms), t('account.end'),
    here ? null : () => api.post('/api/account/revoke', { login: key }))));
  tokens.replaceChildren(...account.tokens.map(({ id, label, scopes, used_ms }) => row(
    label || scopes.join(', '), used_ms ? lastSeen(used_ms) : t('account.token_unused'),
    t('account.token_revoke'),
    () => api.delete(`/api/account/tokens/${id}`))));
}

void attempt(showAccount);
