/**
 * A home with the built daemon and one connection to each engine, on private servers. It is used
 * without a real client: over plain HTTP and with the terminal command. Everything is gone after
 * `stop`.
 */

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { bin, RealHome } from '../../bridge/real-home.ts';
import { type Answer, initialize, legacy, modern, send } from '../../clients/http/wire.ts';
import { needs } from '../../needs.ts';
import { lendMariadb, lendPostgres } from '../../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts';
import { type Ran, runHere } from '../../shell-terminal/in-process.ts';
import { executeOn } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';

export const connectionNames = { postgres: 'Pg', mysql: 'Maria', sqlite: 'File' } as const;
export type EngineName = keyof typeof connectionNames;
export const engineNames = ['postgres', 'mysql', 'sqlite'] as const;

export type { Ran };

/** The result of a tool call, over any transport. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: {
    readonly columns?: readonly string[];
    readonly rows?: readonly (readonly (string | number | boolean | null)[])[];
    readonly [member: string]: unknown;
  };
  readonly _meta?: Record<string, unknown>;
}

export interface ThreeEngines {
  readonly home: RealHome;
  readonly postgres: PostgresServer;
  readonly mariadb: MariadbServer;
  readonly sqliteFile: string;
  readonly daemonPid: number;
  readonly port: number;
  readonly url: string;
  /** Runs `sallyport` to its end. */
  run(words: readonly string[], stdin?: string): Promise<Ran>;
  /** Runs it in this process, as RealHome does. */
  here(words: readonly string[], stdin?: string): Promise<Ran>;
  mint(...words: readonly string[]): Promise<{ readonly id: string; readonly token: string }>;
  /** One modern `tools/call` over HTTP. */
  call(token: string, name: string, args: Record<string, unknown>): Promise<Answer>;
  /**
   * Makes the same call.
   * @throws if its answer has no structured content.
   */
  answer(
    token: string,
    name: string,
    args: Record<string, unknown>,
  ): Promise<NonNullable<ToolResult['structuredContent']>>;
  /**
   * Calls `execute_query` over HTTP on the engine's connection.
   * @throws if the answer is no result.
   */
  query(token: string, engine: EngineName, sql: string, more?: Record<string, unknown>): Promise<ToolResult>;
  /** Runs SQL on the SQLite file, outside the daemon. */
  executeOnFile(sql: string): void;
  /** Sallyport's statements that the engine is running now. */
  running(engine: EngineName): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** The sentence to skip with, or null. */
export function threeEnginesUnavailable(): string | null {
  const postgres = findPostgres();
  return 'unavailable' in postgres ? postgres.unavailable : mariadbUnavailable();
}

/**
 * Gives its tests the three engines: they start before the first hook of their own and stop after
 * the last. It is skipped, with a name, if a server is missing.
 */
export function describeWithThreeEngines(
  name: string,
  tests: (three: ThreeEngines) => void,
  options: Options = {},
): void {
  needs(threeEnginesUnavailable()).describe(name, () => {
    const three = {} as ThreeEngines;
    beforeAll(async () => {
      Object.assign(three, await startThreeEngines(options));
    }, 120_000);
    tests(three);
    afterAll(() => three.stop?.(), 60_000);
  });
}

interface Options {
  /**
   * Where exported files go: the account's Downloads, or a folder that is removed with the home.
   */
  readonly exports?: 'with the account' | 'at home';
  /** Lent servers keep running after `stop`. */
  readonly servers?: 'lent' | 'own';
}

export async function startThreeEngines({
  exports = 'with the account',
  servers = 'lent',
}: Options = {}): Promise<ThreeEngines> {
  const binaries = findPostgres();
  if ('unavailable' in binaries) throw new Error(binaries.unavailable);
  const undo: (() => Promise<void>)[] = [];
  try {
    const postgres = await (servers === 'lent' ? lendPostgres() : startPostgres(binaries));
    undo.push(() => postgres.stop());
    const mariadb = await (servers === 'lent' ? lendMariadb() : startMariadb());
    undo.push(() => mariadb.stop());
    const home = new RealHome();
    undo.push(() => home.clean());
    return await connectAll(home, postgres, mariadb, undo, exports);
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
}

async function undoAll(undo: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of undo.toReversed()) await step();
}

