/**
 * A hostile program runs in each box that this machine supports, as root inside and not as root. It
 * tries the ways around Sallyport from SECURITY.md and gets only what its own box allows. The owner
 * tries each way outside too, where it works: so no way fails for lack of a program.
 */

import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addBox,
  addTokenBox,
  call,
  homeWithShop,
  initialize,
  post,
  type SocketBox,
  type TokenBox,
} from '../../journeys/boxes/box.ts';
import { needs, needsRoot } from '../../needs.ts';
import { freePort } from '../../servers/free-port.ts';
import type { RealHome } from '../../shell-terminal/real-home.ts';
import { type Kind, kinds, missingBoxes, onOurNetwork, otherUser, outside, type Ran, runIn } from './kinds.ts';

const say = (...messages: unknown[]): string =>
  `printf '%s\\n' ${messages.map(message => `'${JSON.stringify(message)}'`).join(' ')}`;
const identify = { jsonrpc: '2.0', id: 1, method: 'identify', params: { protocol: '2', nonce: 'A'.repeat(43) } };

/** PTRACE_ATTACH, then PTRACE_DETACH; x86-64 and arm64 number the call differently. */
const trace = `my $n = \`uname -m\` =~ /x86_64/ ? 101 : 117; my $pid = $ENV{DAEMON} + 0;
syscall($n, 16, $pid, 0, 0) == 0 or exit 1; waitpid($pid, 0x40000000); syscall($n, 17, $pid, 0, 0)`;

/** With the token from the home, as a bridge has it; empty if the file can't be read. */
const asBridge = [
  `TOKEN=$(grep -o 'sp_[A-Za-z0-9_-]*' "$HOME_FOLDER/mcp-handshake.json")`,
  `BODY='${JSON.stringify(initialize)}'`,
  `printf 'POST /mcp HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer %s\\r\\nContent-Type: application/json\\r\\nAccept: application/json, text/event-stream\\r\\nContent-Length: %s\\r\\nConnection: close\\r\\n\\r\\n%s' "$TOKEN" "\${#BODY}" "$BODY" | socat -t 5 - "TCP:127.0.0.1:$PORT" | grep -q protocolVersion`,
].join('\n');

/** Each ends with 0 if it gets what it wants. */
const ways: Readonly<Record<string, string>> = {
  'reads the store': 'head -c 15 "$HOME_FOLDER/sallyport.db" | grep -q SQLite',
  'reads the secrets': 'grep -q shell/secret "$HOME_FOLDER/secrets.json"',
  'reads the token of the bridge': 'grep -q sp_ "$HOME_FOLDER/mcp-handshake.json"',
  'writes into the home': '[ -s "$HOME_FOLDER/store.json" ] && touch "$HOME_FOLDER/planted"',
  'reads the file of a database': 'grep -q Ada "$HOME_FOLDER/../Shop.db"',
  'reaches the control socket': `${say(identify)} | socat -t 5 - "UNIX-CONNECT:$HOME_FOLDER/control.sock" | grep -q proof`,
  'reaches another box': `${say(initialize)} | socat -t 5 - "UNIX-CONNECT:$OTHER" | grep -q protocolVersion`,
  'reads the environment of the daemon': `tr '\\0' '\\n' <"/proc/$DAEMON/environ" | grep -q "$HOME_FOLDER"`,
  'reads the memory map of the daemon': 'head -n 1 "/proc/$DAEMON/maps" | grep -q .',
  'opens the memory of the daemon': `perl -e 'open(my $m, "<", "/proc/$ENV{DAEMON}/mem") or exit 1'`,
  'lists the descriptors of the daemon': 'ls "/proc/$DAEMON/fd" | grep -q .',
  'goes through the root of the daemon': 'head -c 15 "/proc/$DAEMON/root$HOME_FOLDER/sallyport.db" | grep -q SQLite',
  'traces the daemon': `perl -e '${trace}'`,
  'signals the daemon': 'kill -0 "$DAEMON"',
  'reads the environment of who started it': `cat /proc/[0-9]*/environ 2>/dev/null | grep -qa secret-of-the`,
  'reaches the port of the host as the bridge does': asBridge,
};

