/** Keeps connections in the store as JSON records. Passwords are never part of one. */

import type { Knex } from 'knex';
import type { Connection } from '../access/connection.ts';
import type { ConnectionStore } from '../access/connection-register.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly record: string;
}

export function connectionRecordsIn(knex: Knex): ConnectionStore {
  return {
    async load() {
      const rows: Row[] = await knex('connections').select('id', 'name', 'revision', 'record');
      return rows.map(row => ({ ...JSON.parse(row.record), id: row.id, name: row.name, revision: row.revision }));
    },
    async save(connection) {
      const { id, name, revision, ...rest } = connection satisfies Connection;
      await knex('connections')
        .insert({ id, name, revision, record: JSON.stringify(rest) })
        .onConflict('id')
        .merge();
    },
    async delete(id) {
      await knex('connections').where({ id }).delete();
    },
  };
}
