/**
 * The processes of a system without /proc, listed by one run of `ps`: a run for each process of a
 * chain would take longer.
 */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nameOfProgram } from '../../shared/program-name.ts';
import type { ProcessOrigin } from '../access/privilege-increases/origin-words.ts';

export interface KnownProcess extends Pick<ProcessOrigin, 'terminal'> {
  readonly parent: number;
  readonly uid: number;
  readonly name: string;
  /** Its control group, which it keeps when its parent ends; '' where there are none. */
  readonly group: string;
}

/** Linux's name for any process of Node 24 and newer. */
const nodesThread = 'MainThread';

/** @returns null if no living process has that id. */
export type ProcessLookup = (pid: number) => Promise<KnownProcess | null>;

const run = promisify(execFile);
const limits = { timeout: 2_000, maxBuffer: 64 * 1024 * 1024 } as const;

/** @throws if `ps` can't be run. */
export async function processTable(): Promise<ProcessLookup> {
  const [table, commandLines] = await Promise.all([
    list('pid', 'ppid', 'uid', 'stat', 'tty', 'comm'),
    list('pid', 'args'),
  ]);
  const typed = new Map(commandLines.map(line => columnsOf(line, 1)).map(([pid = '', typed = '']) => [pid, typed]));
  const known = new Map<number, KnownProcess>();
  for (const line of table) {
    const [pid = '', parent = '', uid = '', state = '', terminal = '', told = ''] = columnsOf(line, 5);
    if (pid === '' || state.startsWith('Z')) continue;
    const whole = typed.get(pid) ?? '';
    const program = told === nodesThread ? (whole.split(' ', 1)[0] ?? '') : told;
    // Blanks within the program's own path don't end a word.
    const following = whole.startsWith(`${program} `) ? whole.slice(program.length + 1) : columnsOf(whole, 1)[1];
    known.set(Number(pid), {
      parent: Number(parent),
      uid: Number(uid),
      group: '',
      terminal: /^[?-]/.test(terminal) ? null : `/dev/${terminal}`,
      name: nameOfProgram([program, ...(following ?? '').split(' ')], program),
    });
  }
  return async pid => known.get(pid) ?? null;
}

/**
 * An empty title for each column, one per option: macOS takes everything after an equals sign for
 * the title.
 */
async function list(...columns: readonly string[]): Promise<string[]> {
  const options = columns.flatMap(column => ['-o', `${column}=`]);
  return (await run('/bin/ps', ['-axww', ...options], limits)).stdout.split('\n');
}

/** The first words, and the rest of the line. */
function columnsOf(line: string, count: number): string[] {
  const words: string[] = [];
  let unread = line.trim();
  while (words.length < count && unread !== '') {
    const [word = ''] = unread.split(' ', 1);
    words.push(word);
    unread = unread.slice(word.length).trimStart();
  }
  return [...words, unread];
}
