/** The settings, the pause, when tokens were last used, and the hashes of bridge tokens that may still be presented. */

import type { Knex } from 'knex';

export const name = '0003-settings-and-token-uses';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('settings', table => {
    table.string('key').primary();
    /** JSON. */
    table.text('value').notNullable();
  });
  await knex.schema.createTable('token_uses', table => {
    table.uuid('token_id').primary();
    /** Milliseconds since 1970. */
    table.integer('last_used_at').notNullable();
  });
  await knex.schema.createTable('bridge_tokens', table => {
    table.string('hash').primary();
    /** Milliseconds since 1970. */
    table.integer('issued_at').notNullable();
  });
}
