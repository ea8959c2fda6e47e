/**
 * The cost of a statement before it runs: whatever it repeats, reading 100 KB costs some ten times
 * as much as 10 KB. Parsers that others wrote aren't measured; their time is limited where they
 * run.
 */

import { beforeAll, expect, test } from '@jest/globals';
import { classifyMysql } from '../../daemon/guard/mysql/classify.ts';
import { classifyCode } from '../../daemon/guard/mysql/stored-body.ts';
import { type ClassifyPostgres, postgresClassifier } from '../../daemon/guard/postgres/classify.ts';
import { loadParser, type Parse } from '../../daemon/guard/postgres/parser.ts';
import { classifySqlite } from '../../daemon/guard/sqlite/classify.ts';
import { type Cost, expectLinear, type Growing, grown, growthOf, mixtures, some } from '../growth.ts';
import { fuzzPatienceMilliseconds, fuzzSeconds } from './fuzz.ts';

const most = 99_000;
/** For `jest`: a busy machine must not fail it. */
const patience = 120_000;

const pieces =
  `( ) [ ] { } , ; . : = < > + - * / % | & ! ~ ^ ? # @ $ \\ ' " \` '' "" -- /* */ /*! /*!50000 /*+ --\n #\n $$ $a$ @a := :: -> ||
  a a.b t.a 1 0 1.5e3 0x1f 'x' "q" é x'00' E'\\n' e' n'x' b' u&' _utf8'x' ?1 :p $1 a(a a( count( é( pragma_x( row( if( cast( ( ) (select
  (select select from where and or not xor in is null between like exists case when then else end with as recursive
  materialized values delete insert into update set on using join left cross order by group having limit window over
  partition union except intersect returning table create view index trigger begin loop for interval day collate
  distinct all any some true virtual if use force key procedure match against within rollup lateral`
    .split(/\s+/)
    .flatMap(piece => [piece, ` ${piece} `, `${piece},`]);
const beginnings = [
  '',
  'select ',
  'select * from ',
  'select 1 where ',
  'delete from t where ',
  'update t set a = ',
  'delete from t where a = (',
  'with a as (select 1) select ',
  'insert into t values ',
  'create table t (',
  'create index i on t (',
  'create procedure p() begin ',
  'explain ',
  "select E'\\n'",
  'select 1 '.repeat(20),
];
const ends = ['', ';', 'x', ' from t', ')', "'", '*/', ' as (', ' end'];

/**
 * Each of these hung the daemon, blocked it for seconds or overflowed its stack, or would without
 * its guard.
 */
const known: Readonly<Record<'sqlite' | 'mysql' | 'postgres', readonly Growing[]>> = {
  sqlite: [
    grown('select * ', 'into,'),
    grown('select * ', 'from,'),
    grown('', 'from a '),
    grown('select 1', ',f('),
    grown('create index i ', 'x('),
    grown('create virtual table t ', 'using x '),
    grown('delete from t where ', 'exists where '),
    grown('delete from t where ', 'select where ', 'a'),
    grown(`delete from t where ${'not '.repeat(900)}`, '1+', '1'),
    grown('delete from t where ', 'a = 1 or '),
    grown(`delete from t where a in (${'('.repeat(60)}`, '1,', `1${')'.repeat(61)}`),
  ],
  mysql: [
    grown('select ', '),row('),
    grown('select * from t where a in (values ', 'row(1),', 'row(1))'),
    grown('select * from (values ', '(1),', '(2)) x'),
    grown('select ', 'f(', '1'),
    grown('select ', '(select ', '1'),
    grown('delete from t where ', 'exists where '),
    grown('delete from t where ', 'a = 1 or '),
    grown(`delete from t where ${'(a or '.repeat(190)}`, '1,', `1${')'.repeat(190)}`),
    grown(`select 1 from t where ${')'.repeat(2_000)}`, '('),
    grown('select ', 'é(),', '1'),
    grown('with ', 'a as (select 1), ', 'b as (select 1) select 1'),
    grown('delete ', 'a, ', 'b from b as a'),
    grown('delete from a where id in (', 'id, ', '1)'),
  ],
  postgres: [
    grown("select E'\\n'", ' --'),
    grown("select * from t where name ~ '^n\\d+$' --", '-', '\norder by id'),
    grown("select E'\\n'", '\n --x', ' x'),
    grown("select '\\' ", "''"),
    grown('select 1', '+-', '1'),
    grown('select 1', '/*', '1'),
    grown(`with ${Array.from({ length: 500 }, (_, at) => `a${at} as (select 1)`).join(', ')} select * from t`, ', a'),
    grown('', 'with a as (', 'select 1'),
    grown(`delete from t where (${'a, '.repeat(500)}a) in (`, '(b,a),', '(a,b))'),
    grown('select * from t where a in (', 'a,', 'a)'),
  ],
};

