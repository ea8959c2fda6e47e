/**
 * Databases behind real SSH servers: what goes through, what is asked, what is refused, what
 * breaks, and what remains.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { startSsh } from '../../daemon/tunnels/ssh/start.ts';
import { keepTunnel } from '../../daemon/tunnels/tunnel.ts';
import { connectionWith } from '../access/principals.ts';
import { collect } from '../engines/collecting-sink.ts';
import { contextOf, endpointOf } from '../engines/postgres/suite.ts';
import { needs, needsRoot } from '../needs.ts';
import { freePort } from '../servers/free-port.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import {
  passwordUnavailable,
  type SshHome,
  type SshServer,
  sshHome,
  sshUnavailable,
  startSshd,
} from '../servers/sshd.ts';
import { expectWithin, here } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';
import { processesIn, type ThroughSsh, throughSsh } from './through-ssh.ts';

const found = findPostgres();
const missing = sshUnavailable ?? mariadbUnavailable() ?? ('unavailable' in found ? found.unavailable : null);

needs(missing).describe('through ssh', () => {
  let postgres: PostgresServer;
  let mariadb: MariadbServer;
  let home: SshHome;
  let bastion: SshServer;
  let through: ThroughSsh;

  beforeAll(async () => {
    [postgres, mariadb] = await Promise.all([lendPostgres(), lendMariadb()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([postgres?.stop(), mariadb?.stop()]);
  }, 60_000);
  beforeEach(async () => {
    home = sshHome();
    bastion = await startSshd(home);
    bastion.trust();
    through = throughSsh(home);
  });
  afterEach(async () => {
    const pids = processesIn(through.folder);
    await through.close();
    expect(existsSync(through.folder)).toBe(false);
    await until(() => pids.every(pid => !existsSync(`/proc/${pid}`)), 'every process of its tunnels has ended');
    await bastion.kill();
    await home.clean();
  });

  const askOn = (database: Database, sql: string, changes = {}) =>
    collect(database, sql, { ...contextOf(), ...changes });
  async function answerOf(database: Database, sql = 'select 41 + 1'): Promise<unknown> {
    const { outcome, rows } = await askOn(database, sql);
    return outcome.kind === 'done' ? rows[0]?.[0] : outcome;
  }
  const problem = (words: RegExp): unknown =>
    expect.objectContaining({ kind: 'not_connected', message: expect.stringMatching(words) });

  describe('what goes through', () => {
    test('both engines answer, and only this user can use the sockets', async () => {
      const shop = through.postgres(postgres, { destination: bastion.place }, { id: 'one' });
      const other = through.mariadb(mariadb, { destination: bastion.place }, { id: 'other' });
      expect(await answerOf(shop)).toBe(42);
      expect(await answerOf(other)).toBe(42);
      expect(through.sockets()).toHaveLength(2);
      for (const socket of through.sockets()) {
        expect(statSync(socket).mode & 0o777).toBe(0o600);
        expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
      }
    });

    test('ssh listens on no port', async () => {
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }))).toBe(42);
      const [pid = 0] = sshOf(through);
      expect(pid).toBeGreaterThan(0);
      expect(listeningSockets(pid)).toEqual([]);
    });

    needsRoot.test('another user of this machine can’t connect to the socket', async () => {
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }))).toBe(42);
      const [socket = ''] = through.sockets();
      const dial = `require('node:net').connect(${JSON.stringify(socket)}).on('connect', () => process.exit(0)).on('error', error => { console.error(error.code); process.exit(1); })`;
      const own = spawnSync(process.execPath, ['-e', dial], { encoding: 'utf8' });
      expect(own.status).toBe(0);
      const others = spawnSync(process.execPath, ['-e', dial], {
        encoding: 'utf8',
        uid: 65_534,
        gid: 65_534,
        cwd: '/',
      });
      expect(others).toMatchObject({ status: 1, stderr: 'EACCES\n' });
    });

    test('TLS is checked against the database’s own name', async () => {
      const tls = { mode: 'verify-full' as const, caFile: postgres.certificates.caFile };
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }, { tls }))).toBe(42);
      const { certificateFile, keyFile } = {
        certificateFile: postgres.certificates.wrongHostCertificateFile,
        keyFile: postgres.certificates.wrongHostKeyFile,
      };
      await postgres.serveCertificate({ certificateFile, keyFile });
      const wrong = through.postgres(postgres, { destination: bastion.place }, { tls, id: 'wrong' });
      expect(await answerOf(wrong)).toEqual(problem(/its certificate is for another name/));
    });

    test('ten sessions at once share one ssh', async () => {
      const shop = through.postgres(postgres, { destination: bastion.place });
      const all = await Promise.all(Array.from({ length: 10 }, () => answerOf(shop, 'select 42 from pg_sleep(0.3)')));
      expect(all).toEqual(Array.from({ length: 10 }, () => 42));
      expect(bastion.log().match(/Accepted publickey/g)).toHaveLength(1);
    });

    test('ten connections at once sign in at a server that accepts ten sign-ins at once, with five sessions each', async () => {
      const busy = await startSshd(home, 'MaxStartups 10');
      busy.trust();
      const ids = Array.from({ length: 10 }, (_, at) => `shop ${at}`);
      const shops = ids.map(id => through.postgres(postgres, { destination: busy.place }, { id }));
      const asked = shops.flatMap(shop =>
        Array.from({ length: 5 }, () => answerOf(shop, 'select 42 from pg_sleep(0.2)')),
      );
      expect(new Set(await Promise.all(asked))).toEqual(new Set([42]));
      expect(busy.log().match(/Accepted publickey/g)).toHaveLength(10);
      await busy.kill();
    }, 60_000);

    test.each([
      ['postgres', 200_000_000],
      // Larger than one of its packets.
      ['mariadb', 16_000_000],
    ] as const)(
      'a large cell on %s (%i bytes) is cut, and grows neither us nor ssh by half of 200 MB',
      async (engine, bytes) => {
        const database =
          engine === 'postgres'
            ? through.postgres(postgres, { destination: bastion.place })
            : through.mariadb(mariadb, { destination: bastion.place });
        expect(await answerOf(database)).toBe(42);
        const [ssh = 0] = sshOf(through);
        const memoryOf = (pid: number | 'self') =>
          Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
        // Resets the peak memory.
        writeFileSync('/proc/self/clear_refs', '5');
        const [before, sshBefore] = [memoryOf('self'), memoryOf(ssh)];
        const sql =
          engine === 'postgres'
            ? `select repeat('x', ${bytes})`
            : `select repeat('x', ${bytes}) from (select 1) as one`;
        const limits = { cellBytes: 65_536, wireBytes: 400 * 1024 * 1024 };
        const { outcome, rows } = await askOn(database, sql, { limits });
        expect(outcome).toMatchObject({ kind: 'done', cutByWire: false });
        expect(rows).toEqual([[{ kept: 'x'.repeat(65_536), fullBytes: bytes }]]);
        expect(memoryOf('self') - before).toBeLessThan(96 * 1024 * 1024);
        expect(memoryOf(ssh) - sshBefore).toBeLessThan(16 * 1024 * 1024);
        expect(await answerOf(database)).toBe(42);
      },
      60_000,
    );

    test.each(['postgres', 'mariadb'] as const)('a statement on %s is cancelled through the tunnel', async engine => {
      const database =
        engine === 'postgres'
          ? through.postgres(postgres, { destination: bastion.place })
          : through.mariadb(mariadb, { destination: bastion.place });
      expect(await answerOf(database)).toBe(42);
      const stop = new AbortController();
      const sql = engine === 'postgres' ? 'select pg_sleep(60)' : 'select sleep(60)';
      const running = askOn(database, sql, { signal: stop.signal });
      const listed = (): Promise<string> =>
        engine === 'postgres'
          ? postgres.ask(
              "select count(*) from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'",
            )
          : mariadb.ask('show processlist').then(list => (list.includes('select sleep(60)') ? '1' : '0'));
      await until(async () => (await listed()) === '1', 'the statement runs');
      const began = performance.now();
      stop.abort();
      expect((await running).outcome.kind).toBe('cancelled');
      await until(async () => (await listed()) === '0', 'the server has stopped it');
      expectWithin(began, 5_000);
    });

    test('a cancelled statement ends almost as soon as one without a tunnel', async () => {
      const direct = openPostgres(
        { ...connectionWith(), ...endpointOf(postgres) },
        { password: async () => postgres.password, now: () => performance.now() },
      );
      const tunnelled = through.postgres(postgres, { destination: bastion.place });
      const cancelledIn = async (database: Database): Promise<number> => {
        expect(await answerOf(database)).toBe(42);
        const stop = new AbortController();
        const running = askOn(database, 'select pg_sleep(60)', { signal: stop.signal });
        const isRunning =
          "select count(*) from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'";
        await until(async () => (await postgres.ask(isRunning)) === '1', 'the statement runs');
        const began = performance.now();
        stop.abort();
        expect((await running).outcome.kind).toBe('cancelled');
        return performance.now() - began;
      };
      const quickest = async (database: Database): Promise<number> => {
        const times: number[] = [];
        for (let time = 0; time < 3; time += 1) times.push(await cancelledIn(database));
        return Math.min(...times);
      };
      const [without, by] = [await quickest(direct), await quickest(tunnelled)];
      await direct.close();
      expect(by - without).toBeLessThan(here(100));
    }, 60_000);

    test('a server that the bastion can’t reach is reported in our words beside ssh’s', async () => {
      const shop = through.postgres(postgres, { destination: bastion.place }, { port: await freePort() });
      expect(await answerOf(shop)).toEqual(
        problem(
          /the SSH server at the end of its tunnel can't reach it \(ssh: channel \d+: open failed: connect failed: Connection refused\)/,
        ),
      );
      const other = through.mariadb(mariadb, { destination: bastion.place }, { port: await freePort(), id: 'other' });
      expect(await answerOf(other)).toEqual(problem(/the SSH server at the end of its tunnel can't reach it/));
    });
  });

  describe('who signs in', () => {
    test('an alias of ~/.ssh/config, with Match and Include', async () => {
      writeFileSync(join(home.folder, '.ssh', 'more'), `Host front\n  HostName 127.0.0.1\n  Port ${bastion.port}\n`);
      home.configure(
        `Include "${join(home.folder, '.ssh', 'more')}"\nMatch host 127.0.0.1 user ${home.user}\n  IdentityFile "${home.keyFile}"\nHost *\n  User ${home.user}\n  BatchMode yes\n  ControlMaster auto\n  ControlPath "${join(home.folder, 'shared')}"\n  ControlPersist yes\n  ForkAfterAuthentication yes\n  LogLevel QUIET`,
      );
      expect(await answerOf(through.postgres(postgres, { destination: 'front' }))).toBe(42);
      // A shared connection would outlive this one.
      expect(existsSync(join(home.folder, 'shared'))).toBe(false);
    });

    test('two hops, each with a host key that is asked about once', async () => {
      const inner = await startSshd(home);
      writeFileSync(home.knownHosts, '');
      const hops = { destination: inner.place, jumps: [bastion.place] };
      const shop = through.postgres(postgres, hops);
      for (const server of [bastion, inner]) {
        expect(await answerOf(shop)).toEqual(
          problem(/nobody has confirmed the SSH host key of \[127.0.0.1\]:\d+ .*\(ED25519 SHA256:/),
        );
        expect(through.tunnels.unknownHostKey(connectionId)?.fingerprint).toBe(server.fingerprint);
        through.retry(server.fingerprint);
      }
      expect(await answerOf(shop)).toBe(42);
      expect(readFileSync(home.knownHosts, 'utf8').trim().split('\n')).toHaveLength(2);
      await inner.kill();
    });

    test('an unknown host key is accepted only with its own fingerprint', async () => {
      writeFileSync(home.knownHosts, '');
      const shop = through.postgres(postgres, { destination: bastion.place });
      through.retry('SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
      expect(await answerOf(shop)).toEqual(problem(/nobody has confirmed/));
      expect(readFileSync(home.knownHosts, 'utf8')).toBe('');
    });

    test('a changed host key is refused, and not tried again by itself', async () => {
      await bastion.kill();
      await bastion.start('another');
      const shop = through.postgres(postgres, { destination: bastion.place });
      expect(await answerOf(shop)).toEqual(
        problem(/the SSH host key of \[127.0.0.1\]:\d+ is another one than it was, so nothing was sent there/),
      );
      const tries = connectionsIn(bastion);
      expect(await answerOf(shop)).toEqual(problem(/another one than it was/));
      expect(connectionsIn(bastion)).toBe(tries);
    });

    test('the newest agent signs in if ssh finds no key by itself', async () => {
      home.configure('Host *\n  IdentityFile /nonexistent');
      through.agent = await home.startAgent([home.keyFile]);
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }))).toBe(42);
    });

    test('the agent that ~/.ssh/config names wins over the newest', async () => {
      const named = await home.startAgent([home.keyFile]);
      home.configure(`Host *\n  IdentityFile /nonexistent\n  IdentityAgent ${named}`);
      through.agent = await home.startAgent([]);
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }))).toBe(42);
    });

    test('an agent that denies is a refused sign-in, not tried again until a person looks', async () => {
      home.configure('Host *\n  IdentityFile /nonexistent');
      through.agent = await home.startAgent([]);
      const shop = through.postgres(postgres, { destination: bastion.place });
      const refused = problem(
        /SSH could not sign in at \S+, which takes publickey; the key \/nonexistent does not exist \(ssh: .*Permission denied/,
      );
      expect(await answerOf(shop)).toEqual(refused);
      const tries = connectionsIn(bastion);
      expect(await answerOf(shop)).toEqual(refused);
      expect(connectionsIn(bastion)).toBe(tries);
      through.agent = await home.startAgent([home.keyFile]);
      through.retry(null);
      expect(await answerOf(shop)).toBe(42);
    });

    test('an agent whose person denies the use of a key is reported, and not asked again until a person looks', async () => {
      home.configure('Host *\n  IdentityFile /nonexistent');
      through.agent = await home.startAgent([home.keyFile], 'no');
      const shop = through.postgres(postgres, { destination: bastion.place });
      const refused = problem(/the SSH agent refused the use of a key \(ssh: .*agent refused operation\)/);
      expect(await answerOf(shop)).toEqual(refused);
      const tries = connectionsIn(bastion);
      expect(await answerOf(shop)).toEqual(refused);
      expect(connectionsIn(bastion)).toBe(tries);
      through.agent = await home.startAgent([home.keyFile], 'yes');
      through.retry(null);
      expect(await answerOf(shop)).toBe(42);
    });

    test('the stored passphrase opens the connection’s key', async () => {
      through.secrets.sshPassphrase = home.passphrase;
      const hop = { destination: bastion.place, keyFile: home.lockedKeyFile };
      expect(await answerOf(through.postgres(postgres, hop))).toBe(42);
    });

    test('a wrong passphrase is given once, is in no sentence, and is reported', async () => {
      home.configure('');
      through.secrets.sshPassphrase = 'not-this-one-either';
      const hop = { destination: bastion.place, keyFile: home.lockedKeyFile };
      const answered = await answerOf(through.postgres(postgres, hop));
      expect(answered).toEqual(problem(/its key \S+locked has a passphrase, and none that fits is kept/));
      expect(JSON.stringify(answered)).not.toContain('not-this-one');
    });

    test.each<[title: string, file: string, text: string | null, mode: number, told: RegExp]>([
      ['is not there', 'gone', null, 0o600, /its SSH key \S+gone does not exist/],
      ['others may read', 'open', 'usual', 0o644, /its SSH key \S+open may be read by others, so ssh doesn't use it/],
      ['PuTTY made', 'key.ppk', 'PuTTY-User-Key-File-3: ssh-ed25519\n', 0o600, /key\.ppk is PuTTY's; `puttygen/],
      ['nobody can read', 'broken', 'nothing\n', 0o600, /SSH key \S+broken can't be read \([\w ]+\): it is no private/],
      [
        'is public',
        'a.pub',
        'usual',
        0o644,
        /its SSH key \S+a\.pub is a public key, and no SSH agent holds the private/,
      ],
    ])('a key that %s', async (_, file, text, mode, told) => {
      const keyFile = join(home.folder, file);
      if (text !== null) writeFileSync(keyFile, text === 'usual' ? readFileSync(home.keyFile) : text, { mode });
      home.configure('');
      const answered = await answerOf(through.postgres(postgres, { destination: bastion.place, keyFile }));
      expect(answered).toEqual(problem(told));
    });

    test.each<[title: string, file: string, mode: number, told: RegExp]>([
      ['is not there', 'nowhere', 0o600, /could not sign in at .*; the key \S+nowhere does not exist \(ssh: /],
      ['others may read', 'opened', 0o644, /could not sign in at .*; the key \S+opened may be read by others/],
      ['PuTTY made', 'theirs.ppk', 0o600, /could not sign in at .*; the key \S+theirs\.ppk is PuTTY's/],
    ])('a key of ~/.ssh/config that %s', async (_, file, mode, told) => {
      const keyFile = join(home.folder, file);
      if (file !== 'nowhere')
        writeFileSync(keyFile, file.endsWith('.ppk') ? 'x\n' : readFileSync(home.keyFile), { mode });
      home.configure(`Host *\n  IdentityFile "${keyFile}"\n  IdentitiesOnly yes`);
      const answered = await answerOf(through.postgres(postgres, { destination: bastion.place }));
      expect(answered).toEqual(problem(told));
    });

    test('the passphrase opens only the connection’s key', async () => {
      home.configure(`Host *\n  IdentityFile "${home.lockedKeyFile}"`);
      through.secrets.sshPassphrase = home.passphrase;
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }))).toEqual(
        problem(/SSH could not sign in/),
      );
    });

    test('the SSH password is given to the last hop, once, and to no hop before it', async () => {
      const asking = await startSshd(home, 'PasswordAuthentication yes\nPubkeyAuthentication no');
      asking.trust();
      through.secrets.sshPassword = `not-${'the'}-password`;
      const failures = () => asking.log().match(/Failed password/g)?.length ?? 0;
      const before = { destination: bastion.place, jumps: [asking.place] };
      expect(await answerOf(through.postgres(postgres, before))).toEqual(problem(/which takes password/));
      expect(failures()).toBe(0);
      const last = through.postgres(postgres, { destination: asking.place }, { id: 'last' });
      const answered = await answerOf(last);
      expect(answered).toEqual(problem(/it asks for a password, and none that fits is kept/));
      expect(JSON.stringify(answered)).not.toContain('not-the');
      expect(failures()).toBe(1);
      await asking.kill();
    });

    needs(passwordUnavailable).test('the SSH password signs in at the last hop, and goes only there', async () => {
      const password = `a right-${'password'} with ' and $`;
      const asking = await startSshd(home, 'PasswordAuthentication yes\nPubkeyAuthentication no', password);
      asking.trust();
      through.secrets.sshPassword = password;
      const hops = { destination: asking.place, jumps: [bastion.place] };
      expect(await answerOf(through.postgres(postgres, hops))).toBe(42);
      expect(asking.log()).toMatch(/Accepted password for/);
      expect(bastion.log()).not.toMatch(/password/);
      for (const pid of processesIn(through.folder))
        for (const from of ['cmdline', 'environ'])
          expect(readFileSync(`/proc/${pid}/${from}`, 'utf8')).not.toContain(password);
      through.secrets.sshPassword = 'another';
      const other = through.postgres(postgres, { destination: asking.place }, { id: 'other' });
      expect(await answerOf(other)).toEqual(problem(/it asks for a password, and none that fits is kept/));
      await asking.kill();
    });

    test('a server’s own words don’t count as our question', async () => {
      const banner = join(home.folder, 'banner');
      writeFileSync(banner, `\nEnter passphrase for key '${home.lockedKeyFile}': \n${'x'.repeat(2_000)}\n`);
      const talking = await startSshd(home, `Banner ${banner}`);
      talking.trust();
      expect(await answerOf(through.postgres(postgres, { destination: talking.place }))).toBe(42);
      await talking.kill();
    });
  });

  describe('what breaks', () => {
    test('a bastion that ends during a query and comes back', async () => {
      const shop = through.postgres(postgres, { destination: bastion.place });
      expect(await answerOf(shop)).toBe(42);
      const running = askOn(shop, 'select pg_sleep(30)');
      await until(
        async () =>
          (await postgres.ask("select count(*) from pg_stat_activity where query like 'select pg_sleep(30)%'")) === '1',
        'the statement runs',
      );
      await bastion.kill();
      expect((await running).outcome.kind).not.toBe('done');
      await until(() => through.sockets().length === 0, 'the tunnel has ended');
      expect(await answerOf(shop)).toEqual(problem(/the SSH server 127.0.0.1:\d+ can't be reached \(ssh: .*refused\)/));
      await bastion.start();
      expect(await answerOf(shop)).toBe(42);
    });

    test('a killed ssh is started again', async () => {
      const shop = through.postgres(postgres, { destination: bastion.place });
      expect(await answerOf(shop)).toBe(42);
      for (const pid of sshOf(through)) process.kill(pid, 'SIGKILL');
      await until(() => through.sockets().length === 0, 'the tunnel has ended');
      expect(await answerOf(shop)).toBe(42);
    });

    test('a hop that hangs', async () => {
      const silent: Server = createServer(() => {});
      await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
      const address = silent.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const shop = through.postgres(postgres, { destination: `127.0.0.1:${port}` });
      const { outcome } = await askOn(shop, 'select 1', { timeoutSeconds: 30 });
      // Whichever gives up first: the dial or ssh.
      expect(outcome).toEqual(problem(/did not (?:come up|answer) in time/));
      await until(
        async () => /an SSH hop did not answer in time \(ssh: /.test(JSON.stringify(await answerOf(shop))),
        'ssh has given up',
      );
      silent.close();
    }, 60_000);

    test('a name that nobody knows', async () => {
      expect(await answerOf(through.postgres(postgres, { destination: 'nobody-knows.invalid' }))).toEqual(
        problem(/the SSH host nobody-knows.invalid is unknown \(ssh: /),
      );
    });
  });

  describe('what remains', () => {
    test('nothing, once the connection is forgotten', async () => {
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }))).toBe(42);
      const pids = sshOf(through);
      expect(pids).not.toEqual([]);
      await through.tunnels.forget(connectionId);
      expect(existsSync(through.folder)).toBe(false);
      await until(() => pids.every(pid => !existsSync(`/proc/${pid}`)), 'ssh has ended');
    });

    test('nothing, if ssh doesn’t listen any more', async () => {
      expect(await answerOf(through.postgres(postgres, { destination: bastion.place }))).toBe(42);
      const pids = sshOf(through);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      await through.tunnels.forget(connectionId);
      expect(existsSync(through.folder)).toBe(false);
      await until(() => pids.every(pid => !existsSync(`/proc/${pid}`)), 'ssh has ended');
    });

    test('nothing, once it was idle for a while; then it comes up again', async () => {
      const ports = {
        folder: () => through.folder,
        userHome: home.folder,
        systemsFile: '/etc/ssh/ssh_config',
        agent: async () => null,
        secret: async () => null,
      };
      const hostKeys = { isConfirmed: () => false, unknown: () => {} };
      const start = startSsh(
        { kind: 'ssh', destination: bastion.place, jumps: [], keyFile: null },
        { ...ports, hostKeys },
      );
      const { host, port } = postgres;
      const tunnel = keepTunnel(start, [{ host, port }], 200);
      const { signal } = new AbortController();
      const [one, other] = await Promise.all([
        tunnel.line.targetFor(host, port, signal),
        tunnel.line.targetFor(host, port, signal),
      ]);
      expect(one.at).toEqual(other.at);
      one.release();
      one.release();
      await new Promise(resolve => setTimeout(resolve, 600));
      expect(through.sockets()).toHaveLength(1);
      other.release();
      await until(() => !existsSync(through.folder), 'it has ended');
      (await tunnel.line.targetFor(host, port, signal)).release();
      expect(through.sockets()).toHaveLength(1);
      await tunnel.close();
      await expect(tunnel.line.targetFor(host, port, signal)).rejects.toThrow('its tunnel was closed');
    });

    test('a socket path that no system accepts is reported with its length, and ssh isn’t started', async () => {
      const folder = join(home.folder, 'l'.repeat(100));
      const hostKeys = { isConfirmed: () => false, unknown: () => {} };
      const start = startSsh(
        { kind: 'ssh', destination: bastion.place, jumps: [], keyFile: null },
        {
          folder: () => folder,
          userHome: home.folder,
          systemsFile: '/etc/ssh/ssh_config',
          agent: async () => null,
          secret: async () => null,
          hostKeys,
        },
      );
      await expect(start([{ host: '127.0.0.1', port: 5432 }], new AbortController().signal)).rejects.toThrow(
        /has 1\d\d bytes, and a system takes 99/,
      );
      expect(existsSync(folder)).toBe(false);
    });

    test('nothing, if its starter is killed', async () => {
      const folder = join(home.folder, 'killed');
      const program = join(home.folder, 'holder.mts');
      const room = fileURLToPath(new URL('../../daemon/tunnels/', import.meta.url));
      writeFileSync(
        program,
        `import { startSsh } from ${JSON.stringify(join(room, 'ssh/start.ts'))};
const start = startSsh({ kind: 'ssh', destination: ${JSON.stringify(bastion.place)}, jumps: [], keyFile: null }, {
  folder: () => ${JSON.stringify(folder)}, userHome: ${JSON.stringify(home.folder)}, agent: async () => null, secret: async () => null,
  hostKeys: { isConfirmed: () => false, unknown: () => {} } });
await start([{ host: '127.0.0.1', port: ${postgres.port} }], new AbortController().signal);
console.log('up');
setInterval(() => {}, 1000);`,
      );
      const holder = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] });
      holder.stderr.pipe(process.stderr);
      await new Promise(resolve => holder.stdout?.once('data', resolve));
      const pids = processesIn(folder);
      expect(pids.length).toBeGreaterThan(0);
      holder.kill('SIGKILL');
      await until(() => pids.every(pid => !existsSync(`/proc/${pid}`)), 'ssh has ended');
      await until(() => !existsSync(folder), 'its folder is gone');
    });
  });
});

const connectionId = '6f7f6a1e-0000-4000-8000-000000000001';

function sshOf({ folder }: ThroughSsh): number[] {
  return processesIn(folder).filter(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('ssh\0'));
}

function listeningSockets(pid: number): string[] {
  const own = readdirSync(`/proc/${pid}/fd`).map(fd => readlinkSync(`/proc/${pid}/fd/${fd}`));
  const rows = ['tcp', 'tcp6'].flatMap(name => readFileSync(`/proc/net/${name}`, 'utf8').trim().split('\n').slice(1));
  return rows.filter(row => {
    const fields = row.trim().split(/ {1,9}/);
    return fields[3] === '0A' && own.includes(`socket:[${fields[9]}]`);
  });
}

function connectionsIn(server: SshServer): number {
  return execFileSync('grep', ['-c', '^Connection \\|^Accepted\\|Unable to negotiate\\|closed by', '-'], {
    input: `${server.log()}\nclosed by`,
    encoding: 'utf8',
  })
    .split('\n')
    .map(Number)[0] as number;
}
