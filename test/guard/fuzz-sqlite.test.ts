/**
 * Compares the classifier of SQLite with SQLite itself. Texts are made of pieces that are hard to
 * read together. Each one classified as a read runs in a writable file, with functions that report
 * their calls. A text that SQLite accepts and that isn't forbidden must be a read.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, type StatementSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifySqlite } from '../../daemon/guard/sqlite/classify.ts';
import { forbiddenFunctions } from '../../daemon/guard/sqlite/functions.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { assertFor, fuzzPatienceMilliseconds } from './fuzz.ts';
import { statementsOf } from './statements/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'sallyport-fuzz-'));
const database = new SqliteFile(join(folder, 'fuzzed.db'));
let called: string[] = [];

const settings = ['foreign_keys', 'user_version', 'application_id', 'cache_size', 'recursive_triggers', 'query_only'];
const look = [
  'select total_changes()',
  'select count(*) || group_concat(sql) from sqlite_schema',
  'select count(*) from sqlite_temp_schema',
  'select group_concat(name) from pragma_database_list',
  `select ${settings.map(name => `(select ${name} from pragma_${name})`).join(', ')}`,
].map(sql => database.prepare(sql));
const state = () => JSON.stringify([...look.map(each => each.get()), database.isTransaction]);

beforeAll(() => {
  database.exec(`create table t(id integer primary key, name text, v int); insert into t(name, v) values ('a', 1), ('b', 2);
    create table u(id integer primary key, t_id int); insert into u values (1, 1); create view vw as select * from t;
    create virtual table ft using fts5(body); insert into ft values ('hello');
    create virtual table f4 using fts4(body); insert into f4 values ('a b'); insert into f4 values ('c d');`);
  for (const name of forbiddenFunctions.keys()) {
    try {
      database.function(name, { varargs: true }, () => {
        called.push(name);
        return 1;
      });
    } catch {
      // Built in, so it can't be replaced.
    }
  }
  // Tables that may be called as functions, like those of SQLite's own shell.
  const files = ['fsdir', 'zipfile'];
  for (const name of files) database.exec(`create virtual table ${name} using fts5(name, data)`);
  database.setAuthorizer((action, table) => {
    if (action === constants.SQLITE_READ && files.includes(String(table))) called.push(String(table));
    return constants.SQLITE_OK;
  });
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

type Prepared = { readonly kind: 'one'; readonly statement: StatementSync } | { readonly kind: 'several' | 'none' };

/** The driver only prepares the first statement. */
function prepare(sql: string): Prepared {
  const [statement] = tryPrepare(sql);
  if (statement === null) return { kind: 'none' };
  const [, why] = tryPrepare(sql.slice(statement.sourceSQL.length));
  return why.includes('contains no statements') ? { kind: 'one', statement } : { kind: 'several' };
}

function tryPrepare(sql: string): [StatementSync | null, string] {
  try {
    return [database.prepare(sql), ''];
  } catch (error) {
    return [null, String(error)];
  }
}

/** Runs a statement classified as a read; throws if it wasn't one. */
function runRead(sql: string): void {
  const before = state();
  called = [];
  const prepared = prepare(sql);
  if (prepared.kind === 'several') throw new Error(`several statements passed as a read: ${JSON.stringify(sql)}`);
  if (prepared.kind === 'one') {
    const { statement } = prepared;
    try {
      if (statement.columns().length > 0) {
        let rows = 0;
        for (const _ of statement.iterate()) if (++rows > 20) break;
      } else statement.run();
    } catch {
      // Too few parameters, an overflow, a wrong type.
    }
  }
  const after = state();
  if (called.length > 0) throw new Error(`a read called ${called.join()}: ${JSON.stringify(sql)}`);
  if (after !== before) throw new Error(`a read changed ${before} to ${after}: ${JSON.stringify(sql)}`);
}

