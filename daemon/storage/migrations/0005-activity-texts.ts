/**
 * The activity log's repeated texts, each once; its rows name them by number from now on. Rows that stand there keep theirs, and all
 * keep their MACs, which cover what a row says and not how it is stored.
 */

import type { Knex } from 'knex';

export const name = '0005-activity-texts';

const statements = [
  `create table activity_texts (
    id integer primary key,
    epoch integer not null,
    text text not null
  )`,
  'create index activity_texts_by_text on activity_texts (text, epoch)',
];

export async function up(knex: Knex): Promise<void> {
  for (const statement of statements) await knex.raw(statement);
}
