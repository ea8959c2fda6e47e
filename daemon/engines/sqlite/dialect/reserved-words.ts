/**
 * What SQLite refuses so; for all its other keywords it takes a name instead. Unless they are
 * quoted, a statement may not have them for a name.
 */

import { wordsOf } from '../../dialect.ts';

export const reservedWords = wordsOf(`
  add all alter and as autoincrement between case cast check collate commit constraint create current_date current_time
  current_timestamp default deferrable delete distinct drop else escape except exists foreign from group having in index insert
  intersect into is isnull join limit not nothing notnull null on or order primary raise recursive references returning select set table
  then to transaction union unique update using values when where
`);
