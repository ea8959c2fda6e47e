/**
 * A hostile program runs in each box that this machine supports, as root inside and not as root. It
 * tries the ways around Sallyport from SECURITY.md and gets only what its own box allows. The owner
 * tries each way outside too, where it works: so no way fails for lack of a program.
 */

import { existsSync, lstatSync, readFileSync } from 'node:fs';
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
import type { RealHome } from '../../shell-terminal/real-home.ts';
import { type Kind, kinds, missingBoxes, otherUser, outside, type Ran, runIn } from './kinds.ts';

const say = (...messages: unknown[]): string =>
  `printf '%s\\n' ${messages.map(message => `'${JSON.stringify(message)}'`).join(' ')}`;
const identify = { jsonrpc: '2.0', id: 1, method: 'identify', params: { protocol: '1.0', nonce: 'A'.repeat(43) } };

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
  'reaches the port of the host as the bridge does': asBridge,
};

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
  const everyKind = process.getuid?.() === 0 ? [...kinds, otherUser] : kinds;
  beforeAll(async () => {
    home = await homeWithShop();
    other = await addBox(home, 'other');
    for (const [index, kind] of everyKind.entries()) made.set(kind, await addBox(home, `b${index}`, ...kind.options));
  }, 120_000);
  afterAll(() => home.clean());

  function run(kind: Pick<Kind, 'command'>, line: string): Promise<Ran> {
    const own = made.get(kind as Kind) ?? other;
    const { port } = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
    return runIn(kind, own, line, {
      ...{ HOME_FOLDER: home.home, DAEMON: String(home.daemons()[0]), OTHER: other.socket },
      ...{ OWN: own.socket, PORT: String(port) },
    });
  }

  test.each(Object.entries(ways))(
    'outside, as the owner, %s',
    async (_, line) => expect(await run(outside, line)).toMatchObject({ code: 0 }),
    30_000,
  );

  for (const kind of [...kinds, otherUser]) {
    const { describe: describeKind } = kind === otherUser ? needsRoot : { describe };
    describeKind(`in ${kind.what}`, () => {
      test('has what its box allows, and no more', async () => {
        const read = await run(kind, ask('Shop', 'select name from customers'));
        expect(read).toMatchObject({ code: 0, text: expect.stringContaining('Ada') });
        expect((await run(kind, ask('Shop', 'drop table customers'))).text).toMatch(/denied: |still waiting/);
        const hidden = await run(kind, ask('Payroll', 'select name from customers'));
        expect(hidden.text).toContain('No connection');
        expect(hidden.text).not.toContain('IBAN');
      }, 30_000);

      test('finds neither control nor pairing at its socket', async () => {
        const { text } = await run(kind, tell('OWN', identify));
        expect(JSON.parse(text)).toMatchObject({ error: { code: -32601 } });
        const exchange = `printf 'POST /v1/integrations/exchange HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' | socat -t 5 - "UNIX-CONNECT:$OWN"`;
        expect((await run(kind, exchange)).text).toMatch(/^HTTP\/1\.1 404 /);
      }, 30_000);

      test.each(Object.entries(ways))(
        '%s in vain',
        async (_, line) => {
          const ran = await run(kind, line);
          expect(ran.code).not.toBe(0);
          expect(ran.text).not.toMatch(/Ada|sp_[A-Za-z0-9_-]{20}/);
        },
        30_000,
      );

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
    const [, , writable] = kinds as readonly [Kind, Kind, Kind];
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
      return runIn(writable, desk, line, {
        ...{ HOME_FOLDER: home.home, DAEMON: String(home.daemons()[0]), OTHER: other.socket },
        ...{ OWN: desk.tokenFile, PORT: String(port) },
      });
    };

    test('has what its box allows, and no more', async () => {
      for (const host of ['host.docker.internal', '127.0.0.1']) {
        expect((await runThere(askByToken('Shop', host))).text).toContain('Ada');
        const hidden = (await runThere(askByToken('Payroll', host))).text;
        expect(hidden).toContain('No connection');
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
