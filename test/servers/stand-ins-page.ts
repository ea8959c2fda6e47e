/**
 * The table of docs/servers.md about stand-ins: a row for each, in words for what its patterns
 * expect. Runs none of them.
 */

import { readFileSync } from 'node:fs';
import { writeInto } from '../docs/generated-part.ts';
import { mysqlStandIns, noWarning, postgresStandIns, type StandIn } from './stand-ins.ts';

const page = 'docs/servers.md';
const command = 'WRITE=1 make test JEST=test/attacks/stand-ins';
const head = '| Stand-in | What it does | Named | Reads | Writes | Tried |';

type Facts = Omit<StandIn<unknown>, 'lie'>;
type Told = RegExp | 'done' | undefined;

const rowsOf = (before: string, standIns: readonly Facts[]) =>
  standIns.map(one => ({ key: keyOf(before, one.name), cells: cellsOf(before, one) }));
const all = () => [...rowsOf('PostgreSQL', postgresStandIns), ...rowsOf('MariaDB', mysqlStandIns)];

export const keyOf = (before: string, name: string): string => `${name}, before ${before}`;

/** What a pattern begins with, and what that is in a few words. */
const meanings: readonly (readonly [string, string])[] = [
  ['^denied: Nothing ran', 'none until you accept one wall'],
  ['^denied: Nothing was changed: not all that it changes can be counted', 'need your approval: not counted'],
  ["^query_failed: The server can't", "refused: nothing runs, and the server's words are told"],
  ['^query_failed: ', "the server's words"],
  ['^not_connected: ', 'not connected, with the reason'],
  ['^outcome_unknown: ', 'told as unknown'],
];

function wordsOf(told: Told): string {
  if (told === undefined || told === 'done') return 'done';
  const words = meanings.find(([begin]) => told.source.startsWith(begin))?.[1];
  if (words === undefined) throw new Error(`No words for what ${told.source} expects.`);
  const said = told.source.includes(' The server said: ') ? ", with the server's words" : '';
  return words + said + (told.source.includes('Send it again') ? ', and *Send it again*' : '');
}

function cellsOf(before: string, { name, does, version, warning, ...told }: Facts): readonly string[] {
  const { read, nextRead = read, write, several = write, unsaid = several } = told;
  const writes = [
    ['one row', wordsOf(write)],
    ['several rows', wordsOf(several)],
    ['a number that it does not say', wordsOf(unsaid)],
  ] as const;
  const differ = writes.filter(([, words], at) => at === 0 || words !== writes[at - 1]?.[1]);
  const reads = [...new Set([wordsOf(read), wordsOf(nextRead)])].join(', then ');
  const warns = warning === undefined || warning === noWarning ? '' : '; `connections test` warns';
  return [
    keyOf(before, name),
    does.replaceAll('’', "'"),
    version ?? '',
    reads + warns,
    differ.length === 1 ? wordsOf(write) : differ.map(([what, words]) => `${what}: ${words}`).join('; '),
  ];
}

/** The page's rows, without the dates on which they ran. */
export function rowsOnPage(): readonly string[] {
  return linesOnPage().map(line => line.slice(0, line.lastIndexOf(' | ')));
}

export const rowsWanted = (): readonly string[] => all().map(({ cells }) => `| ${cells.join(' | ')}`);

/** @param ran keys of those that ran now; the others keep their day. */
export function writeRows(ran: ReadonlySet<string>): void {
  const today = new Date().toISOString().slice(0, 10);
  const days = new Map(
    linesOnPage().map(line => [line.split(' | ')[0]?.slice(2), line.split(' | ').at(-1)?.slice(0, -2)]),
  );
  const rows = all().map(({ key, cells }) => {
    const day = ran.has(key) ? today : (days.get(key) ?? 'never');
    return `| ${[...cells, day].join(' | ')} |`;
  });
  writeInto(page, command, ['', head, head.replaceAll(/[^|]+/g, '---'), ...rows, ''].join('\n'));
}

function linesOnPage(): readonly string[] {
  const text = readFileSync(page, 'utf8');
  const begin = text.indexOf(`<!-- ${command}`);
  const part = text.slice(begin, text.indexOf('<!-- to here', begin));
  return part.split('\n').filter(line => line.startsWith('| ') && line !== head);
}
