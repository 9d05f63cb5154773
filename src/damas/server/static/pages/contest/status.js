/** @import { ContestStatus } from './messages.js' */

/** Class of the tag that shows a status. @type {Partial<Record<ContestStatus, string>>} */
export const STATUS_TAGS = { running: 'tag-good', open: 'tag-blue', stuck: 'tag-bad' };
