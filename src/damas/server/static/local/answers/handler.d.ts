// How the browser answers a request of the pages without a network.

import type { CoreWorker } from '../core-worker.js';
import type { Sentences } from '../sentences.js';

export interface LocalRequest {
  /** What the places of the pattern stand for: `{id}`. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  /** any: each address has its own body; a handler declares it. */
  body: any;
}

/** What a handler may use. */
export interface Tools {
  /** The page's language. */
  language: string;
  /** Questions to the core; a text that it cannot read and a refused move are thrown as `CoreFailure`. */
  core: Pick<CoreWorker, 'ask'>;
  /**
   * JSON of an address that the service worker keeps; throws where it does not.
   * any: each caller declares the type that the address returns.
   */
  load(path: string): Promise<any>;
  /** The sentences about a rulebook. */
  sentences(rulebook: string): Promise<Sentences>;
}

/** Returns what the server would; throws `AnswerError` where the server would answer with an error. */
export type Handler = (request: LocalRequest, tools: Tools) => Promise<unknown>;

/** Handlers by method and path, written as in Python: `GET /api/examples/{id}`; the first fit answers. */
export type Handlers = Record<string, Handler>;
