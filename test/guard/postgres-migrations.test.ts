/**
 * Migrations as fourteen tools write them, each sent by a client to a database of its own with
 * `test/sql/migrations/before.sql` in it: how many of their 200 statements ask. None that
 * only adds asks.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { writingClient } from '../attacks/write-as-a-client.ts';
import { endpointOf, portsOf } from '../engines/postgres/suite.ts';
import { needs } from '../needs.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';

const folder = new URL('../sql/migrations/', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(`${name}.sql`, folder), 'utf8');

/** The statements of each migration that ask, by their beginning; all others don't. */
const asking: Readonly<Record<string, readonly string[]>> = {
  'rails-1-create-articles': [],
  'rails-2-add-columns': [],
  // An already filled column could be the one.
  'rails-3-add-reference': ['ALTER TABLE "orders" ADD CONSTRAINT'],
  'rails-4-enable-extensions': [],
  'rails-5-unique-index': ['CREATE UNIQUE INDEX', 'ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL'],
  'rails-6-join-table': [],
  'django-1-initial': [],
  // Adds a column with a default and then drops the default: other programs must name the column
  // from then on.
  'django-2-add-field': ['ALTER TABLE "books" ALTER COLUMN "stock" DROP DEFAULT'],
  'django-3-foreign-key-field': [],
  'django-4-many-to-many': [],
  'django-5-search': [],
  'prisma-1-init': [],
  'prisma-2-add-enum-column': [],
  'prisma-3-drop-column': ['ALTER TABLE "users" DROP COLUMN', 'ALTER TABLE "orders" ALTER COLUMN "status" DROP'],
  'flyway-1-baseline': [],
  'flyway-2-view-and-audit': [],
  'flyway-3-partition': [],
  'flyway-4-tighten': [
    'ALTER TABLE orders ADD CONSTRAINT',
    'ALTER TABLE orders ALTER COLUMN status SET DEFAULT',
    'ALTER TABLE books RENAME COLUMN',
  ],
  'dbt-1-table-model': ['alter table "postgres"', 'drop table'],
  'dbt-2-view-and-incremental': [],
  'knex-1-initial': [],
  // Each statement is judged by itself: the column might have been filled since the one before.
  'knex-2-alter': ['alter table "books" add constraint "books_isbn_unique"'],
  'typeorm-1-init': [],
  'typeorm-2-add': [],
  'alembic-1-initial': [],
  'alembic-2-columns': [],
  'sequelize-1-create': ['DROP TYPE IF EXISTS'],
  'drizzle-1-init': [],
  'ecto-1-create': [],
  'laravel-1-tables': [],
  'liquibase-1-changes': [],
  'efcore-1-initial': [],
  'flyway-5-warehouse': [],
  'goose-1-jobs': [],
};

const binaries = findPostgres();
const { describe: suite } = needs('unavailable' in binaries ? binaries.unavailable : null);

const statementsOf = (text: string): readonly string[] => text.split(/;\n/).filter(sql => sql.trim() !== '');

test('two hundred statements', () => {
  const found = readdirSync(folder).map(file => file.replace('.sql', ''));
  expect(found.filter(name => name !== 'before').sort()).toEqual(Object.keys(asking).sort());
  expect(Object.keys(asking).flatMap(name => statementsOf(textOf(name))).length).toBeGreaterThanOrEqual(200);
});

suite('migrations', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    if ('unavailable' in binaries) return;
    server = await lendPostgres();
  }, 120_000);
  afterAll(() => server?.stop());

  test.each(Object.entries(asking))(
    '%s',
    async (name, expected) => {
      const database = `m_${name.replaceAll('-', '_')}`;
      await server.psql(`create database ${database}`);
      await server.psql(textOf('before'), database);
      const asked: string[] = [];
      const refused: string[] = [];
      const statements = statementsOf(textOf(name).replaceAll('"postgres".', `"${database}".`));
      const opened = openPostgres(endpointOf(server, { database }), portsOf(server.password));
      const client = writingClient(() => opened);
      for (const sql of statements) {
        const end = await client(sql);
        if (end === 'done') continue;
        if (end.startsWith('denied: ')) asked.push(sql.replaceAll(`"${database}"`, '"postgres"'));
        else refused.push(`${sql}: ${end}`);
        // As after an approval: later ones need it.
        await server.psql(sql, database);
      }
      await opened.close();
      expect(asked.map((sql, index) => sql.slice(0, expected[index]?.length))).toEqual(expected);
      // Django sends it; it affects only the session.
      expect(refused.filter(sql => !sql.startsWith('SET CONSTRAINTS'))).toEqual([]);
    },
    60_000,
  );
});
