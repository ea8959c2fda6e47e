/** Reasons about a definition that is tried: before its COMMIT the database says what it did. */

import { type Reason, say } from './reason.ts';

export const triedReason = (command: string): Reason =>
  say('%@ adds or changes a definition, and is taken back and asked about if it does more than add.', command);

/** The database doesn't say, or says more than can be looked through. */
export const untold = say('What the definition did could not be told.');
