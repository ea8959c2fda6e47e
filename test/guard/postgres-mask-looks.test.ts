/** What a client's text costs the daemon's own thread where columns are masked (spec §6). */

import { beforeAll, expect, test } from '@jest/globals';
import { ReachedColumns } from '../../daemon/guard/postgres/judge-masks.ts';
import { loadParser, type Parse } from '../../daemon/guard/postgres/parser.ts';
import { readReach } from '../../daemon/guard/postgres/reach.ts';
import { processorMilliseconds } from '../processor-time.ts';

const some = (count: number, of: (at: number) => string, between = ', ') =>
  Array.from({ length: count }, (_, at) => of(at)).join(between);
const columns = Array.from({ length: 1600 }, (_, at) => ({ name: `m${at}`, generated: null }));
let parse: Parse;

beforeAll(async () => {
  parse = await loadParser();
});

/** Milliseconds of processor time; null if the text is of too many names to be judged. */
function readingOf(sql: string): number | null {
  const { relations, reads } = readReach(parse, sql);
  if (reads === null) return null;
  const known = new ReachedColumns({ columns: ['t*.m*'], show: [] });
  relations.forEach(({ name }, at) => {
    known.add(
      { schema: 'app', name, isOwn: false, above: [], from: [at + 1], columns: columns.slice(0, at < 20 ? 1600 : 5) },
      relations,
    );
  });
  return processorMilliseconds(() => known.readBy(reads, false));
}

test.each([
  ['names of many tables', `select ${some(5000, at => `c${at}`)} from ${some(1900, at => `t${at}`)}`],
  [
    'names within many levels',
    `${some(400, at => `select c${at} from t${at} where exists (`, ' ')} select ${some(5000, at => `d${at}`)} ${')'.repeat(400)}`,
  ],
  ['tables merged by USING', `select 1 from t ${some(1500, at => `join t${at} using (a${at})`, ' ')}`],
  ['tables joined NATURAL', `select 1 from t ${some(1500, at => `natural join t${at}`, ' ')}`],
])('%s are too many', (_, sql) => {
  expect(readingOf(sql)).toBeNull();
});

test.each([
  [
    'aliases of nested joins',
    `select 1 from ${'('.repeat(60)} t0 ${some(60, at => `join t${at} on true) as j${at}`, ' ')}`,
  ],
  ['distinct names', `select ${some(60_000, at => `u.c${at}`)} from t0 u`],
  ['the same name often', `select ${some(50_000, () => 'u.*')} from t0 u`],
  ['a long UNION', some(150, at => `select a, b, c, d, e, m1 from t${at}`, ' union all ')],
  ['a wide join', `select ${some(400, at => `c${at}`)} from ${some(200, at => `t${at}`)}`],
])('%s cost at most 0.2 s', (_, sql) => {
  expect(readingOf(sql)).toBeLessThan(200);
});
