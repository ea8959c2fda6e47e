/**
 * Makes room for rows of the activity log in fewer bytes: a token's name and id stand together in one text, and the index by category
 * answers what the one by time did. Rows that stand there stay as they are.
 */

import type { Knex } from 'knex';

export const name = '0006-activity-in-fewer-bytes';

const statements = [
  // The id of the token whose name the text is; null for every other text.
  'alter table activity_texts add column principal text',
  'create index activity_texts_by_principal on activity_texts (principal) where principal is not null',
  'drop index if exists activity_by_time',
];

export async function up(knex: Knex): Promise<void> {
  for (const statement of statements) await knex.raw(statement);
}
