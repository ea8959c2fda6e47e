/** The activity log's chain with a sealed copy of its head, and the query history with its full-text index. */

import type { Knex } from 'knex';

export const name = '0002-activity-and-history';

const statements = [
  `create table activity (
    number integer primary key,
    time integer not null,
    kind text not null,
    attempt integer,
    category text not null,
    action text not null,
    outcome text,
    principal text,
    token_name text,
    client text,
    connection_id text,
    connection_name text,
    statement_hash blob,
    rows integer,
    duration_milliseconds real,
    reason text,
    request_id text,
    count integer not null,
    previous blob,
    mac blob not null
  )`,
  'create index activity_by_time on activity (time)',
  'create index activity_by_category on activity (category, time)',
  // With the category in them, a filter by both never reads rows of the wrong one.
  'create index activity_by_token on activity (token_name, time, category) where token_name is not null',
  'create index activity_by_principal on activity (principal, time, category) where principal is not null',
  'create index activity_by_attempt on activity (attempt) where attempt is not null',
  `create table activity_head (
    id integer primary key check (id = 1),
    head text not null,
    seal blob not null
  )`,
  `create table history (
    id integer primary key,
    time integer not null,
    connection_id text not null,
    connection_name text not null,
    principal text not null,
    token_name text not null,
    client text,
    class text not null,
    outcome text not null,
    rows integer,
    duration_milliseconds real,
    kept_bytes integer not null,
    is_cut integer not null,
    statement_hash blob not null,
    statement text
  )`,
  'create index history_by_principal on history (principal, time, connection_id)',
  'create index history_by_time on history (time, connection_id)',
  // Contentless: the text stands in `history` alone. `scope` holds one word for the principal and one for the connection, so
  // that a search among millions meets only what the asker may see.
  `create virtual table history_search using fts5 (
    statement, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  `create table history_size (
    id integer primary key check (id = 1),
    kept_bytes integer not null
  )`,
  'insert into history_size values (1, 0)',
];

export async function up(knex: Knex): Promise<void> {
  for (const statement of statements) await knex.raw(statement);
}
