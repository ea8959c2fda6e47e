/** Attacks on SQLite of one or several statements, and honest work that must run. */

/**
 * None of these may change what exists, with a token that may write and nobody who approves.
 * `@OUT@` is a folder.
 */
export const attacks: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'a definition that changes what is there': [
    [
      'alter table child rename column parent_id to other',
      'alter table child rename column id to parent_id',
      'alter table child rename column other to id',
    ],
    ['alter table precious rename column v to w'],
    ['alter table precious rename v to w'],
    ['alter table precious alter column v set not null'],
    ['alter table precious add constraint boom check (v < 0)'],
    ['alter table precious add column w int check (v < 35)'],
    ['alter table precious add column w references parent(id) on delete cascade'],
    ['alter table precious add column w int as (abs(-9223372036854775807 - v)) virtual'],
    ['alter table precious add w generated always as (json_extract(v, 1))'],
    ['create unique index boom on precious(v, id)'],
    ['create unique index if not exists main.boom on child(parent_id)'],
    ["create index boom on precious(json_extract(v, '$'))"],
    ["create index boom on precious(lower(v), json_extract(v, '$'))"],
    ['alter table precious frobnicate v'],
    ['create widget boom(a)'],
  ],
  'commands to a full-text index': [
    ["insert into posts(posts, rank) values ('rank', 'nosuch()')"],
    ["insert into posts(rank, posts) values ('nosuch()', 'rank')"],
    ["insert into main.posts as p(\"POSTS\", 'rank') select 'rank', 'nosuch()'"],
    ["replace into posts(posts, rank) values ('rank', 'bm25(0)')"],
    ["insert into posts(posts, rank) values ('pgsz', 64)"],
    ["insert into posts(posts, rank) values ('delete', 1), ('rank', 'nosuch()')"],
    ["insert into pages(pages) values ('automerge=16')"],
    ["with a(b, c) as (values ('rank', 'nosuch()')) insert into posts(posts, rank) select b, c from a"],
    ["insert into posts_config values ('rank', 'nosuch()')"],
    ["update posts_config set v = 'nosuch()' where k = 'rank'"],
  ],
  'code that later changes run': [
    ['create trigger mine_a after insert on scratch begin delete from precious; end', 'insert into scratch values (1)'],
    [
      'create temp trigger mine_b after insert on scratch begin delete from precious; end',
      'insert into scratch values (1)',
    ],
    [
      'CREATE/**/TEMPORARY/**/TRIGGER mine_c INSERT ON main.scratch BEGIN DELETE FROM precious; END',
      'insert into scratch values (1)',
    ],
    [
      'create trigger if not exists "mine_d" before update of a on scratch when 1 begin update precious set v = null; end',
      'update scratch set a = 2 where a = 1',
    ],
    ['create trigger mine_e instead of insert on names begin delete from precious; end', 'select * from names'],
    [
      'create view mine_f as select 1 a',
      'create trigger mine_g instead of insert on mine_f begin delete from precious; end',
      'insert into mine_f values (1)',
    ],
    [
      ';; create trigger mine_h after delete on scratch begin insert into precious values (9, 9); end;',
      'delete from scratch where a = 1',
    ],
    [
      'create trigger mine_i after insert on precious begin select raise(rollback, 1); end',
      'insert into scratch values (1)',
    ],
    ['drop trigger audited'],
    [
      "create trigger mine_j after insert on scratch begin insert into notes(notes) values ('delete-all'); end",
      'insert into scratch values (1)',
    ],
  ],
  'names and scopes': [
    ['with precious as (select 1) delete from precious'],
    ['with precious as (select 1) update precious set v = 0'],
    ['with precious(v) as (values (1)) delete from main.precious where 1 = 1'],
    ["delete from 'precious'"],
    ['delete from [PRECIOUS] where (((1)))'],
    ['update or ignore "main"."precious" set v = 0'],
    ['delete from precious as p where p.id = id'],
    ['with p as (select 1) delete from precious where exists (select 1 from p)'],
    ['update precious set v = 0 where (with x as (select 1 a) select a from x)'],
    ['drop view if exists names'],
    ['alter table precious drop column v'],
    ['drop table main . precious'],
  ],
  'the schema itself': [
    ['pragma writable_schema = 1', "update sqlite_schema set sql = 'create table precious(x)' where name = 'precious'"],
    ['pragma main.writable_schema(on)', "delete from sqlite_master where name = 'names'"],
    ["delete from 'SQLITE_SCHEMA' where name = 'names'"],
    ['with sqlite_schema as (select 1) delete from sqlite_schema where 1 = 2'],
    ["insert into main.sqlite_master values ('table', 'mine', 'mine', 2, 'create table mine(a)')"],
    [
      "insert into temp.sqlite_temp_master values ('trigger', 'x', 'scratch', 0, 'create trigger x after insert on scratch begin delete from precious; end')",
      'insert into scratch values (1)',
    ],
    [
      'create view mine_a as select * from sqlite_schema',
      'create trigger mine_b instead of delete on mine_a begin delete from sqlite_schema where name = old.name; end',
      "delete from mine_a where name = 'names'",
    ],
    ['select sqlite_rename_table(1, 2, 3, 4, 5, 6, 7)'],
    ["select sqlite_drop_column(1, 'create table precious(a, b)', 1)"],
    ['pragma schema_version = 1'],
    ['replace into sqlite_schema select * from sqlite_schema'],
    ['alter table sqlite_schema rename to mine'],
    ['drop table sqlite_sequence'],
    ['delete from sqlite_sequence'],
  ],
  'tables behind other tables': [
    ['delete from notes_data where id > 0'],
    ['update pages_content set c0body = 1 where docid = 1'],
    ["insert or replace into places_node values (1, x'00')"],
    ["insert into notes(notes) values ('delete-all')"],
    ["INSERT INTO Notes AS n(\"NOTES\") VALUES ('optimize'), ('Delete-All')"],
    ["insert into notes(notes) values ('delete-' || 'all')"],
    ["insert into notes(rowid, notes) select 1, a from (select 'delete-all' a)"],
    ["with c(a) as (values ('delete-all')) replace into main.notes(notes) select a from c"],
    ["insert into notes(notes, rowid, body) select 'delete', 1, 'remember'"],
    ["insert into notes(notes) values (x'64656c6574652d616c6c')"],
    ['drop table notes_data'],
    ['alter table notes_config add column mine'],
    ['create trigger mine_a after insert on pages_content begin delete from precious; end', 'select * from pages'],
    ['update sqlite_dbpage set data = zeroblob(4096) where pgno = 1'],
    ['with sqlite_dbpage as (select 1) update sqlite_dbpage set data = 1 where pgno = 1'],
  ],
  plans: [
    ['explain pragma journal_mode = off', 'explain query plan pragma foreign_keys = off'],
    ["explain attach '@OUT@/a.db' as a"],
    ["explain vacuum into '@OUT@/b.db'"],
    ['explain begin immediate'],
    ["explain select load_extension('@OUT@/x')"],
    ['explain drop table precious', 'explain delete from precious', 'explain query plan update precious set v = 0'],
    [
      'explain create trigger mine after insert on scratch begin delete from precious; end',
      'insert into scratch values (1)',
    ],
    ['explain query plan pragma user_version = 77', 'explain pragma application_id(77)'],
  ],
  'files and code of this machine': [
    ["attach '@OUT@/a.db' as a", 'create table a.stolen as select * from precious'],
    ["attach database 'file:@OUT@/b.db?mode=rwc' as b"],
    ["vacuum into '@OUT@/c.db'"],
    ["vacuum main into ('@OUT@/' || 'd.db')"],
    ["select readfile('@OUT@/secret.txt')"],
    ["select * from fsdir('@OUT@')", "select * from fsdir where path = '@OUT@'", 'select * from t window, fsdir'],
    ["insert into scratch values (writefile('@OUT@/e', 'x'))"],
    ["create virtual table temp.mine using csv(filename = '@OUT@/secret.txt')"],
    ["create virtual table mine using zipfile('@OUT@/a.zip')"],
    ["select load_extension('@OUT@/x.so')", "select \"LOAD_extension\" ('@OUT@/x.so', 'main')"],
    ["select edit('a', 'touch @OUT@/f')"],
    ["select fts3_tokenizer('simple', x'4141414141414141')", "select fts3_tokenizer('simple')"],
    ["pragma temp_store_directory = '@OUT@'", 'pragma temp_store_directory'],
    ["create table mine(a default (writefile('@OUT@/g', 'x')))", 'insert into mine default values'],
    ["create view mine as select load_extension('@OUT@/x.so')", 'select * from mine'],
    ["create index mine on scratch(writefile('@OUT@/h', a))"],
    [
      "create table mine(a, b generated always as (readfile('@OUT@/secret.txt')) stored)",
      'insert into mine(a) values (1)',
      'select * from mine',
    ],
    ['create table mine(a check (load_extension(a)))', "insert into mine values ('@OUT@/x.so')"],
    ['select * from pragma_temp_store_directory', "select * from bytecode('drop table precious')"],
    [
      "insert into scratch values (1) on conflict do update set a = readfile('@OUT@/secret.txt') returning readfile('@OUT@/secret.txt')",
    ],
    ["select sum(a) over (order by readfile('@OUT@/secret.txt')) from scratch"],
    ['.output @OUT@/i', '.shell touch @OUT@/j'],
  ],
  'what somebody else left in the file': [
    ['insert into trapped values (1)'],
    ['select * from hostile_loads', 'insert into scratch select * from hostile_loads'],
    ['select * from hostile_merges', 'select count(*) from hostile_merges'],
    ['select * from hostile_pragmas'],
    ['insert into hostile_default default values'],
    ['insert into trapped_schema values (1)'],
    ['insert into trapped_shadow values (1)'],
  ],
  'sessions and several statements': [
    ['begin', 'drop table precious', 'commit'],
    ['savepoint s', 'delete from precious', 'release s'],
    ['select 1; delete from precious'],
    ['select 1 /* */ ; -- \n drop table precious'],
    ['create trigger mine after insert on scratch begin select 1; end; drop table precious'],
    ['create temp table precious(a)', 'delete from precious'],
    ['pragma foreign_keys = off', 'delete from parent where id = 1 or 1'],
    ['pragma recursive_triggers = off', 'pragma case_sensitive_like', 'pragma max_page_count = 1'],
    ['pragma trusted_schema = on', 'select * from hostile_loads'],
    ['pragma ignore_check_constraints = 1', 'insert into precious values (1000, -1)'],
    ['pragma query_only = 0', 'pragma locking_mode = exclusive', 'pragma journal_mode = off'],
    ['insert or rollback into precious values (1, 1)'],
    ['detach main', 'release s', 'rollback', 'end'],
    ['select 1\0; drop table precious'],
    ["select $a('), writefile('@OUT@/k', 'x'), $b(')"],
  ],
};

