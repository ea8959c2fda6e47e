/**
 * A private PostgreSQL server for tests: its own cluster in a temporary folder, a free port, an
 * unprivileged user, TLS ready. It never uses a running server, and ends with the test process,
 * however that ends.
 */

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { folderOf, missingPrograms } from '../missing-programs.ts';
import { here } from '../waiting/limits.ts';
import { accountFor } from './accounts.ts';
import { type Certificate, type Certificates, makeCertificates } from './certificates.ts';
import { freePort } from './free-port.ts';
import { stopProcesses } from './stop-processes.ts';
import { fromTemplate, programMark } from './template.ts';

const run = promisify(execFile);

export interface PostgresServer {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly socketFolder: string;
  readonly superuser: string;
  readonly password: string;
  readonly certificates: Certificates;
  /**
   * Runs SQL as the superuser through `psql` over the socket; rejects with psql's message.
   * @returns what `psql -At` prints.
   */
  psql(sql: string, database?: string): Promise<string>;
  /**
   * Runs SQL as the superuser without starting a program, to set something up or to look often. It
   * uses a session that nobody else uses meanwhile and that stays for the next question, with what
   * was SET. Several statements are one transaction.
   * @returns what `psql -At` prints.
   */
  ask(sql: string, database?: string): Promise<string>;
  /** Ends the sessions that `ask` keeps. */
  endSessions(): Promise<void>;
  /** Serves this certificate from now on; null turns TLS off. */
  serveCertificate(certificate: Certificate | null): Promise<void>;
  /** Asks the sessions to end, as a package upgrade does. */
  restart(): Promise<void>;
  /** Kills all its processes at once (SIGKILL) and starts it again on the same data. */
  crash(): Promise<void>;
  /** Freezes all its processes (SIGSTOP): it accepts connections and answers nothing. */
  pause(): void;
  resume(): void;
  /** Idempotent; leaves no process and no folder. */
  stop(): Promise<void>;
}

export interface PostgresBinaries {
  readonly folder: string;
}

export interface Unavailable {
  readonly unavailable: string;
}

/** Searches PATH, then Debian's folder for them, newest first. */
export function findPostgres(): PostgresBinaries | Unavailable {
  const debian = '/usr/lib/postgresql';
  const versions = readdirOrNone(debian).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map(version => join(debian, version, 'bin'));
  const folder = folderOf(['initdb', 'postgres', 'psql'], folders);
  if (folder === null) {
    return {
      unavailable:
        'PostgreSQL is not installed; SALLYPORT_TEST_INSTALL=1 make test installs it, or: apt-get install postgresql',
    };
  }
  const unavailable = missingPrograms(['openssl'], 'apt-get install openssl');
  return unavailable === null ? { folder } : { unavailable };
}

