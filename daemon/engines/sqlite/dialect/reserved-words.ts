/** The words that SQLite refuses as an unquoted name; it accepts all its other keywords. */

import { wordsOf } from '../../dialect.ts';

export const reservedWords = wordsOf(`
  add all alter and as autoincrement between case cast check collate commit constraint create current_date current_time
  current_timestamp default deferrable delete distinct drop else escape except exists foreign from group having in index insert
  intersect into is isnull join limit not nothing notnull null on or order primary raise recursive references returning select set table
  then to transaction union unique update using values when where
`);