/** None of these may be refused. */
export const honestReads: readonly string[] = [
  'select end from (select 1 end) x',
  'select begin, replace, "values" from (select 1 begin, 2 replace, 3 "values")',
  'with recursive n(i) as (select 1 union all select i + 1 from n where i < 50) select sum(i) from n',
  'with recursive tree(id, depth) as (select id, 0 from parent where id = 1 union all select c.id, depth + 1 from child c join tree on c.parent_id = tree.id where depth < 5) select * from tree order by depth',
  'select value ->> \'$.a\' from json_each(\'[{"a": 1}, {"a": 2}]\')',
  'select key, fullkey, atom from json_tree(\'{"a": [1, {"b": null}]}\') where type <> \'object\'',
  'select id, v, sum(v) over (partition by v % 2 order by id rows between 1 preceding and current row) from precious',
  'select id, rank() over w, lag(v, 1, 0) over w from precious window w as (order by v desc)',
  "select m.name, p.name, p.type from sqlite_schema m join pragma_table_info(m.name) p where m.type = 'table' order by 1, 2",
  "select * from pragma_table_xinfo('precious') x left join pragma_foreign_key_list('child') f on f.\"from\" = x.name",
  "select l.name, i.name from pragma_index_list('precious') l, pragma_index_info(l.name) i",
  "select rowid, snippet(posts, 0, '<', '>', '...', 8), bm25(posts) from posts where posts match 'remember' order by rank",
  "select * from posts('rem*') limit 3",
  "select docid, offsets(pages) from pages where body match 'remember'",
  "select strftime('%Y-%m', '2026-11-22', '-1 month'), date('now', 'start of month'), unixepoch(), timediff('2026-01-02', '2026-01-01')",
  'select p.id, count(c.id) filter (where c.id > 0) from parent p left join child c on c.parent_id = p.id group by 1 having count(*) >= 0',
  "select group_concat(v, ', ' order by id desc), string_agg(v, ';'), json_group_array(v) from precious",
  'select * from parent natural full outer join child',
  'select v from precious where (id, v) in (values (1, 10), (2, 20)) or v in main.scratch',
  "select printf('%05.2f', v), iif(v > 1, 'a', 'b'), typeof(v), quote(v) from precious",
  'select case when v is distinct from 10 then \'x\' else null end as "end" from precious',
  "select replace(name, 'a', 'b'), edit, define from (select 'a' name, 1 edit, 2 define)",
  'with exec(a) as (select 1), eval(b) as (select 2) select * from exec, eval',
  'select * from places where minx >= 0 and maxx <= 100',
  'select id from precious except select a from scratch union all select 5 order by 1 limit 3 offset 1',
  'explain query plan select * from precious where v = 10',
  'pragma table_list',
  'pragma index_list("precious")',
  'pragma foreign_key_check',
  "select count(*) from dbstat where name = 'precious'",
  'with a as materialized (select * from b), b as (select 1 x) select x from a',
  "select sqlite_version(), hex(x'00ff'), unhex('ff') is not null, unistr('\\u0041')",
  'select * from scratch t where exists (select 1 from precious where precious.id = t.a) -- why; not',
  "select 'it''s; drop table precious' as \"delete from t\", [a b] from (select 1 [a b])",
];

