/**
 * Mutates how statements are written (comments, case, quotes, escapes, whitespace) and asserts that
 * no class falls. Runs for `FUZZ_SECONDS`; a failure prints its seed.
 */

import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lazyClassifiers } from '../../daemon/guard/index.ts';
import type { ClassifyPostgres } from '../../daemon/guard/postgres/classify-postgres.ts';
import type { StatementClass } from '../../daemon/guard/types.ts';
import { fuzzSeconds } from './fuzz.ts';
import { decidedByText } from './statements/table.ts';

const order: readonly StatementClass[] = ['read', 'write', 'destructive', 'forbidden'];
const known = decidedByText('postgres');
const ofClass = (wanted: StatementClass) => known.filter(each => each.class === wanted).map(({ sql }) => sql);

/** The pieces of a statement that can be written in another way; quoted text stays whole. */
const pieces =
  /\$(\w*)\$[\s\S]*?\$\1\$|[EeNnBbXx]?'(?:[^'\\]|\\[\s\S]|'')*'|[Uu]&["'][\s\S]*?["']|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\s+|[\p{L}_][\p{L}\p{N}_$]*|[0-9.]+|[\s\S]/gu;

const keywordOrName = /^[A-Za-z_]\w*$/;
/** Words that the grammar only takes as names, so quotes change nothing. */
const isPlainName = (piece: string, next: string | undefined) =>
  /^(pg_\w+|lo_\w+|dblink\w*|nextval|setval|set_config|query_to_xml|ts_stat|table_to_xml|schema_to_xml|[tus]|public)$/.test(
    piece,
  ) && next !== "'";

const gaps = [
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\f',
  '/**/',
  '/*;*/',
  '/* \' " $$ */',
  '-- ;\n',
  "--'\n",
  '/*/*x*/;*/',
  ' \u000b',
];

interface Choice {
  readonly gap: number;
  readonly case: number;
  readonly quote: number;
}

function escaped(name: string, how: number): string {
  const points = [...name].map(character => character.codePointAt(0) ?? 0);
  const hexadecimal = (point: number, digits: number) => point.toString(16).padStart(digits, '0');
  if (how === 1) return `U&"${points.map(point => `\\${hexadecimal(point, 4)}`).join('')}"`;
  if (how === 2)
    return `u&"${points.map((point, at) => (at % 2 ? `\\+${hexadecimal(point, 6)}` : String.fromCodePoint(point))).join('')}"`;
  return `"${name}"`;
}

function withCase(word: string, how: number): string {
  if (how === 1) return word.toUpperCase();
  if (how === 2) return word.toLowerCase();
  return [...word].map((letter, at) => (at % 2 === how % 2 ? letter.toUpperCase() : letter.toLowerCase())).join('');
}

function mutate(sql: string, choices: readonly Choice[]): string {
  const found = sql.match(pieces) ?? [];
  const written = found.map((piece, at) => {
    const choice = choices[at % choices.length] ?? { gap: 0, case: 0, quote: 0 };
    if (/^\s+$/.test(piece)) return piece.includes('\n') ? piece : `${gaps[choice.gap % gaps.length]} `;
    if (!keywordOrName.test(piece)) return piece;
    const next = found[at + 1];
    if (choice.quote > 2 && choice.quote < 6 && isPlainName(piece, next)) return escaped(piece, choice.quote - 3);
    const isGlued = next?.startsWith("'") === true || next?.startsWith('"') === true;
    const word = choice.case === 0 || isGlued ? piece : withCase(piece, choice.case);
    return next === '(' ? `${word}${gaps[choice.gap % gaps.length]}` : word;
  });
  return written.join('');
}

/** Ways to hide a statement in another one; none may lower its class. */
const frames: readonly ((sql: string) => string)[] = [
  sql => sql,
  sql => `${sql};`,
  sql => `;${sql}`,
  sql => `${sql} -- x`,
  sql => `/* SELECT 1 */ ${sql}`,
  sql => `${sql}\n/* SELECT 1; */;`,
  // PostgreSQL takes a missing field for a function of one argument.
  sql => sql.replace(/\b([a-z]\w*)\(('\w*')\)/, '($2).$1'),
  sql => `EXPLAIN ANALYZE ${sql}`,
  sql => `EXPLAIN (VERBOSE off, ANALYZE TRUE) ${sql}`,
  sql => `SELECT 1; ${sql}`,
];

/** Only for statements that may be inside another one: `(COMMIT)` is a column. */
const queryFrames: readonly ((sql: string) => string)[] = [
  sql => `WITH z AS (${sql}\n) SELECT * FROM z`,
  sql => `SELECT * FROM (${sql}\n) AS z`,
  sql => `SELECT (${sql}\n)`,
  sql => `CREATE TABLE z AS ${sql}`,
  sql => `INSERT INTO z ${sql}`,
];

const isQuery = (sql: string) => /^\(*(SELECT|WITH|VALUES|TABLE|INSERT|UPDATE|DELETE|MERGE)\b/i.test(sql);

let classify: ClassifyPostgres;

beforeAll(async () => {
  classify = await lazyClassifiers().postgres();
});

/** Without the empty ones: beside another statement they don't count as statements. */
const nonReads = known.filter(({ class: judged, sql }) => judged !== 'read' && !/^(\s|;|--.*|\/\*.*\*\/)*$/.test(sql));

test(
  'no spelling of a statement lowers its class',
  () => {
    const choice = fc.record({ gap: fc.nat(11), case: fc.nat(4), quote: fc.nat(9) });
    const property = fc.property(
      fc.constantFrom(...nonReads),
      fc.array(choice, { minLength: 1, maxLength: 40 }),
      fc.nat(),
      ({ sql, class: judged }, choices, frameNumber) => {
        const usable = isQuery(sql) ? [...frames, ...queryFrames] : frames;
        const frame = usable[frameNumber % usable.length] ?? String;
        const mutated = frame(mutate(sql, choices));
        const { class: found } = classify(mutated);
        if (order.indexOf(found) < order.indexOf(judged))
          throw new Error(`${found} < ${judged}: ${JSON.stringify(mutated)}`);
      },
    );
    // On a busy machine too.
    fc.assert(property, { numRuns: 101 });
    const run = fc.check(property, {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: fuzzSeconds * 1000,
      markInterruptAsFailure: false,
    });
    expect(run.failed ? fc.defaultReportMessage(run) : '').toBe('');
  },
  fuzzSeconds * 1000 + 60_000,
);

test('mutations keep most statements within the grammar, so they test something', () => {
  const plain = fc.sample(fc.record({ gap: fc.nat(11), case: fc.nat(4), quote: fc.nat(9) }), { numRuns: 40, seed: 7 });
  const writes = ofClass('write').map(sql => classify(mutate(sql, plain)));
  const understood = writes.filter(({ reason }) => !reason.includes('Not valid PostgreSQL'));
  expect(understood.length).toBeGreaterThan(writes.length * 0.9);
});

test('no mutation of a read is refused', () => {
  const choice = fc.record({ gap: fc.nat(11), case: fc.constantFrom(0, 1, 2), quote: fc.constant(0) });
  fc.assert(
    fc.property(
      fc.constantFrom(...ofClass('read')),
      fc.array(choice, { minLength: 1, maxLength: 40 }),
      (sql, choices) => {
        const mutated = mutate(sql, choices);
        const { class: found, reason } = classify(mutated);
        if (found !== 'read') throw new Error(`${found}: ${JSON.stringify(mutated)}: ${reason}`);
      },
    ),
    { numRuns: 2_000 },
  );
});