let parse: Parse;
let parsedMilliseconds = 0;
let classifyPostgres: ClassifyPostgres;

beforeAll(async () => {
  const load = await loadParser();
  const timed = (sql: string) => {
    const start = process.cpuUsage();
    const parsed = load(sql);
    const { user, system } = process.cpuUsage(start);
    parsedMilliseconds += (user + system) / 1000;
    return parsed;
  };
  parse = Object.assign(timed, { plpgsql: load.plpgsql, calledNames: load.calledNames });
  classifyPostgres = postgresClassifier(parse);
});

const readers: readonly (readonly [keyof typeof known, Cost])[] = [
  ['sqlite', sql => void classifySqlite(sql)],
  ['mysql', sql => void classifyMysql(sql)],
  [
    'postgres',
    sql => {
      parsedMilliseconds = 0;
      classifyPostgres(sql);
      return parsedMilliseconds;
    },
  ],
];

test.each(readers)(
  '%s: statements that once blocked the daemon',
  (engine, read) => expectLinear(known[engine], most, read),
  patience,
);

test.each(readers)(
  '%s: any mixture of its pieces, repeated',
  (_, read) => expectLinear(some(mixtures(pieces, beginnings, ends), 6 * fuzzSeconds), most, read),
  fuzzPatienceMilliseconds,
);

test(
  'mysql: code that a server stores',
  () => {
    const codes = [
      grown('begin ', 'select 1 into @a, @b; ', 'end'),
      grown('select 1 into ', '@a, ', '@b'),
      grown('begin ', 'if a then ', 'select 1'),
      grown('', 'a: ', 'select 1'),
      grown('begin ', 'declare exit handler for not found ', 'select 1'),
      grown('return ', 'case when ', '1'),
      grown('', 'case a when 1 then ', 'select 1; end case'),
      grown('begin ', 'set a = 1, ', 'b = 2'),
      grown('exception when others then ', 'delete ', ''),
    ];
    const rest = { shown: [], schema: 's', sqlMode: '', change: null } as const;
    return expectLinear(codes, most, text => void classifyCode({ ...rest, kind: 'routine', text }));
  },
  patience,
);

test('fast growth is found', () => {
  const growing = grown('', 'ab');
  // Without string methods, which engines speed up for texts they have seen before.
  const eachToEach = (text: string): undefined => {
    let same = 0;
    for (let one = 0; one < text.length; one++)
      for (let other = 0; other < text.length; other++) if (text.charCodeAt(one) === text.charCodeAt(other)) same += 1;
    expect(same).toBeGreaterThan(0);
  };
  // A shared processor may be half as fast for a moment. That hides growth once, not five times.
  let found: string | null = null;
  for (let tries = 0; found === null && tries < 5; tries++) found = growthOf(growing, 10_000, eachToEach);
  expect(found).toContain('takes more than');
  // It would take years: the stop at 0.3 seconds works like that at three.
  expect(growthOf(growing, 8_000, text => void /^(?:a|b|ab)*$/.test(`${text}!`), 300)).toContain('more than 0.3 s');
  expect(growthOf(growing, 800_000, text => void text.split('a').join('c'))).toBeNull();
});
