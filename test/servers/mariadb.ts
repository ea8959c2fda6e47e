/**
 * A private MariaDB server for tests, or MySQL if only that is installed: its own data folder,
 * socket and free port; `stop` removes it. It never uses a running server, and reads nothing of
 * this machine's configuration.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2';
import { folderOf, missingPrograms } from '../missing-programs.ts';
import { here } from '../waiting/limits.ts';
import { type Account, accountFor } from './accounts.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { freePort } from './free-port.ts';
import { stopProcesses } from './stop-processes.ts';
import { fromTemplate, programMark } from './template.ts';

const run = promisify(execFile);

const logSize = '--innodb-log-file-size=8M';

/** A cluster starts three at once, on a machine that is busy with other things too. */
const startSeconds = 45;

/** Given to the server on stdin and to the client in its environment, never in argv. */
const rootPassword = 'test-only-root';

export interface ClientOptions {
  readonly database?: string;
  readonly columnNames?: boolean;
  readonly password?: string;
}

export interface MariadbServer {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly socketPath: string;
  readonly user: 'root';
  readonly password: string;
  readonly certificates: Certificates;
  readonly processId: number;
  /**
   * Runs SQL with the `mariadb` client.
   * @returns what it prints with `--batch --raw`: the column names, then the rows.
   */
  client(sql: string, options?: ClientOptions): Promise<string>;
  /**
   * Runs SQL in a session of its own, without starting a program, to set something up or to look
   * often. Doesn't know DELIMITER.
   * @returns one line per row, without column names; NULL is `NULL`.
   */
  ask(sql: string, database?: string): Promise<string>;
  /**
   * True if it has ended, or its log says that it is about to. A server that is about to end may
   * still answer.
   */
  isEnding(): boolean;
  /** Stops the server and starts it again on the same port and data. */
  restart(extra?: readonly string[]): Promise<void>;
  /** SIGSTOP and SIGCONT: makes the server hang. */
  pause(): void;
  resume(): void;
  /** Stops the server and removes its folder. Idempotent. */
  stop(): Promise<void>;
}

interface Binaries {
  readonly server: string;
  /** Null for MySQL, whose server creates its data itself. */
  readonly install: string | null;
  readonly client: string;
}

function find(names: readonly string[]): string | null {
  for (const name of names) {
    const folder = folderOf([name], ['/usr/sbin', '/usr/local/sbin', '/usr/libexec']);
    if (folder !== null) return join(folder, name);
  }
  return null;
}

function findBinaries(): Binaries | null {
  const server = find(['mariadbd', 'mysqld']);
  const install = find(['mariadb-install-db', 'mysql_install_db']);
  const client = find(['mariadb', 'mysql']);
  if (server === null || client === null) return null;
  return install === null && !server.endsWith('/mysqld') ? null : { server, install, client };
}

/** Null if a private server can be started, else one sentence with the command that helps. */
export function mariadbUnavailable(): string | null {
  if (findBinaries() !== null) return missingPrograms(['openssl'], 'apt-get install openssl');
  return 'MariaDB is not installed: run `SALLYPORT_TEST_INSTALL=1 make test`, or `apt-get install mariadb-server`.';
}

/** True if tests start MySQL because MariaDB isn't installed. */
export function isMysql(): boolean {
  return findBinaries()?.install === null;
}

/**
 * Translates MariaDB's SQL for the server that tests start: MySQL has other names for some things,
 * no SEQUENCE, no versions or periods and no rows `seq_1_to_9`.
 */
export function dialect(sql: string): string {
  if (!isMysql()) return sql;
  const counted = (name: string, first: string, last: string): string =>
    `(with recursive n(seq) as (select ${first} union all select seq + 1 from n where seq < ${last}) select seq from n) as ${name}`;
  return sql
    .replace(/\bseq_(\d+)_to_(\d+)\b/g, counted)
    .replace(/\btx_(read_only|isolation)\b/g, 'transaction_$1')
    .replace(/\bmax_statement_time = (\d+)/g, 'max_execution_time = $1000')
    .replace(/\bcreate or replace (table|procedure) (\w+)/gi, 'drop $1 if exists $2; create $1 $2')
    .replace(/\bexecute immediate ('[^']*')/gi, 'prepare dynamic from $1; execute dynamic')
    .replace(/\bshow master status\b/gi, 'show binary log status')
    .replace(/\bset default role (\w+) for\b/g, 'set default role $1 to')
    .replace(/ with system versioning\b|, period for \w+\s*\([^)]*\)/gi, '')
    .replace(/^create sequence .*\n/gim, '');
}

