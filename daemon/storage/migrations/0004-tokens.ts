/** Which tokens there are, and which have ended: an older copy of the secrets must not bring one back. */

import type { Knex } from 'knex';

export const name = '0004-tokens';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('tokens', table => {
    table.uuid('id').primary();
    /** ISO 8601. */
    table.text('revoked_at');
    /** 1 until its record is out of the secret store as well. */
    table.integer('is_deleted').notNullable().defaultTo(0);
  });
}