async function connectAll(
  home: RealHome,
  postgres: PostgresServer,
  mariadb: MariadbServer,
  undo: readonly (() => Promise<void>)[],
  exports: NonNullable<Options['exports']>,
): Promise<ThreeEngines> {
  await postgres.psql('create database shop');
  await mariadb.client('CREATE DATABASE shop CHARACTER SET utf8mb4');
  const sqliteFile = join(home.folder, 'shop.db');
  executeOn(sqliteFile, 'create table first (a)');
  const run = (words: readonly string[], stdin = '') => runSallyport(home.environment, words, stdin);

  const here = (words: readonly string[], stdin = '') =>
    runHere(words, { environment: home.environment, cwd: home.folder, stdin });

  if (exports === 'at home') {
    // Not with `start`, which gives a daemon the account's own HOME.
    spawn(join(bin, 'sallyportd'), { env: { ...home.environment, HOME: home.folder }, stdio: 'ignore' }).unref();
    await until(() => home.handshake() !== null, 'the daemon is up', 20);
  } else await succeeds(run(['start']));
  const at = (server: { readonly port: number }) => `127.0.0.1:${server.port}/shop`;
  const add = (url: string, engine: EngineName, words: readonly string[], stdin = '') =>
    succeeds(here(['connections', 'add', url, '--name', connectionNames[engine], ...words], stdin));
  await add(`postgresql://${postgres.superuser}@${at(postgres)}`, 'postgres', ['--password-stdin'], postgres.password);
  const passwordFile = join(home.folder, 'maria-password');
  writeFileSync(passwordFile, `${mariadb.password}\n`, { mode: 0o600 });
  await add(`mariadb://${mariadb.user}@${at(mariadb)}`, 'mysql', ['--password-command', `cat '${passwordFile}'`]);
  await add(`sqlite:${sqliteFile}`, 'sqlite', []);

  const handshake = home.handshake();
  if (handshake === null) throw new Error('The daemon left no handshake.');
  const { pid: daemonPid, port } = handshake;
  const url = `http://127.0.0.1:${port}/mcp`;
  const call: ThreeEngines['call'] = (token, name, args) =>
    send(url, modern(token, 'tools/call', { name, arguments: args }));

  return {
    home,
    postgres,
    mariadb,
    sqliteFile,
    daemonPid,
    port,
    url,
    run,
    here,
    call,
    async answer(token, name, args) {
      const { json, text } = await call(token, name, args);
      const { structuredContent } = (json.result ?? {}) as ToolResult;
      if (structuredContent === undefined) throw new Error(text.slice(0, 500));
      return structuredContent;
    },
    async mint(...words) {
      const { stdout } = await succeeds(here(['tokens', 'mint', '--name', 'journey', ...words, '--json']));
      return JSON.parse(stdout);
    },
    async query(token, engine, sql, more = {}) {
      const args = { connection: connectionNames[engine], sql, ...more };
      const { json, text } = await call(token, 'execute_query', args);
      if (json.result === undefined) throw new Error(`No result: ${text.slice(0, 500)}`);
      return json.result as ToolResult;
    },
    executeOnFile: sql => void executeOn(sqliteFile, sql),
    async running(engine) {
      if (engine === 'sqlite') return busyChildrenOf(daemonPid);
      const printed =
        engine === 'postgres'
          ? await postgres.ask(
              `select query from pg_stat_activity where backend_type = 'client backend' and state <> 'idle'
               and application_name like 'Sallyport%'`,
            )
          : await mariadb.ask(
              `select info from information_schema.processlist
               where command <> 'Sleep' and id <> connection_id() and info is not null`,
            );
      return printed.split('\n').filter(line => line !== '');
    },
    stop: () => undoAll(undo),
  };
}

export async function succeeds(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  if (ran.code !== 0) throw new Error(`sallyport ended with ${ran.code}: ${ran.stderr}`);
  return ran;
}

export function runSallyport(
  environment: Record<string, string>,
  words: readonly string[],
  stdin: string,
): Promise<Ran> {
  return runCommand('sallyport', environment, words, stdin);
}

/** Runs one of the three built commands to its end. */
export async function runCommand(
  command: 'sallyport' | 'sallyportd' | 'sallyport-mcp',
  environment: Record<string, string>,
  words: readonly string[] = [],
  stdin = '',
): Promise<Ran> {
  const child = spawn(join(bin, command), words, { env: environment });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', chunk => {
    stdout += chunk;
  });
  child.stderr.on('data', chunk => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  return { code, stdout, stderr };
}

/**
 * Opens a session of 2025-11-25 over HTTP.
 * @returns the headers of its later requests.
 */
export async function legacySession(url: string, token: string): Promise<Record<string, string>> {
  const { headers } = await send(url, legacy(token, initialize('2025-11-25')));
  return { 'Mcp-Session-Id': String(headers['mcp-session-id']), 'MCP-Protocol-Version': '2025-11-25' };
}

export interface ChildProcessFacts {
  readonly pid: number;
  readonly command: string;
  /** Processor time used, in hundredths of a second. */
  readonly ticks: number;
}

export function childrenOf(parent: number): readonly ChildProcessFacts[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (Number(fields[1]) !== parent || fields[0] === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), command, ticks: Number(fields[11]) + Number(fields[12]) }];
      } catch {
        // It ended during the look.
        return [];
      }
    });
}

/** Children that computed in the last tenth of a second. */
export async function busyChildrenOf(parent: number): Promise<readonly string[]> {
  const before = new Map(childrenOf(parent).map(({ pid, ticks }) => [pid, ticks]));
  await new Promise(resolve => setTimeout(resolve, 100));
  return childrenOf(parent)
    .filter(({ pid, ticks }) => ticks - (before.get(pid) ?? ticks) >= 2)
    .map(({ pid, command }) => `${pid} ${command}`);
}

/** A process's memory in megabytes: now, and the peak since the last `forgetPeak`. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