const bad = [
  "writefile('a', 'b')",
  '"writefile"(1)',
  '[WriteFile] (1)',
  '`readfile`(1)',
  'edit(1)',
  'load_extension(1)',
  'optimize(f4)',
  'eval(1)',
  'sha3_query(1)',
];
const badTables = ['pragma_optimize', 'main.pragma_optimize', '"pragma_optimize"', 'fsdir', 'main."fsdir"', 'zipfile'];
const gaps = [
  ' ',
  '\n',
  '\t',
  '\f',
  '\r',
  ' \v',
  '\v',
  '\ufeff',
  ' \ufeff',
  '\u00a0',
  '\u200b',
  '/**/',
  '/*;*/',
  "/*'*/",
  '/*"*/',
  '/*/*/',
  '/***/',
  '-- x\n',
  "--'\n",
  '--\r\n',
  '-- \u2028\n',
  '/*',
  '',
];
const seams = [
  "'",
  '"',
  '`',
  '[',
  ']',
  "''",
  '""',
  '(',
  ')',
  '$a(',
  ':b(',
  '@c::d(',
  '#e',
  '?1',
  '?',
  "x'00'",
  "X''",
  "x'0'",
  '0x1',
  '1e',
  '1.',
  '.5',
  '1_0',
  ';',
  ';;',
  ',',
  '.',
  '->>',
  '||',
  '!=',
  '!',
  '\\',
  '{',
  'é',
  'ﬁ',
  '\ufeff',
];
const words =
  `select from where as and or in not is null distinct union all values with recursive t u vw ft f4 id name v case when then else end
   cast exists between like escape glob order by limit group having join left natural using on over partition window filter
   explain query plan pragma table_info user_version foreign_keys cache_size = 1 2 'x' count max coalesce * ( ) , ( ) ,
   delete insert into update set replace create table view temp trigger index drop alter attach detach vacuum analyze
   reindex begin commit savepoint returning do nothing conflict materialized indexed`.split(/\s+/);

const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...words) },
  { weight: 3, arbitrary: fc.constantFrom(...seams) },
  { weight: 2, arbitrary: fc.constantFrom(...bad) },
  { weight: 1, arbitrary: fc.constantFrom(...badTables) },
);
const gap = fc.oneof({ weight: 5, arbitrary: fc.constant(' ') }, { weight: 2, arbitrary: fc.constantFrom(...gaps) });
const soup = fc
  .tuple(
    fc.constantFrom(
      '',
      'select ',
      'explain ',
      'select * from ',
      'select 1,',
      'with x as (',
      'values (',
      'select 1 in ',
      'pragma ',
    ),
    fc.array(fc.tuple(piece, gap), { maxLength: 14 }),
  )
  .map(([start, pieces]) => start + pieces.flat().join(''));

/** Expressions and queries that SQLite accepts, with holes for any text. */
const { query } = fc.letrec<{ expression: string; query: string; table: string }>(tie => ({
  expression: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'sql' },
    fc.constantFrom('id', 'name', 'v', '1', "'x'", 'null', '?', ':p', "x'ff'", '1.5', '"id"', '[v]', '`name`', 't.id'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '||', '=', 'is', '->>', 'and', 'or', '<', '%', 'like', 'is not distinct from'),
        tie('expression'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc
      .tuple(
        fc.constantFrom(
          'lower',
          'coalesce',
          'abs',
          'typeof',
          'quote',
          'printf',
          'json_array',
          'hex',
          'max',
          'min',
          'count',
          'date',
        ),
        tie('expression'),
      )
      .map(([name, a]) => `${name}(${a})`),
    tie('expression').map(a => `case when ${a} then 1 else (select 2) end`),
    tie('expression').map(a => `cast(${a} as text)`),
    tie('query').map(inner => `(${inner})`),
    tie('query').map(inner => `exists (${inner})`),
    fc.tuple(tie('expression'), tie('query')).map(([a, inner]) => `(${a}) in (${inner})`),
  ),
  table: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'sql' },
    fc.constantFrom('t', 'u', 'vw', 'main.t', '"t"', "pragma_table_info('t')", "json_each('[1]')", 'sqlite_schema'),
    tie('query').map(inner => `(${inner}) as q`),
    fc
      .tuple(tie('table'), fc.constantFrom(',', 'join', 'left join', 'cross join'), tie('table'))
      .map(each => each.join(' ')),
  ),
  query: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'sql' },
    tie('expression').map(a => `select ${a} from t`),
    fc.tuple(tie('expression'), tie('table')).map(([a, from]) => `select ${a} from ${from}`),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([a, b]) => `select ${a} as "x;y" from t where ${b} order by 1 limit 3`),
    fc
      .tuple(tie('query'), fc.constantFrom('union', 'union all', 'except', 'intersect'), tie('query'))
      .map(each => each.join(' ')),
    tie('query').map(inner => `with c(a) as (${inner}) select a from c`),
    tie('query').map(inner => `select count(*) over (partition by 1) from (${inner})`),
    fc.constant('values (1), (2)'),
  ),
}));

test(
  'a statement classified as a read changes nothing, even if it could',
  () => {
    let reads = 0;
    assertFor(0.4, soup, sql => {
      const { class: found } = classifySqlite(sql);
      if (found !== 'forbidden' && prepare(sql).kind === 'several') {
        throw new Error(`several statements passed as one ${found}: ${JSON.stringify(sql)}`);
      }
      if (found !== 'read') return;
      reads += 1;
      runRead(sql);
    });
    expect(reads).toBeGreaterThan(10);
  },
  fuzzPatienceMilliseconds,
);

