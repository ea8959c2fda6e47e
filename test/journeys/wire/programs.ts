/** PostgreSQL's own programs over a socket. */

import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { onTerminal } from '../../terminals/on-terminal.mjs';
import { until } from '../../waiting/until.ts';
import type { Entrance } from './node-drivers.ts';

const run = promisify(execFile);

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Its messages in English, nobody's start-up file, and no pager. */
const environmentOf = ({ folder, port, user, database }: Entrance) => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  PGHOST: folder,
  PGPORT: `${port}`,
  PGUSER: user,
  PGDATABASE: database,
  PSQL_PAGER: '',
});

export async function program(entrance: Entrance, path: string, words: readonly string[], typed = ''): Promise<Ended> {
  const options = { env: environmentOf(entrance), maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
  const started = run(path, [...words], options);
  started.child.stdin?.on('error', () => {});
  started.child.stdin?.end(typed);
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: typeof error.code === 'number' ? error.code : -1,
      stdout: error.stdout ?? '',
      stderr: error.stderr ?? String(error),
    }),
  );
}

/** Each line as one text, so that several statements in it are one message. */
export const psql = (entrance: Entrance, path: string, ...lines: readonly string[]): Promise<Ended> =>
  program(entrance, path, ['-X', ...lines.flatMap(line => ['-c', line])]);

/** As somebody types them into one session. Errors stand between the answers. */
export async function typedInto(entrance: Entrance, path: string, lines: readonly string[]): Promise<string> {
  const merged = ['-c', 'exec "$0" -X -f - 2>&1', path];
  return (await program(entrance, '/bin/sh', merged, `${lines.join('\n')}\n`)).stdout;
}

/** What psql completes a line to, on a terminal of its own. */
export async function completed(entrance: Entrance, path: string, typed: string, wanted: string): Promise<boolean> {
  const child = spawn(...onTerminal([path, '-X']), { env: { ...environmentOf(entrance), TERM: 'dumb' } });
  let shown = '';
  child.stdout.on('data', text => {
    // It rings when there are several.
    shown += String(text).replaceAll('\x07', '');
  });
  try {
    await until(() => /[=#>] *$/.test(shown), 'psql shows its prompt');
    child.stdin.write(`${typed}\t`);
    await until(() => shown.includes(wanted), `psql completes ${typed}`, 5).catch(() => {});
    return shown.includes(wanted);
  } finally {
    child.kill('SIGKILL');
  }
}

/** What psql asks when a person looks around. */
export const looks: readonly string[] = [
  '\\d',
  '\\d+',
  '\\d orders',
  '\\d+ customers',
  '\\d orders_seen',
  '\\d orders_customer',
  '\\d orders_id_seq',
  '\\dt+',
  '\\dt *.*',
  '\\dv+',
  '\\dm',
  '\\di+',
  '\\ds+',
  '\\dn+',
  '\\df',
  '\\df+ f_*',
  '\\sf f_both',
  '\\sv orders_seen',
  '\\l',
  '\\l+',
  '\\du',
  '\\dg+',
  '\\drds',
  '\\dp',
  '\\ddp',
  '\\dx',
  '\\dT',
  '\\dD',
  '\\da',
  '\\do',
  '\\dC',
  '\\dO',
  '\\db',
  '\\dy',
  '\\des',
  '\\det',
  '\\dRp',
  '\\dRs',
  '\\dX',
  '\\dconfig work_mem',
  '\\dL',
  '\\dF',
  '\\encoding',
  'select 1 as a, 2 as b \\gdesc',
  '\\copy (select 1) to stdout',
];

/** Statements of a day. */
export const statements: readonly string[] = [
  'select * from orders order by id limit 3',
  'copy (select id, total from orders order by id limit 3) to stdout',
  'explain (costs off) select * from orders where customer_id = 3',
  'explain (analyze, costs off, timing off, summary off) select 1',
  'show search_path',
  'show transaction_isolation',
  "set timezone to 'Europe/Berlin'; select '2026-07-01T12:00:00Z'::timestamptz",
  "set datestyle to 'German'; select date '2026-07-01'",
  'set statement_timeout to 5000; select 1',
  'begin; select count(*) from customers; commit',
  'begin; select 1; savepoint a; select 2; rollback to a; release a; rollback',
  'prepare p(int) as select name from customers where id = $1; execute p(3); deallocate p',
  'begin; declare c cursor for select id from orders order by id; fetch 2 from c; move 3 in c; fetch 1 from c; close c; commit',
  'values (1), (2)',
  'table customers limit 1',
  'select 1; select 2; select 3',
  '',
  ';',
  '-- nothing',
];

/** What pg_dump is started with; it prints to its output. */
export const dumps: readonly (readonly string[])[] = [
  ['--schema-only'],
  ['--data-only'],
  [],
  ['--inserts', '--rows-per-insert=100'],
  ['--schema-only', '--no-owner', '--no-privileges', '-t', 'orders'],
  ['--serializable-deferrable', '--data-only'],
];