function readdirOrNone(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Outlives a killed test process: when its standard input closes, it ends the server whose id it
 * read last, and removes the folder. It continues stopped processes first, since they never see the
 * signal otherwise.
 */
const guardScript = `
trap '' INT TERM HUP
while read line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -QUIT "$pid" 2>/dev/null
  kill -CONT "$pid" $(ps -A -o pid= -o ppid= | awk -v p="$pid" '$2 == p { print $1 }') 2>/dev/null
  tries=0
  while kill -0 "$pid" 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
fi
rm -rf "$1"
`;

const superuser = 'postgres';

/** Keeps every value as text. */
const asPrinted = { getTypeParser: () => String };

/**
 * One line for each kind of authentication in the tests. Other roles need SCRAM over TCP and
 * nothing on the socket.
 */
const hostBasedAuthentication = `
local all all trust
local replication all trust
hostssl all certified_role 127.0.0.1/32 cert
host all clear_text_role 127.0.0.1/32 password
host all md5_role 127.0.0.1/32 md5
host all all 127.0.0.1/32 scram-sha-256
`;

const settings = `
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
max_connections = 60
shared_buffers = 32MB
log_destination = stderr
timezone = 'Europe/Berlin'
unix_socket_permissions = 0777
`;

/** An extension that a server must load at its start, such as timescaledb. */
const extension = process.env.SALLYPORT_TEST_EXTENSION ?? '';

/** @param primary the server whose hot standby this one becomes, made with pg_basebackup. */
export async function startPostgres(
  binaries: PostgresBinaries,
  primary: PostgresServer | null = null,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-postgres-'));
  chmodSync(folder, 0o755);
  const guard = spawn('/bin/sh', ['-c', guardScript, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  // It may have been killed.
  guard.stdin?.on('error', () => {});
  try {
    return await startIn(folder, guard, binaries, primary);
  } catch (error) {
    await endGuard(guard);
    throw error;
  }
}

async function endGuard(guard: ChildProcess): Promise<void> {
  if (guard.exitCode !== null) return;
  guard.ref();
  const ended = new Promise(resolve => guard.once('exit', resolve));
  guard.stdin?.end();
  await ended;
}

async function startIn(
  folder: string,
  guard: ChildProcess,
  binaries: PostgresBinaries,
  primary: PostgresServer | null,
): Promise<PostgresServer> {
  const owner = accountFor(['nobody']);
  const password = `not-${'secret'}-here`;
  const port = await freePort();
  const data = join(folder, 'data');
  const certificateFolder = join(folder, 'certificates');
  const certificates = await makeCertificates(certificateFolder);
  for (const name of readdirSync(certificateFolder)) {
    if (!name.includes('client')) chmodSync(join(certificateFolder, name), 0o644);
  }
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (owner !== null) {
    chownSync(folder, owner.uid, owner.gid);
    chownSync(passwordFile, owner.uid, owner.gid);
  }
  const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' };
  const options = { cwd: folder, env: environment, ...(owner && { uid: owner.uid, gid: owner.gid }) };
  const cluster = [
    '-D',
    data,
    '-U',
    superuser,
    '--pwfile',
    passwordFile,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--wal-segsize=1',
  ];
  if (primary === null) {
    const mark = programMark(join(binaries.folder, 'postgres'));
    await fromTemplate(`postgres-${mark}-${owner?.name ?? 'self'}`, data, () =>
      run(join(binaries.folder, 'initdb'), cluster, options),
    );
  } else {
    const from = ['-h', primary.socketFolder, '-p', `${primary.port}`, '-U', superuser];
    await run(join(binaries.folder, 'pg_basebackup'), [...from, '-D', data, '-c', 'fast', '-R', '--no-sync'], options);
  }
  writeFileSync(join(data, 'pg_hba.conf'), hostBasedAuthentication);
  const preload = extension === '' ? '' : `\nshared_preload_libraries = '${extension}'`;
  const base = `${readFileSync(join(data, 'postgresql.conf'), 'utf8')}\n${settings}${preload}\nport = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\n`;

  function configure(certificate: Certificate | null): void {
    const lines = [base];
    if (certificate !== null) {
      copyFileSync(certificate.certificateFile, join(data, 'served.crt'));
      copyFileSync(certificate.keyFile, join(data, 'served.key'));
      chmodSync(join(data, 'served.key'), 0o600);
      if (owner !== null) chownSync(join(data, 'served.key'), owner.uid, owner.gid);
      lines.push("ssl = on\nssl_cert_file = 'served.crt'\nssl_key_file = 'served.key'\n");
      copyFileSync(certificates.caFile, join(data, 'clients.crt'));
      lines.push("ssl_ca_file = 'clients.crt'\n");
    }
    writeFileSync(join(data, 'postgresql.conf'), lines.join('\n'));
  }

  /**
   * Idle, in the database `postgres`: starting a session costs more than most questions, and one in
   * another database keeps that from being dropped.
   */
  const kept = new Set<pg.Client>();

  async function dial(database: string): Promise<pg.Client> {
    const client = new pg.Client({ host: folder, port, user: superuser, database, types: asPrinted });
    client.on('error', () => {}).on('end', () => kept.delete(client));
    await client.connect();
    return client;
  }

  async function ask(sql: string, database = 'postgres'): Promise<string> {
    const [idle] = database === 'postgres' ? kept : [];
    const client = idle ?? (await dial(database));
    kept.delete(client);
    let isWhole = false;
    try {
      const answered = await client.query<(string | null)[]>({ text: sql, rowMode: 'array' });
      isWhole = database === 'postgres';
      // Several statements have one result each.
      const rows = [answered].flat().flatMap(result => result.rows);
      return rows.map(row => row.map(value => value ?? '').join('|')).join('\n');
    } finally {
      if (isWhole) kept.add(client);
      else await client.end();
    }
  }

  async function psql(sql: string, database = 'postgres'): Promise<string> {
    const args = [
      '-X',
      '-q',
      '-A',
      '-t',
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      folder,
      '-p',
      `${port}`,
      '-U',
      superuser,
      '-d',
      database,
      '-f',
      '-',
    ];
    const started = run(join(binaries.folder, 'psql'), args, { env: environment, maxBuffer: 64 * 1024 * 1024 });
    // A psql that is refused at once never reads its input.
    started.child.stdin?.on('error', () => {});
    started.child.stdin?.end(sql);
    return (await started).stdout.replace(/\n$/, '');
  }

  let server: ChildProcess | null = null;
  const pids = () => {
    const postmaster = server?.pid;
    if (postmaster === undefined) return [];
    const rows = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' }).trim().split('\n');
    const children = rows.map(row => row.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === postmaster);
    return [postmaster, ...children.map(([pid = 0]) => pid)];
  };

  async function launch(): Promise<void> {
    let log = '';
    const child = spawn(join(binaries.folder, 'postgres'), ['-D', data], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    server = child;
    child.unref();
    guard.stdin?.write(`${child.pid ?? ''}\n`);
    const impatience = setTimeout(() => child.kill('SIGKILL'), here(15_000));
    // Reads the server's own output, since asking it takes a process each time.
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (bytes: Buffer) => {
        if (log.length > 20_000) return;
        log += bytes;
        if (/ready to accept (read-only )?connections/.test(log)) resolve();
      });
      child.once('exit', () => reject(new Error(`postgres ended: ${log}`)));
    }).finally(() => clearTimeout(impatience));
    if (child.stderr !== null && 'unref' in child.stderr && typeof child.stderr.unref === 'function')
      child.stderr.unref();
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill(signal);
    await ended;
    guard.stdin?.write('\n');
  }

  function signalAll(signal: NodeJS.Signals): void {
    for (const pid of pids()) {
      try {
        process.kill(pid, signal);
      } catch {
        // A session that has ended since it was listed.
      }
    }
  }

  configure({ certificateFile: certificates.serverCertificateFile, keyFile: certificates.serverKeyFile });
  await launch();
  // Each database made from now on has it, as its users would want.
  if (extension !== '' && primary === null) await psql(`create extension ${extension}`, 'template1');
  return {
    host: '127.0.0.1',
    port,
    socketFolder: folder,
    superuser,
    password,
    certificates,
    psql,
    ask,
    async endSessions() {
      await Promise.all([...kept].map(client => client.end()));
    },
    async serveCertificate(certificate) {
      configure(certificate);
      await psql('select pg_reload_conf()');
      const wanted = certificate === null ? 'off' : 'on';
      while ((await psql('show ssl')) !== wanted) await new Promise(resolve => setTimeout(resolve, 20));
      // The postmaster reads the file before the sessions report it, but maybe later than this one
      // did.
      await new Promise(resolve => setTimeout(resolve, 100));
    },
    async restart() {
      await end('SIGINT');
      await launch();
    },
    async crash() {
      signalAll('SIGKILL');
      await end('SIGKILL');
      await launch();
    },
    pause: () => stopProcesses(pids()),
    resume: () => signalAll('SIGCONT'),
    async stop() {
      await endGuard(guard);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of the binaries that the tests start; 0 if there are none. */
export function postgresMajor(): number {
  const found = findPostgres();
  if ('unavailable' in found) return 0;
  const printed = execFileSync(join(found.folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/\d+/.exec(printed)?.[0]);
}
