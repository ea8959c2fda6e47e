/**
 * The URL forms and password sources of `sallyport connections add`, with real PostgreSQL and
 * MariaDB servers.
 */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bin } from '../../bridge/real-home.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { needs, needsRoot } from '../../needs.ts';
import { lendMariadb, lendPostgres } from '../../servers/lent.ts';
import { type Relay, relayAsTidb } from '../../servers/lying-relays.ts';
import { type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { findPostgres } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

interface Server {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly authorityFile: string;
  /** The end of the URL that names the socket. */
  readonly socket: string;
  stop(): Promise<void>;
}

interface Candidate {
  readonly scheme: 'postgres' | 'mysql';
  readonly database: string;
  /** How a sign-in without a password ends. */
  readonly withoutPassword: 'password_missing' | 'password_refused';
  readonly unavailable: string | null;
  start(): Promise<Server>;
}

const binaries = findPostgres();
const candidates: readonly Candidate[] = [
  {
    scheme: 'postgres',
    database: 'postgres',
    withoutPassword: 'password_missing',
    unavailable: 'unavailable' in binaries ? binaries.unavailable : null,
    async start() {
      if ('unavailable' in binaries) throw new Error(binaries.unavailable);
      const server = await lendPostgres();
      const { port, superuser: user, password, socketFolder, certificates } = server;
      const socket = `/postgres?host=${socketFolder}&port=${port}`;
      return { port, user, password, socket, authorityFile: certificates.caFile, stop: () => server.stop() };
    },
  },
  {
    scheme: 'mysql',
    database: 'mysql',
    withoutPassword: 'password_refused',
    unavailable: mariadbUnavailable(),
    async start() {
      const server = await lendMariadb();
      const { port, user, password, socketPath, certificates } = server;
      const socket = `/mysql?socket=${socketPath}`;
      return { port, user, password, socket, authorityFile: certificates.caFile, stop: () => server.stop() };
    },
  },
];

for (const candidate of candidates) needs(candidate.unavailable).describe(candidate.scheme, () => suite(candidate));

function suite({ scheme, database, withoutPassword, start }: Candidate): void {
  let server: Server;
  let home: RealHome;
  beforeAll(async () => {
    home = realHome();
    server = await start();
    await home.run(['start']);
  }, 120_000);
  afterAll(async () => {
    await home.clean();
    await server.stop();
  });

  const tested = async (name: string) => {
    const { code, stdout } = await home.run(['connections', 'test', name, '--json']);
    return { exit: code, ...JSON.parse(stdout) };
  };
  const urlAt = (host: string) => `${scheme}://${server.user}@${host}:${server.port}/${database}`;
  const reachable = { exit: 0, reachable: true, currentDatabase: database };

  test('a host, the password from stdin, then a wrong one, then none', async () => {
    const words = ['connections', 'add', urlAt('127.0.0.1'), '--name', 'Host', '--password-stdin'];
    expect(await home.run(words, { stdin: `${server.password}\n` })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Host signs in as (postgres|root), which may do anything there; [^\n]+\n$/),
    });
    expect(await tested('Host')).toMatchObject(reachable);
    // The next dial uses the new password; the old pool is gone.
    await home.run(['connections', 'set', 'Host', '--password-stdin'], { stdin: 'wrong-hunter2' });
    const wrong = await home.run(['connections', 'test', 'Host']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/^sallyport: Host can't be reached: /);
    expect(wrong.stderr).not.toContain('hunter2');
    await home.run(['connections', 'set', 'Host', '--no-password']);
    expect(await tested('Host')).toMatchObject({ exit: 1, reachable: false, code: withoutPassword });
  }, 60_000);

  test('a socket', async () => {
    const url = `${scheme}://${server.user}:${encodeURIComponent(server.password)}@${server.socket}`;
    expect((await home.run(['connections', 'add', url, '--name', 'Socket'])).code).toBe(0);
    expect(await tested('Socket')).toMatchObject(reachable);
  }, 60_000);

  test('a command that prints the password', async () => {
    const words = ['connections', 'add', urlAt('localhost'), '--name', 'Command'];
    await home.run([...words, '--password-command', `printf '%s\\n' '${server.password}'`]);
    expect(await tested('Command')).toMatchObject(reachable);
    // A server limits the time of its sign-in. A person who looks for the sensor has no limit.
    const late = `echo 'touch the sensor' >&2; sleep 11; printf '%s' '${server.password}'`;
    await home.run(['connections', 'set', 'Command', '--password-command', late]);
    expect(await tested('Command')).toMatchObject(reachable);
    await home.run([
      'connections',
      'set',
      'Command',
      '--password-command',
      'echo "no item \u001b[31mshop" >&2; exit 3',
    ]);
    expect(await tested('Command')).toMatchObject({
      exit: 1,
      reachable: false,
      problem: 'the password command ended with exit code 3. It wrote: no item \\u{1b}[31mshop',
    });
    await home.run(['connections', 'set', 'Command', '--password-command', 'op-that-is-not-here read x']);
    expect((await tested('Command')).problem).toMatch(
      /^the password command names a program that is not in \S+: write the program's whole path\. It wrote: .*op-that-is-not-here/,
    );
    const told = JSON.stringify(await home.run(['query', 'Command', 'select 1']));
    expect(told).toMatch(/the password command names a program .* `sallyport connections test Command` says more\./);
    expect(told).not.toContain('op-that-is-not-here');
  }, 60_000);

  test('verify-full with the authority’s file, and not without it', async () => {
    const url = `${urlAt('localhost')}?sslmode=verify-full&sslrootcert=${server.authorityFile}`;
    await home.run(['connections', 'add', url, '--name', 'Tls', '--password-stdin'], { stdin: server.password });
    expect(await tested('Tls')).toMatchObject(reachable);
    await home.run(['connections', 'set', 'Tls', '--ca', '']);
    expect(await tested('Tls')).toMatchObject({ exit: 1, reachable: false, code: 'unknown_authority' });
  }, 60_000);

  needsRoot.test(
    'verify-full by an authority that the system of this machine knows',
    async () => {
      const machine = realHome();
      const folder = join(machine.folder, 'authorities');
      mkdirSync(folder);
      copyFileSync(server.authorityFile, join(folder, 'company.pem'));
      // Whoever starts the daemon can't name other authorities for it.
      const script = 'mount --bind "$1" /etc/ssl/certs && SSL_CERT_DIR=/x SSL_CERT_FILE=/x exec "$2"';
      const words = ['--mount', 'sh', '-c', script, 'sh', folder, join(bin, 'sallyportd')];
      machine.spawnProgram('unshare', words);
      await until(() => existsSync(join(machine.home, 'mcp-handshake.json')), 'the daemon is ready');
      const given = { stdin: server.password };
      await machine.run(['connections', 'add', urlAt('localhost'), '--name', 'Company', '--password-stdin'], given);
      await machine.run(['connections', 'set', 'Company', '--tls', 'verify-full']);
      const { stdout } = await machine.run(['connections', 'test', 'Company', '--json']);
      await machine.clean();
      expect(JSON.parse(stdout)).toMatchObject({ reachable: true, currentDatabase: database });
    },
    60_000,
  );

  test('no log contains a password', async () => {
    const logs = readdirSync(`${home.home}/logs`).map(name => readFileSync(`${home.home}/logs/${name}`, 'utf8'));
    expect(logs.join('\n')).not.toContain(server.password);
    expect(logs.join('\n')).not.toContain('hunter2');
  });
}

