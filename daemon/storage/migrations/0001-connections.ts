/** The first store: its identity and the connections, without their passwords. */

import type { Knex } from 'knex';

export const name = '0001-connections';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('store', table => {
    table.string('key').primary();
    table.text('value').notNullable();
  });
  await knex.schema.createTable('connections', table => {
    table.uuid('id').primary();
    table.text('name').notNullable();
    table.integer('revision').notNullable();
    /** Everything else of the record, as JSON: read and written as a whole, never searched. */
    table.text('record').notNullable();
  });
}
