/** The server's answers as values, and its refusals as errors that speak. */

import { t } from './words.js';

export class ApiProblem extends Error {
  /** @param {number} status @param {{code: string, message: string, [fact: string]: unknown}} error */
  constructor(status, error) {
    super(error.message);
    this.name = 'ApiProblem';
    this.status = status;
    /** Stable, never translated. */
    this.code = error.code;
    /** The whole error object of the server. */
    this.error = error;
  }
}

/**
 * @param {string} method @param {string} path @param {unknown} [body] @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
async function ask(method, path, body, options = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json' };
  if (method !== 'GET') headers['X-Damas'] = '1';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await reach(path, { method, headers, signal: options.signal, body: body === undefined ? undefined : JSON.stringify(body) });
  return read(answer);
}

/**
 * The answer of this server, whatever it says; an `ApiProblem` in the visitor's language where none comes.
 * @param {string} path @param {RequestInit} wanted
 */
export async function reach(path, wanted) {
  try {
    return await fetch(path, { credentials: 'same-origin', ...wanted });
  } catch (trouble) {
    if (wanted.signal?.aborted) throw trouble;
    throw unreachable();
  }
}

/** What the browser says of a broken line is for programmers, and in its own language. */
export const unreachable = () => new ApiProblem(0, { code: 'UNREACHABLE', message: t('frame.unreachable') });

/** What an answer says; a refusal is thrown. @param {Response} answer @returns {Promise<any>} */
export async function read(answer) {
  const type = answer.headers.get('Content-Type') ?? '';
  const content = type.includes('json') ? await answer.json() : await answer.text();
  if (answer.ok) return content;
  const error = typeof content === 'object' && content?.error ? content.error : null;
  throw new ApiProblem(answer.status, error ?? { code: `HTTP_${answer.status}`, message: t('frame.unreachable') }); // not ours: something between answered
}

export const api = {
  /** @param {string} path @param {{signal?: AbortSignal}} [options] */
  get: (path, options) => ask('GET', path, undefined, options),
  /** @param {string} path @param {unknown} [body] @param {{signal?: AbortSignal}} [options] */
  post: (path, body = {}, options) => ask('POST', path, body, options),
  /** @param {string} path @param {unknown} [body] */
  put: (path, body = {}) => ask('PUT', path, body),
  /** @param {string} path */
  delete: (path) => ask('DELETE', path),
};

/** @type {Map<string, Promise<any>>} */
const books = new Map();

/** A rulebook as boards eat it; asked once per page. @param {string} id */
export function rulebook(id) {
  let book = books.get(id);
  if (!book) {
    book = api.get(`/api/rulebook/${encodeURIComponent(id)}`);
    book.catch(() => books.delete(id));
    books.set(id, book);
  }
  return book;
}