needs(mariadbUnavailable()).describe('a server that takes READ ONLY for nothing', () => {
  let server: MariadbServer;
  let relay: Relay;
  let home: RealHome;
  beforeAll(async () => {
    home = realHome();
    server = await lendMariadb();
    relay = await relayAsTidb(server.port, 'taken for nothing');
    await home.run(['start']);
  }, 120_000);
  afterAll(async () => {
    await home.clean();
    await relay.stop();
    await server.stop();
  });

  test('is said to have one wall, before its person accepts that and behind', async () => {
    const url = `mysql://${server.user}@127.0.0.1:${relay.port}/mysql`;
    for (const name of ['Almost', 'Unasked']) {
      const words = ['connections', 'add', url, '--name', name, '--tls', 'disable', '--password-stdin'];
      expect((await home.run(words, { stdin: server.password })).code).toBe(0);
    }
    const printed = async (...asked: string[]) => (await home.run(asked)).stdout;
    const { token } = JSON.parse(await printed('tokens', 'mint', '--name', 'agent', '--json'));
    const { port } = JSON.parse(await printed('status', '--json'));
    const args = { connection: 'Almost', sql: 'select 1' };
    const read = async () => {
      const call = modern(token, 'tools/call', { name: 'execute_query', arguments: args });
      return (await send(`http://127.0.0.1:${port}/mcp`, call)).text;
    };

    expect(await read()).toContain(`denied: Nothing ran: the server of \\"Almost\\" doesn't refuse writes`);
    expect(await printed('connections', 'list')).toMatch(/HELD BY[\s\S]* one wall, so no client reads\n/);
    expect(await printed('connections', 'list')).not.toMatch(/Unasked[^\n]*walls?\n/);
    expect(await printed('connections', 'show', 'Almost')).toMatch(/reads held by +one wall, so no client reads\n/);
    expect(await printed('status')).toContain('! Clients read nothing from "Almost", where the server doesn');
    const nothing = "The server doesn't refuse writes in a transaction that only reads, so clients read nothing here.";
    expect(await printed('connections', 'test', 'Almost')).toContain(nothing);
    expect(await printed('doctor')).toContain(`Almost: ${nothing}`);

    await home.run(['connections', 'set', 'Almost', '--walls', 'one']);
    expect(await printed('connections', 'list')).toMatch(/HELD BY[\s\S]* one wall, where the server is none\n/);
    expect(await read()).toContain('"rows":[[1]]');
    expect(await printed('connections', 'list')).toMatch(/HELD BY[\s\S]* one wall\n/);
    expect(await printed('status')).toContain('! One wall alone holds what clients read from "Almost"');
    expect(await printed('doctor')).toContain('what clients read here is held by one wall, the guard.');
    const rows = await printed('activity');
    expect(rows).toMatch(/query execute_query +Almost +success[^\n]*: held by one wall\n/);
    expect(rows).toMatch(/connection\.test +Almost +success: held by one wall, by sallyport/);
  }, 60_000);
});