/** A token that may write may run all of these. */
export const honestWrites: readonly string[] = [
  'insert into scratch(a) values (21), (22) returning a',
  'insert into scratch select id from precious where v > 10',
  "insert into mine_color(color) values ('red'), ('optimize')",
  "insert into mine_color(color) select lower('BLUE')",
  "insert into mine_color(color) values ('red') on conflict (color) do update set color = excluded.color || '!'",
  'update scratch set a = -a where a between 1 and 5',
  'update precious set v = c.id from child c where c.parent_id = precious.id and precious.id = -1',
  'with old as (select a from scratch order by a limit 1) delete from scratch where a in (select a from old)',
  'delete from scratch where rowid in (select rowid from scratch limit 2)',
  "create table mine_orders(id integer primary key, edit text default (lower('X')), at text default current_timestamp, total generated always as (id * 2) stored, check (id > 0))",
  'create table if not exists mine_copy as select * from precious',
  'create unique index mine_by_edit on mine_orders(lower(edit)) where edit is not null',
  'create view mine_view(a) as with recent as (select id from precious) select id from recent',
  'alter table mine_orders add column define text',
  'alter table mine_orders add column exec text references parent(id) deferrable initially deferred',
  "insert into main.mine_orders(edit, define) values ('a', 'b')",
  "insert into posts(posts) values ('optimize')",
  "insert into posts(title) values ('remember')",
  "insert into names values ('through a trigger that was there')",
  "create virtual table mine_text using fts5(body, tokenize = 'porter')",
  "insert into mine_text(mine_text, rank) values ('rank', 'bm25(10)')",
  "replace into mine_orders(id, edit) values (1, 'z')",
  'insert into mine_orders(edit) select value from json_each(\'["p", "q"]\')',
  'analyze mine_orders',
  'reindex mine_by_edit',
  'vacuum',
];

