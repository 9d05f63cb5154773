/** Calls to the server's JSON API; its error responses are thrown as `ApiError`. */

import { responseTo } from './silence.js';
import { t } from './words.js';

/** @typedef {{code: string, message: string, [fact: string]: unknown}} ErrorBody `code` is a fixed word */

export class ApiError extends Error {
  name = 'ApiError';

  /** @param {number} status HTTP status, 0 if there was no response @param {ErrorBody} body */
  constructor(status, body) {
    super(body.message);
    this.status = status;
    this.code = body.code;
  }
}

/** The server could not be reached; the browser's own error text is not for visitors. */
export function connectionError() {
  return new ApiError(0, { code: 'UNREACHABLE', message: t('frame.unreachable') });
}

/** Whether the same request may succeed later: no response, a limit, or trouble. @param {unknown} error */
export function isTemporary(error) {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** The message of anything that was thrown. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Runs an action and returns whether it succeeded; an `ApiError` is handed to `onError`.
 * @param {() => Promise<unknown>} action @param {(error: ApiError) => void} onError
 */
export async function tryAction(action, onError) {
  try {
    await action();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    onError(error);
    return false;
  }
}

/**
 * As `fetch`; throws an `ApiError` without a response of the server. A proxy whose server is away answers in
 * its place, but not with JSON.
 * @param {string} path @param {RequestInit} options
 */
export async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...options });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw connectionError();
  }
  if ([502, 503, 504].includes(response.status) && !isJson(response)) throw connectionError();
  return response;
}

/** @param {Response} response */
function isJson(response) {
  return (response.headers.get('Content-Type') ?? '').includes('json');
}

/**
 * The content of a response; throws an `ApiError` if it is an error.
 * @param {Response} response
 * @returns {Promise<any>} any: each caller declares the type that its address returns
 */
export async function readResponse(response) {
  const content = isJson(response) ? await response.json() : await response.text();
  if (response.ok) return content;
  // An error without our object comes from something between the browser and the server.
  const body = isJson(response) && content?.error
    ? content.error : { code: `HTTP_${response.status}`, message: t('frame.unreachable') };
  throw new ApiError(response.status, body);
}

/** Sent with every request that changes something: other websites cannot send it. */
export const WRITE_HEADERS = { 'X-Damas': '1' };

/**
 * Answers that this page gives itself, by address.
 * @type {Map<string, (body: any) => Promise<unknown>>} any: each address has its own body
 */
const localAnswers = new Map();

/**
 * From now on this page answers what is sent to an address, in the form of the server's answer.
 * @param {string} path @param {(body: any) => Promise<unknown>} answer any: each address has its own body
 */
export function answerLocally(path, answer) {
  localAnswers.set(path, answer);
}

/** What stores nothing on the server though it is sent by POST: it may be sent twice, or given up. */
export const QUERIES = new Set([
  '/api/position', '/api/explain', '/api/compare', '/api/endings', '/api/endings/reply', '/api/tablebase',
  '/api/analysis/setup', '/api/analysis/line', '/api/analysis/judge', '/api/analysis/fair',
  '/api/pdn/read', '/api/pdn/write',
]);

/** What answers requests without a network: a bundle of its own, which the service worker keeps. */
const LOCAL_ANSWERS = '/static/bundle/answers.js';

/**
 * The answer of the core in this browser to a request that did not reach the server; throws that request's
 * error where there is none.
 * @param {string} method @param {string} path @param {unknown} body @param {ApiError} error
 */
async function answerWithoutNetwork(method, path, body, error) {
  /** @type {typeof import('../local/answers.js')} */
  const { answer } = await import(LOCAL_ANSWERS).catch(() => { throw error; });
  const reply = await answer(method, path, body);
  if (!reply) throw error;
  if (reply.error) throw new ApiError(reply.status, reply.error);
  return reply.content;
}

/** @param {string} method @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] */
async function call(method, path, body, signal) {
  const answer = localAnswers.get(path);
  if (answer) return answer(body);
  const headers = {
    Accept: 'application/json', ...(method === 'GET' ? {} : WRITE_HEADERS),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  let response;
  try {
    const isQuery = method === 'GET' || (method === 'POST' && QUERIES.has(path));
    const content = body === undefined ? undefined : JSON.stringify(body);
    response = await responseTo((until) => request(path, { method, headers, signal: until, body: content }),
      { isQuery, signal });
    if (!response) throw connectionError();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return answerWithoutNetwork(method, path, body, error);
  }
  return readResponse(response);
}

export const api = {
  /** @param {string} path */
  get: (path) => call('GET', path),
  /** @param {string} path @param {unknown} [body] @param {{signal?: AbortSignal}} [options] */
  post: (path, body = {}, { signal } = {}) => call('POST', path, body, signal),
  /** @param {string} path @param {unknown} [body] */
  put: (path, body = {}) => call('PUT', path, body),
  /** @param {string} path */
  delete: (path) => call('DELETE', path),
};
