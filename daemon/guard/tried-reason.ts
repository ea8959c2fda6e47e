/** Reasons about a definition that is tried: before its COMMIT the database says what it did. */

import { type Reason, say } from './reason.ts';

export const triedReason = (command: string): Reason =>
  say`${command} adds or changes a definition, and is taken back and asked about if it does more than add.`;

/** What a database says that doesn't tell what a definition did. */
export const untold = say`This server doesn't tell what the definition did.`;