test(
  'a query with something that acts is no read, wherever that is',
  () => {
    const hidden = fc.tuple(
      query,
      fc.nat(200),
      fc.constantFrom(
        ...bad,
        ...badTables.map(table => `(select 1 from ${table})`),
        ...badTables.map(each => `1 in ${each}`),
      ),
      fc.array(fc.constantFrom(...gaps), { minLength: 1, maxLength: 6 }),
    );
    let ran = 0;
    assertFor(0.2, hidden, ([sql, place, call, blanks]) => {
      const holes = [...sql.matchAll(/\b(?:id|name|v|1)\b/g)];
      const hole = holes[place % Math.max(1, holes.length)];
      const filled =
        hole === undefined
          ? `select ${call}`
          : sql.slice(0, hole.index) + call + sql.slice(hole.index + hole[0].length);
      let at = 0;
      const spaced = filled.replace(/ /g, () => ` ${blanks[at++ % blanks.length]} `);
      const { class: found } = classifySqlite(spaced);
      ran += prepare(spaced).kind === 'one' ? 1 : 0;
      if (found === 'read') runRead(spaced);
    });
    expect(ran).toBeGreaterThan(5);
  },
  fuzzPatienceMilliseconds,
);

test(
  'a query of built-in functions that SQLite accepts is a read',
  () => {
    let taken = 0;
    assertFor(0.2, query, sql => {
      const prepared = prepare(sql);
      if (prepared.kind !== 'one' || !writesNothing(sql)) return;
      taken += 1;
      const { class: found, reason, calls } = classifySqlite(sql);
      if (found !== 'read' || calls.length > 0) {
        throw new Error(`${found}, ${reason}, calls ${calls.map(each => each.name)}: ${JSON.stringify(sql)}`);
      }
      runRead(sql);
    });
    expect(taken).toBeGreaterThan(10);
  },
  fuzzPatienceMilliseconds,
);

/** As SQLite's EXPLAIN tells; false too if the statement itself contains EXPLAIN. */
function writesNothing(sql: string): boolean {
  try {
    return database.rows(`explain ${sql}`).every(([, opcode, , p2]) => opcode !== 'Transaction' || p2 === 0n);
  } catch {
    return false;
  }
}

const nonReads = statementsOf('sqlite')
  .filter(each => each.class !== 'read')
  .map(({ sql }) => sql)
  .filter(sql => !/^(\s|;|--.*|\/\*.*\*\/)*$|never closed/.test(sql));

/** Quoted text, comments and words whole; other characters one by one. */
const tokensOf = (sql: string): readonly string[] =>
  sql.match(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*\n?|\/\*[\s\S]*?\*\/|[\w$\u0080-\uffff]+|\s+|[\s\S]/g,
  ) ?? [];

test(
  'no other spelling of a non-read makes it one',
  () => {
    const blank = fc.constantFrom(
      ...gaps.filter(each => each !== '' && each !== '/*' && !/[\u00a0\u200b]|^\v|--\r/.test(each)),
    );
    const mutated = fc
      .tuple(
        fc.constantFrom(...nonReads),
        fc.array(blank, { minLength: 1, maxLength: 8 }),
        fc.nat(2 ** 30),
        fc.constantFrom('', ' ', '\ufeff', '/* select 1 */', '-- select\n', ';', ' ;;\n'),
        fc.constantFrom('', ';', ' -- x', ' /* open', ' \ufeff;', '/**/'),
        fc.boolean(),
      )
      .map(([original, blanks, bits, before, after, quotes]) => {
        let at = 0;
        const parts = tokensOf(original).map(token => {
          if (/^\s+$/.test(token)) return token.includes('\n') ? token : ` ${blanks[at++ % blanks.length]} `;
          if (quotes && forbiddenFunctions.has(token))
            return [`"${token}"`, `[${token}]`, `\`${token}\``][bits % 3] ?? token;
          if (!/^[A-Za-z_]\w*$/.test(token)) return token;
          return [...token]
            .map((letter, i) => ((bits >> (i % 30)) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
            .join('');
        });
        return { original, sql: before + parts.join('') + after };
      });
    assertFor(0.2, mutated, ({ original, sql }) => {
      if (classifySqlite(sql).class === 'read') {
        throw new Error(`${JSON.stringify(original)} passed as a read: ${JSON.stringify(sql)}`);
      }
    });
  },
  fuzzPatienceMilliseconds,
);