/**
 * Takes about a second. Throws if `mariadbUnavailable` has a sentence.
 * @param extra options of `mariadbd`.
 */
export async function startMariadb(extra: readonly string[] = []): Promise<MariadbServer> {
  const binaries = findBinaries();
  if (binaries === null) throw new Error(mariadbUnavailable() ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-mariadb-'));
  const guard = spawn('/bin/sh', ['-c', guardScript, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  // It may have been killed.
  guard.stdin?.on('error', () => {});
  try {
    return await startIn(folder, guard, binaries, extra);
  } catch (error) {
    await endGuard(guard);
    throw error;
  }
}

/**
 * Outlives a killed test process: when its standard input closes, it ends the server whose id it
 * read last, even a stopped one, and removes the folder. A running installation goes on for a
 * moment and makes files after the first removal.
 */
const guardScript = `
trap '' INT TERM HUP
while read line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -KILL "$pid" 2>/dev/null
  tries=0
  while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
fi
tries=0
while ! rm -rf "$1" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
`;

async function endGuard(guard: ChildProcess): Promise<void> {
  if (guard.exitCode !== null) return;
  const gone = new Promise(resolve => guard.once('exit', resolve));
  guard.ref();
  guard.stdin?.end();
  await gone;
}

function endingOf(exitCode: number, log: string): string {
  if (!existsSync(log)) return `mariadbd ended with ${exitCode} before it wrote its log ${log}`;
  return readFileSync(log, 'utf8').slice(-2000);
}

function giveTo(account: Account | null, path: string): void {
  if (account !== null) chownSync(path, account.uid, account.gid);
}

async function startIn(
  folder: string,
  guard: ChildProcess,
  binaries: Binaries,
  extra: readonly string[],
): Promise<MariadbServer> {
  const account = accountFor(['mysql', 'nobody']);
  const asUser = account === null ? [] : [`--user=${account.name}`];
  const data = join(folder, 'data');
  const certificateFolder = join(folder, 'certificates');
  const certificates = await makeCertificates(certificateFolder);
  // The server drops root before it reads its key.
  for (const path of [folder, certificateFolder, certificates.serverKeyFile]) giveTo(account, path);
  giveTo(account, certificates.wrongHostKeyFile);
  giveTo(account, certificates.expiredKeyFile);
  // With a strict umask the server's own user couldn't read these public files.
  const { caFile, serverCertificateFile, wrongHostCertificateFile, expiredCertificateFile } = certificates;
  for (const file of [caFile, serverCertificateFile, wrongHostCertificateFile, expiredCertificateFile])
    chmodSync(file, 0o644);
  // A starting server removes what looks like its own leftovers in `tmpdir`, even another server's
  // temporary tables.
  const install = ['--no-defaults', ...asUser, `--datadir=${data}`, `--tmpdir=${data}`];
  await fromTemplate(`mariadb-${programMark(binaries.server)}-${account?.name ?? 'self'}`, data, () => {
    mkdirSync(data);
    giveTo(account, data);
    if (binaries.install === null)
      return run(binaries.server, [...install, '--secure-file-priv=', '--initialize-insecure']);
    // A larger log would be cut down at each start, and copied for each server.
    const insecure = [logSize, '--skip-test-db', '--skip-name-resolve', '--auth-root-authentication-method=normal'];
    return run(binaries.install, [...install, ...insecure]);
  });
  const port = await freePort();
  const socketPath = join(folder, 'socket');
  const log = join(folder, 'log.err');
  const options = [
    ...install,
    `--socket=${socketPath}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--log-error=${log}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--max-allowed-packet=1G',
    '--innodb-buffer-pool-size=32M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-fast-shutdown=2',
    '--innodb-doublewrite=OFF',
    ...(binaries.install === null
      ? ['--mysqlx=OFF', '--secure-file-priv=', '--cte-max-recursion-depth=4294967295', '--disable-log-bin']
      : [logSize]),
    '--performance-schema=ON',
    `--ssl-ca=${certificates.caFile}`,
    `--ssl-cert=${certificates.serverCertificateFile}`,
    `--ssl-key=${certificates.serverKeyFile}`,
  ];
  // The server may have any certificate; this is a socket.
  const withoutTls = binaries.install === null ? '--ssl-mode=DISABLED' : '--skip-ssl';
  const clientOptions = ['--no-defaults', withoutTls, `--socket=${socketPath}`, '--user=root', '--batch', '--raw'];
  const environment = { PATH: process.env.PATH, TZ: process.env.TZ };

  let child: ChildProcess | null = null;
  const client: MariadbServer['client'] = async (
    sql,
    { database, columnNames = true, password = rootPassword } = {},
  ) => {
    const args = [...clientOptions, '--default-character-set=utf8mb4', ...(columnNames ? [] : ['--skip-column-names'])];
    if (database !== undefined) args.push(`--database=${database}`);
    return new Promise((resolve, reject) => {
      const asking = execFile(
        binaries.client,
        args,
        { env: { ...environment, MYSQL_PWD: password }, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
      );
      // A client that is refused at once never reads its input.
      asking.stdin?.on('error', () => {});
      asking.stdin?.end(sql);
    });
  };

  const ask: MariadbServer['ask'] = async (sql, database) => {
    const session = createConnection({
      socketPath,
      user: 'root',
      password: rootPassword,
      charset: 'utf8mb4',
      multipleStatements: true,
      rowsAsArray: true,
      ...(database === undefined ? {} : { database }),
      // MySQL has JSON columns, which would come as bytes.
      typeCast: field => field.string('utf8'),
    });
    session.on('error', () => {});
    let lines = '';
    try {
      await new Promise<void>((resolve, reject) => {
        // A connection that fails reports it itself, not through its query.
        session.once('error', reject);
        // A statement without rows has a result too: how many rows it changed.
        const onResult = (row: unknown) => {
          if (Array.isArray(row)) lines += `${row.map(value => value ?? 'NULL').join('\t')}\n`;
        };
        session.query(sql).on('result', onResult).once('error', reject).once('end', resolve);
      });
    } finally {
      session.destroy();
    }
    return lines;
  };

  const start = async (more: readonly string[]): Promise<void> => {
    rmSync(log, { force: true });
    const starting = spawn(binaries.server, [...options, ...more], { stdio: 'ignore' });
    child = starting;
    starting.unref();
    guard.stdin?.write(`${starting.pid ?? ''}\n`);
    const deadline = performance.now() + here(startSeconds * 1000);
    while (performance.now() < deadline) {
      if (starting.exitCode !== null) throw new Error(endingOf(starting.exitCode, log));
      // Its log tells, so no client has to try. Galera says it in other words.
      if (existsSync(log) && /d: ready for connections/.test(readFileSync(log, 'utf8'))) return;
      await new Promise(resolve => setTimeout(resolve, 25));
    }
    starting.kill('SIGKILL');
    throw new Error(`MariaDB did not start within ${startSeconds} s.`);
  };

  const hasEnded = (server: ChildProcess | null): boolean =>
    server === null || server.exitCode !== null || server.signalCode !== null;

  const end = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || hasEnded(ending)) return;
    const gone = new Promise(resolve => ending.once('exit', resolve));
    ending.ref();
    ending.kill('SIGCONT');
    ending.kill('SIGTERM');
    const impatience = setTimeout(() => ending.kill('SIGKILL'), here(5_000));
    await gone;
    clearTimeout(impatience);
    guard.stdin?.write('\n');
  };

  await start(extra);
  await client(
    `ALTER USER root@localhost IDENTIFIED BY '${rootPassword}';
     DROP USER IF EXISTS root@'127.0.0.1';
     CREATE USER root@'127.0.0.1' IDENTIFIED BY '${rootPassword}';
     GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION`,
    { password: '' },
  );

  return {
    host: '127.0.0.1',
    port,
    socketPath,
    user: 'root',
    password: rootPassword,
    certificates,
    get processId() {
      return child?.pid ?? 0;
    },
    client,
    ask,
    isEnding: () => hasEnded(child) || /Normal shutdown|Received SHUTDOWN/.test(readFileSync(log, 'utf8')),
    restart: async (more = extra) => {
      await end();
      await start(more);
    },
    pause: () => stopProcesses(child?.pid === undefined ? [] : [child.pid]),
    resume: () => void child?.kill('SIGCONT'),
    stop: async () => {
      await end();
      await endGuard(guard);
    },
  };
}
