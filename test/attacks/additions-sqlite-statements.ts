/**
 * What a client that may write adds to an SQLite file: additions that would change the writes and
 * reads of other programs, and additions that don't.
 */

export const additionsFixture = `
create table precious(id integer primary key, v, unique (id, v)); insert into precious values (1, 10), (2, 20), (3, 30);
create table scratch(a); insert into scratch values ('1'), ('2');
create table parent(id integer primary key, code text); create unique index parent_code on parent(code); insert into parent values (1, 'a');
create table orders_content(a); insert into orders_content values (1);
create table "my words_stat"(a); create table journey_notes(a);
`;

/** None of these runs without an approval. */
export const additions: Readonly<Record<string, readonly string[]>> = {
  "a name of SQLite's own": [
    'create table pragma_table_list(schema, name, type)',
    'create table if not exists main."PRAGMA_table_xinfo"(a)',
    'create view pragma_foreign_key_list as select 1 a',
    'create virtual table pragma_index_list using fts5(name, "unique")',
    'create table json_each(value)',
    'create table [Json_Tree] as select 1 a',
    "create view 'dbstat' as select 1 a",
    'create view if not exists main.generate_series(value) as select 1',
    'create temp table json_each(value)',
    'create table bytecode(a)',
  ],
  'a column in the place of the rowid': [
    'alter table scratch add column rowid',
    'alter table scratch add oid integer default 7',
    'alter table main.scratch add column "_ROWID_" text',
    "alter table scratch add 'RowId'",
    'alter table scratch add column [oid]',
  ],
  'an index that a value may fail': [
    "create index mine on scratch(a -> '$.x')",
    'create index mine on scratch(a ->> 1)',
    "create index mine on scratch(a) where a -> '$' is not null",
    "create index mine on scratch('a' like 'b' escape a)",
    "create index mine on scratch(a) where a not like 'q' escape a",
    "create index mine on scratch('a' like a)",
    "create index mine on scratch('a' glob a)",
    "create index mine on scratch(a) where 'x' glob a || '*'",
  ],
  'a foreign key to what is no key': [
    'create table mine(a references precious(v))',
    'create table mine(a, b, foreign key (a) references "precious"(v) on delete cascade)',
    'create table mine(a references scratch)',
    'create table mine(a references precious(nosuch))',
    'alter table scratch add column mine references precious(v)',
    'alter table precious add column mine references scratch(a)',
    'create table mine(a /* fine */ REFERENCES parent(id), b references main_missing(x), c references precious(v))',
  ],
  'a full-text index or R-tree that takes other tables for its own': [
    "create virtual table orders using fts5(a, content = '')",
    "create virtual table if not exists main.ORDERS using fts5(a, content = 'scratch')",
    'create virtual table "my words" using fts4(a, content = "")',
  ],
};

/** Each of these runs, in this order. */
export const honestAdditions: readonly string[] = [
  'create table mine(pragma_name, json text, rowid_of int)',
  'create table pragmas(a)',
  'create table mine_own(rowid, oid)',
  'alter table mine add column rowids int',
  'alter table mine add json_each text',
  'create view mine_view as select j.value from mine, json_each(mine.json) j',
  "create index mine_prefix on scratch(a) where a like 'x%'",
  "create index mine_globbed on scratch(a collate nocase desc) where a not glob 'q*' and a is not null",
  "create index mine_empty on mine(json ->> '$.a')",
  'create index mine_sum on precious(v + id, id)',
  'create table mine_child(a references parent(id), b references parent(code), c references parent on delete set null)',
  'create table mine_pair(a, b, foreign key (a, b) references precious(id, v))',
  'create table mine_later(a references mine_coming(code))',
  'create table mine_coming(id integer primary key, code text unique)',
  'create table mine_self(id integer primary key, up references mine_self(id))',
  'alter table mine add column parent_id references parent(id)',
  "insert into mine_child values (1, 'a', null)",
  'create virtual table mine_words using fts5(a, b)',
  "create virtual table journey using fts5(a, content = 'scratch')",
  // An R-tree has no part of that name.
  'create virtual table orders using rtree(a, b, c)',
];
