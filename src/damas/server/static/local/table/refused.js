/** What the table does not allow. */

/** @import { Problem, Refusal } from '../../core/types.js' */

/**
 * Id of an article, or `regulation.` and a setting; empty where only the rulebook can be named.
 * @typedef {string} Cited
 */
/**
 * @typedef {{refusal: Refusal | null, problems: Problem[], text: string}} Cause why a move or its text is
 * refused
 */

export class ProcedureRefused extends Error {
  /**
   * @param {string} code
   * @param {Cited | null} [cited] null where nothing is cited
   * @param {Record<string, string | number>} [facts]
   * @param {{written?: boolean, cause?: Cause | null}} [more] written: the attempt is recorded
   */
  constructor(code, cited = null, facts = {}, { written = false, cause = null } = {}) {
    super(code);
    this.name = 'ProcedureRefused';
    this.code = code;
    this.cited = cited;
    this.facts = facts;
    this.written = written;
    this.cause = cause;
  }

  /** What its record cites. @returns {Cited | null} */
  get article() {
    return this.cause?.refusal ? this.cause.refusal.article : this.cited;
  }
}
