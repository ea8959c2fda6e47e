/** Keeps a removed connection for some days: when it was removed, in milliseconds since 1970; null for a connection that is in use. */

import type { Knex } from 'knex';

export const name = '0007-removed-connections';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table connections add column removed_at integer');
}