export const fixture = `
create table precious(id integer primary key autoincrement, v int check (v >= 0)); insert into precious values (1, 10), (2, 20), (3, 30);
create index precious_v on precious(v);
create table scratch(a unique); insert into scratch values (1);
create table parent(id integer primary key); create table child(id integer primary key, parent_id references parent(id) on delete cascade);
insert into parent values (1), (2); insert into child values (1, 1);
create table audited(id integer primary key, note); create table trail(note); insert into audited values (1, 'x');
create trigger audited after delete on audited begin insert into trail values (old.note); end;
create table mine_color(color unique);
create view names as select note as name from audited;
create trigger names_in instead of insert on names begin insert into audited(note) values (new.name); end;
create virtual table notes using fts5(body, content = ''); insert into notes(rowid, body) values (1, 'remember');
create virtual table posts using fts5(title); insert into posts values ('remember me');
create virtual table pages using fts4(body); insert into pages values ('remember me too');
create virtual table places using rtree(id, minx, maxx); insert into places values (1, 1, 2);
create table hostile_default(a default (fts3_tokenizer('simple'))); create table trapped(a); create trigger trapped after insert on trapped begin select load_extension('/nowhere'); end;
create table trapped_schema(a); create trigger trapped_schema after insert on trapped_schema begin delete from sqlite_schema where name = 'names'; end;
create table trapped_shadow(a); create trigger trapped_shadow after insert on trapped_shadow begin delete from precious where load_extension(new.a); end;
analyze;
`;

/** With these views present no table's column can be renamed. */
export const hostileViews = `
create view hostile_loads as select load_extension('/nowhere') as a;
create view hostile_merges as select optimize(pages) as a from pages;
create view hostile_pragmas as select * from pragma_optimize;
`;