/** These are in vain where the network is the box's own. */
const waysByNetwork: Readonly<Record<string, string>> = {
  'reaches a server on the loopback': 'socat -u -T 2 "TCP:127.0.0.1:$LOOPBACK" - | grep -q welcome',
  'reaches a server on the loopback of IPv6': 'socat -u -T 2 "TCP6:[::1]:$LOOPBACK" - | grep -q welcome',
  'reaches an abstract socket': 'socat -u -T 2 "ABSTRACT-CONNECT:$ABSTRACT" - | grep -q welcome',
  'reaches an abstract socket that /proc lists': 'grep -q "@$ABSTRACT" /proc/net/unix',
  'sees who listens': 'grep -qi "$(printf :%04X "$LOOPBACK")" /proc/net/tcp',
};

/** Ways by what slirp4netns puts into the box; they lead nowhere outside. */
const waysByGateway: Readonly<Record<string, string>> = Object.fromEntries(
  ['10.0.2.2', '10.0.2.3', '10.0.2.1', '0.0.0.0', '127.0.0.53'].map(host => [
    `reaches a server on the loopback by ${host}`,
    `socat -u -T 2 "TCP:${host}:$LOOPBACK,connect-timeout=2" - | grep -q welcome`,
  ]),
);

/** Listens where a database would, for as long as somebody tries to be taken in. */
const impersonate = `for each in "TCP-LISTEN:$DATABASE,bind=127.0.0.1,reuseaddr,fork" "TCP6-LISTEN:$DATABASE,bind=[::1],reuseaddr,fork" "ABSTRACT-LISTEN:$IMPOSTOR,fork" "UNIX-LISTEN:$PLACE,fork"; do
  timeout 4 socat "$each" SYSTEM:'echo impostor' & done 2>/dev/null; wait`;

/** As printf takes the headers of such a call. */
const modern =
  'MCP-Protocol-Version: 2026-07-28\\r\\nMcp-Method: tools/call\\r\\nMcp-Name: execute_query\\r\\nContent-Type: application/json\\r\\nAccept: application/json, text/event-stream\\r\\n';

/** One message and its answer at a socket: a bridge of four lines. */
const bridge = `use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new($ARGV[0]) or die "$!\n";
print $s "$ARGV[1]\n"; $s->flush; print scalar <$s>;`;
const tell = (socket: 'OWN' | 'OTHER', message: unknown): string =>
  `perl -e '${bridge}' "$${socket}" '${JSON.stringify(message)}'`;
const ask = (connection: string, sql: string, socket: 'OWN' | 'OTHER' = 'OWN'): string =>
  tell(socket, call(connection, sql));

