/** Counts of draw rules. */

/** @import { CountView } from './types.js' */

const SHORT_LIMIT_MOVES = 13;

/** Short limits are shown at once, long ones after a quarter. @param {CountView} count */
export const isWorthShowing = ({ have, need }) => need <= SHORT_LIMIT_MOVES || 4 * have >= need;
