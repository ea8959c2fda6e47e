/** Keeps how many rows of a table each token has changed, by the minute, so that a restart doesn't begin its hour anew. */

import type { Knex } from 'knex';

export const name = '0008-changed-rows';

export async function up(knex: Knex): Promise<void> {
  // By the minute first: what is old is removed with each row that is added.
  await knex.raw(
    'create table changed_rows (minute integer, account text, place text, rows integer not null, primary key (minute, account, place)) strict, without rowid',
  );
}
