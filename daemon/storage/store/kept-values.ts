/** Single values in the tables `store` and `settings`: one text per key. */

import type { Knex } from 'knex';

type Table = 'store' | 'settings';

interface Tables {
  readonly knex: Knex;
  readonly write: (query: Knex.QueryBuilder) => Promise<unknown>;
}

/** @returns null if there is none. */
export async function keptValue({ knex }: Pick<Tables, 'knex'>, table: Table, key: string): Promise<string | null> {
  const row: { value: string } | undefined = await knex(table).where({ key }).first('value');
  return row?.value ?? null;
}

export async function keepValue({ knex, write }: Tables, table: Table, key: string, value: string): Promise<void> {
  await write(keepingValue(knex, table, key, value));
}

export function keepingValue(knex: Knex, table: Table, key: string, value: string): Knex.QueryBuilder {
  return knex(table).insert({ key, value }).onConflict('key').merge();
}
