/**
 * Whose browser this is. Pages that are shown without a network come from a cache, as anybody sees them: the
 * account is the one that the server named last.
 */

import { loadValue, storeValue } from './storage.js';
import { KINDS, noteUnsent } from './unsent.js';

const STORAGE_KEY = 'damas.account';

/** Notes the account that the server names on this page, and that its things may be sent now. */
export function noteAccount() {
  const { account } = document.documentElement.dataset;
  if (account === undefined || account === currentAccount()) return;
  storeValue(STORAGE_KEY, account || null);
  for (const kind of KINDS) noteUnsent(kind);
}

/** The id of the account that is logged in; empty without one. @returns {string} */
export function currentAccount() {
  return loadValue(STORAGE_KEY) ?? '';
}