needs(missingBoxes).describe('a hostile program', () => {
  let home: RealHome;
  let other: SocketBox;
  const made = new Map<Kind, SocketBox>();
  const ABSTRACT = `sallyport-test-${process.pid}`;
  const IMPOSTOR = `${ABSTRACT}-impostor`;
  let DATABASE = 0;
  let LOOPBACK = 0;
  const servers: Server[] = [];
  async function welcome(at: { port: number; host: string } | { path: string }): Promise<Server> {
    const server = createServer(connection => {
      connection.on('error', () => {});
      connection.end('welcome\n');
    });
    servers.push(server);
    await new Promise<void>(resolve => server.listen(at, resolve));
    return server;
  }
  const everyKind = process.getuid?.() === 0 ? [...kinds, otherUser] : kinds;
  beforeAll(async () => {
    home = await homeWithShop();
    other = await addBox(home, 'other');
    LOOPBACK = ((await welcome({ port: 0, host: '127.0.0.1' })).address() as AddressInfo).port;
    await welcome({ port: LOOPBACK, host: '::1' });
    await welcome({ path: `\0${ABSTRACT}` });
    DATABASE = await freePort();
    for (const [index, kind] of everyKind.entries()) made.set(kind, await addBox(home, `b${index}`, ...kind.options));
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) server.close();
    await home.clean();
  });

  /** Whether somebody answers there within three seconds. */
  async function isTakenIn(by: NetConnectOpts): Promise<boolean> {
    for (let tries = 0; tries < 30; tries++) {
      const heard = await new Promise<string>(resolve => {
        const connection = connect(by).once('error', () => resolve(''));
        connection.once('data', piece => resolve(String(piece))).once('close', () => resolve(''));
      });
      if (heard.includes('impostor')) return true;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    return false;
  }

  /** Where a client of a database would look, while the program inside listens there. */
  async function takenIn(kind: Pick<Kind, 'command'>): Promise<boolean[]> {
    const running = run(kind, impersonate);
    const found = await Promise.all([
      isTakenIn({ port: DATABASE, host: '127.0.0.1' }),
      isTakenIn({ port: DATABASE, host: '::1' }),
      isTakenIn({ path: `\0${IMPOSTOR}` }),
      isTakenIn({ path: join(home.folder, '.s.PGSQL.5432') }),
    ]);
    await running;
    return found;
  }

  function run(kind: Pick<Kind, 'command'>, line: string): Promise<Ran> {
    const own = made.get(kind as Kind) ?? other;
    const { port } = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
    return runIn(kind, own, line, {
      HOME_FOLDER: home.home,
      DAEMON: String(home.daemons()[0]),
      OTHER: other.socket,
      OWN: own.socket,
      PORT: String(port),
      LOOPBACK: String(LOOPBACK),
      DATABASE: String(DATABASE),
      PLACE: join(home.folder, '.s.PGSQL.5432'),
      ABSTRACT,
      IMPOSTOR,
    });
  }

  test.each(Object.entries({ ...ways, ...waysByNetwork }))(
    'outside, as the owner, %s',
    async (_, line) => expect(await run(outside, line)).toMatchObject({ code: 0 }),
    30_000,
  );

  test('outside, as the owner, listens in the place of a database', async () => {
    expect(await takenIn(outside)).toEqual([true, true, true, true]);
  }, 30_000);

  for (const kind of [...kinds, otherUser]) {
    const { describe: describeKind } = kind === otherUser ? needsRoot : { describe };
    describeKind(`in ${kind.what}`, () => {
      test('has what its box allows, and no more', async () => {
        const read = await run(kind, ask('Shop', 'select name from customers'));
        expect(read).toMatchObject({ code: 0, text: expect.stringContaining('Ada') });
        expect((await run(kind, ask('Shop', 'drop table customers'))).text).toMatch(/denied: /);
        const hidden = await run(kind, ask('Payroll', 'select name from customers'));
        expect(hidden.text).toContain('no connection');
        expect(hidden.text).not.toContain('IBAN');
      }, 30_000);

      test('finds neither control nor pairing at its socket', async () => {
        const { text } = await run(kind, tell('OWN', identify));
        expect(JSON.parse(text)).toMatchObject({ error: { code: -32601 } });
        const exchange = `printf 'POST /v1/integrations/exchange HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' | socat -t 5 - "UNIX-CONNECT:$OWN"`;
        expect((await run(kind, exchange)).text).toMatch(/^HTTP\/1\.1 404 /);
      }, 30_000);

      test.each(Object.entries({ ...ways, ...waysByNetwork, ...waysByGateway }))(
        '%s in vain',
        async (_, line) => {
          const ran = await run(kind, line);
          expect(ran.code).not.toBe(0);
          expect(ran.text).not.toMatch(/Ada|sp_[A-Za-z0-9_-]{20}/);
        },
        30_000,
      );

      test('listens in the place of a database in vain', async () => {
        expect(await takenIn(kind)).toEqual([false, false, false, false]);
      }, 30_000);

      test('changes nothing outside by what it does to its folder', async () => {
        const own = made.get(kind) as SocketBox;
        const plant = `cd "$(dirname "$OWN")" && rm -f mcp.sock && ln -s "$HOME_FOLDER/control.sock" mcp.sock && ln -s "$HOME_FOLDER" home && ls -l`;
        const planted = await run(kind, plant);
        expect(planted.code === 0).toBe(kind.mayWrite);
        if (kind.mayWrite) expect((await home.run(['boxes', 'list'])).stderr).toContain('another file is in its place');
        // What it planted leads nowhere from inside, and another box still works.
        expect((await run(kind, ways['reaches the control socket'] ?? '')).code).not.toBe(0);
        expect((await post(other.socket, initialize)).status).toBe(200);
        expect((await home.run(['restart'])).code).toBe(0);
        for (const socket of [own.socket, join(home.home, 'control.sock')])
          expect(lstatSync(socket).isSocket()).toBe(true);
        expect((await run(kind, ask('Shop', 'select name from customers'))).text).toContain('Ada');
      }, 60_000);
    });
  }

  describe('in a box with a token', () => {
    const askByToken = (connection: string, host: string): string =>
      [
        '. "$OWN"',
        `BODY='${JSON.stringify(call(connection, 'select name from customers'))}'`,
        `printf 'POST /mcp HTTP/1.1\\r\\nHost: %s\\r\\nAuthorization: Bearer %s\\r\\n${modern}Connection: close\\r\\nContent-Length: %s\\r\\n\\r\\n%s' ${host} "$SALLYPORT_TOKEN" "\${#BODY}" "$BODY" | socat -t 5 - "TCP:127.0.0.1:$PORT,shut-none"`,
      ].join('\n');
    let desk: TokenBox;
    beforeAll(async () => {
      desk = await addTokenBox(home, 'desk');
    }, 30_000);
    const runThere = (line: string): Promise<Ran> => {
      const { port } = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
      return runIn(onOurNetwork, desk, line, {
        HOME_FOLDER: home.home,
        DAEMON: String(home.daemons()[0]),
        OTHER: other.socket,
        OWN: desk.tokenFile,
        PORT: String(port),
      });
    };

    test('has what its box allows, and no more', async () => {
      for (const host of ['host.docker.internal', '127.0.0.1']) {
        expect((await runThere(askByToken('Shop', host))).text).toContain('Ada');
        const hidden = (await runThere(askByToken('Payroll', host))).text;
        expect(hidden).toContain('no connection');
        expect(hidden).not.toContain('IBAN');
      }
      expect((await runThere(askByToken('Shop', 'evil.example'))).text).toMatch(/^HTTP\/1\.1 403 /);
    }, 30_000);

    test.each(Object.entries(ways))('%s in vain', async (_, line) => expect((await runThere(line)).code).not.toBe(0));

    test('changes nothing outside by what it does to its folder', async () => {
      const plant = `cd "$(dirname "$OWN")" && rm -f token.env && ln -s "$HOME_FOLDER/secrets.json" token.env && ln -s "$HOME_FOLDER" mcp.sock`;
      expect((await runThere(plant)).code).toBe(0);
      expect((await home.run(['restart'])).code).toBe(0);
      expect((await home.run(['boxes', 'list'])).stderr).toContain('another file than the one that was made');
      expect((await home.run(['boxes', 'revoke', 'desk'])).code).toBe(0);
      expect(existsSync(desk.folder)).toBe(false);
      expect(readFileSync(join(home.home, 'secrets.json'), 'utf8')).toContain('shell/secret');
      expect(existsSync(join(home.home, 'sallyport.db'))).toBe(true);
      expect((await post(other.socket, initialize)).status).toBe(200);
    }, 60_000);
  });

  describe('in a box that has ended', () => {
    test.each(kinds.slice(0, 1))(
      'reaches nothing: $what',
      async kind => {
        const ended = await addBox(home, 'ended');
        await home.run(['boxes', 'revoke', 'ended']);
        const again = await addBox(home, 'ended');
        const environment = { OWN: ended.socket };
        // Its old folder is gone; a new one of that name doesn't contain it.
        expect((await runIn(kind, again, ask('Shop', 'select 1'), environment)).code).not.toBe(0);
        await home.run(['boxes', 'revoke', 'ended']);
      },
      30_000,
    );
  });

  needsRoot.test('with another uid can’t use a box of another group', async () => {
    const line = ask('Shop', 'select name from customers', 'OTHER');
    expect((await run(otherUser, line)).code).not.toBe(0);
    const alone = {
      command: () => [
        'setpriv',
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
        'sh',
        '-c',
        ask('Shop', 'select 1'),
      ],
    };
    expect((await runIn(alone, other, '', { OWN: (made.get(otherUser) as SocketBox).socket })).code).not.toBe(0);
  });
});
