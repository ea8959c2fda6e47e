/**
 * A box from creation to end, with real clients of its socket: what it reaches, what it is called,
 * and what ends it.
 */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BoxView } from '../../../shared/control-commands.ts';
import { needs, needsRoot } from '../../needs.ts';
import type { RealHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';
import { addBox, call, clientOf, homeWithShop, initialize, lines, missingSocat, post, type SocketBox } from './box.ts';

const modeOf = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);

describe('a box', () => {
  let home: RealHome;
  let box: SocketBox;
  beforeAll(async () => {
    home = await homeWithShop();
    box = await addBox(home, 'work');
  }, 60_000);
  afterAll(() => home.clean());

  test('is a folder for its owner only, with one socket', () => {
    expect([modeOf(box.folder), modeOf(box.socket), readdirSync(box.folder)]).toEqual(['700', '600', ['mcp.sock']]);
    expect(Buffer.byteLength(box.socket)).toBeLessThanOrEqual(100);
  });

  needs(missingSocat).describe('reached by socat', () => {
    test.each(['v1', 'v2'] as const)(
      'serves a client of SDK %s within its limits',
      async kind => {
        const agent = await clientOf(box.socket, kind);
        try {
          expect(await agent.query('Shop', 'select name from customers')).toContain('Ada');
          expect(await agent.query('Shop', 'delete from customers')).toContain('denied: ');
          const hidden = agent.query('Payroll', 'select name from customers');
          await expect(hidden).rejects.toThrow(/Use "Shop": no connection "Payroll" is available/);
        } finally {
          await agent.close();
        }
      },
      30_000,
    );

    test('is named in each place where its person looks', async () => {
      const agent = await clientOf(box.socket, 'v2');
      await agent.query('Shop', 'select name from customers');
      const rows = await home.json<{ tokenName: string; client: string }[]>(['activity', '--since', '1d']);
      expect(rows).toContainEqual(expect.objectContaining({ tokenName: 'work', client: 'agent v2' }));
      const kept = await home.json<{ tokenName: string }[]>(['history']);
      expect(kept[0]).toMatchObject({ tokenName: 'work' });
      await agent.query('Shop', 'update customers set name = 1');
      expect(await home.json(['allow'])).toContainEqual(expect.objectContaining({ token: 'work' }));
      expect((await home.run(['status'])).stdout).toMatch(/clients now .*work/);
      expect((await home.run(['boxes', 'list'])).stdout).toMatch(/^work +read-only +1 +until 20\S+ \S+ +20/m);
      expect(await home.json(['tokens', 'list'])).toEqual([]);
      await agent.close();
    }, 30_000);
  });

  test('speaks HTTP at /mcp, whatever a bearer or a bridge id says', async () => {
    const { token } = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'x', '--scope', 'full-access']);
    const headers = { Authorization: `Bearer ${token}`, 'Sallyport-Bridge': 'a'.repeat(22) };
    for (const [index, more] of [{}, headers, { Authorization: 'Bearer sp_wrong' }].entries()) {
      const read = await post(box.socket, call('Shop', 'select name from customers'), { headers: more });
      expect(read).toMatchObject({ status: 200, text: expect.stringContaining('Ada') });
      const written = await post(box.socket, call('Shop', `delete from customers limit ${index}`), { headers: more });
      expect(written.text).toContain('denied: ');
      expect((await post(box.socket, call('Payroll', 'select 1'), { headers: more })).text).toContain('no connection');
    }
    await home.json(['tokens', 'delete', 'x']);
  });

  test('serves neither pairing nor control, nor a page of another site', async () => {
    const exchange = { code: '0'.repeat(36), code_verifier: 'a'.repeat(43) };
    expect(await post(box.socket, exchange, { path: '/v1/integrations/exchange' })).toMatchObject({ status: 404 });
    expect(await post(box.socket, initialize, { headers: { Host: 'evil.example' } })).toMatchObject({ status: 403 });
    expect(await post(box.socket, initialize, { headers: { Origin: 'http://evil.example' } })).toMatchObject({
      status: 403,
    });
    for (const method of ['identify', 'shell.challenge', 'status', 'stop', 'boxes.list']) {
      const raw = lines(box.socket);
      raw.say({ jsonrpc: '2.0', id: 1, method, params: { protocol: '2', nonce: 'A'.repeat(43), shell: 'terminal' } });
      await until(() => raw.heard().includes('\n'), 'it is answered');
      expect(JSON.parse(raw.heard())).toMatchObject({ id: 1, error: { code: -32601 } });
      raw.socket.destroy();
    }
  });

  test('as many programs as it may have: it is said, and that its socket is missing isn’t', async () => {
    const held = Array.from({ length: 64 }, () => lines(box.socket));
    const late = lines(box.socket);
    late.say(initialize);
    await until(() => late.heard().includes('\n'), 'it is answered');
    const { stdout, stderr } = await home.run(['boxes', 'list']);
    for (const { socket } of [...held, late]) socket.destroy();
    expect(stdout).toMatch(/^work .* refuses programs /m);
    expect(stderr).toContain('The box work refuses programs: further programs in it are refused, as those connected');
  }, 30_000);

  test('has a name of its own', async () => {
    const again = await home.run(['boxes', 'add', 'work']);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('There is a box "work" already') });
    for (const name of ['../x', 'a/b', 'Ä', 'a b', '.', 'x'.repeat(41)])
      expect((await home.run(['boxes', 'add', name])).code).not.toBe(0);
    expect(readdirSync(dirname(box.folder))).toHaveLength(1);
  });
});

describe('the end of a box', () => {
  let home: RealHome;
  let box: SocketBox;
  beforeEach(async () => {
    home = await homeWithShop();
    box = await addBox(home, 'work');
  }, 60_000);
  afterEach(() => home.clean());

  test('a revocation: open connections end, the folder goes, and a new box of its name gets another place', async () => {
    const other = await addBox(home, 'other');
    const open = lines(box.socket);
    open.say(initialize);
    await until(() => open.heard().includes('protocolVersion'), 'it is served');
    const beside = lines(other.socket);
    beside.say(initialize);
    expect((await home.run(['boxes', 'revoke', 'work'])).stdout).toBe('Revoked work.\n');
    await open.closed;
    expect(existsSync(box.folder)).toBe(false);
    await until(() => beside.heard().includes('protocolVersion'), 'the other box is served');
    beside.socket.destroy();
    const again = await addBox(home, 'work');
    expect(again.folder).not.toBe(box.folder);
    expect(
      (await home.json<{ action: string; tokenName: string }[]>(['activity', '--since', '1d'])).map(
        ({ action, tokenName }) => `${action} ${tokenName}`,
      ),
    ).toEqual(expect.arrayContaining(['box.add work', 'box.revoke work']));
  }, 30_000);

  test.each([
    ['a stop', () => home.run(['stop'])],
    ['a kill', () => home.end('SIGKILL')],
  ])(
    '%s takes the socket, and a start makes it anew in the same folder',
    async (_, end) => {
      const { ino } = lstatSync(box.folder);
      await end();
      await expect(post(box.socket, initialize)).rejects.toThrow(/ENOENT|ECONNREFUSED/);
      expect((await home.run(['start'])).code).toBe(0);
      expect(lstatSync(box.folder).ino).toBe(ino);
      expect((await post(box.socket, call('Shop', 'select name from customers'))).text).toContain('Ada');
    },
    60_000,
  );

  test('the server switched off: nobody is served until it is on again', async () => {
    const open = lines(box.socket);
    open.say(initialize);
    await until(() => open.heard().includes('protocolVersion'), 'it is served');
    await home.run(['settings', 'set', 'enabled', 'false']);
    open.say(call('Shop', 'select name from customers'));
    await until(() => open.heard().includes('switched off'), 'it is told');
    await expect(post(box.socket, initialize)).rejects.toThrow(/hang up|ECONNRESET|EPIPE/);
    await home.run(['settings', 'set', 'enabled', 'true']);
    expect((await post(box.socket, initialize)).status).toBe(200);
    open.socket.destroy();
  }, 30_000);
});

describe('files left in the folder while Sallyport wasn’t running', () => {
  let home: RealHome;
  let box: SocketBox;
  beforeEach(async () => {
    home = await homeWithShop();
    box = await addBox(home, 'work');
    await home.run(['stop']);
  }, 60_000);
  afterEach(() => home.clean());

  test('a link in place of the socket is removed, and its target stays', async () => {
    const target = join(home.folder, 'precious');
    writeFileSync(target, 'precious', { mode: 0o640 });
    symlinkSync(target, box.socket);
    await home.run(['start']);
    expect(lstatSync(box.socket).isSocket()).toBe(true);
    expect(modeOf(target)).toBe('640');
    expect((await post(box.socket, initialize)).status).toBe(200);
  }, 30_000);

  test('a folder there is named, and keeps only that box shut', async () => {
    mkdirSync(box.socket);
    await home.run(['start']);
    expect((await home.run(['status'])).stdout).toContain('The box "work" refuses programs: ');
    expect((await home.run(['boxes', 'list'])).stdout).toMatch(/^work .* refuses programs /m);
    expect((await post((await addBox(home, 'other')).socket, initialize)).status).toBe(200);
  }, 30_000);

  test('a link in place of the folder isn’t followed', async () => {
    const elsewhere = join(home.folder, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o755 });
    rmdirSync(box.folder);
    symlinkSync(elsewhere, box.folder);
    await home.run(['start']);
    expect([readdirSync(elsewhere), modeOf(elsewhere), readlinkSync(box.folder)]).toEqual([[], '755', elsewhere]);
    expect((await home.run(['status'])).stdout).toContain('is not a real folder');
    unlinkSync(box.folder);
  }, 30_000);
});

test('a home of 200 bytes has its sockets elsewhere, which others can reach but not list', async () => {
  const home = await homeWithShop(200);
  try {
    const box = await addBox(home, 'work');
    expect(Buffer.byteLength(box.socket)).toBeLessThanOrEqual(100);
    expect([modeOf(dirname(box.folder)), modeOf(box.folder), modeOf(box.socket)]).toEqual(['711', '700', '600']);
    expect((await post(box.socket, call('Shop', 'select name from customers'))).text).toContain('Ada');
    await home.run(['boxes', 'revoke', 'work']);
    expect(existsSync(box.folder)).toBe(false);
  } finally {
    await home.clean();
  }
}, 60_000);

needsRoot.test(
  'a group’s box is open to its group too',
  async () => {
    const home = await homeWithShop();
    try {
      const box = await addBox(home, 'team', '--group', '1');
      expect([modeOf(box.folder), modeOf(box.socket), lstatSync(box.socket).gid]).toEqual(['2750', '660', 1]);
      await home.run(['restart']);
      expect([modeOf(box.folder), modeOf(box.socket), lstatSync(box.socket).gid]).toEqual(['2750', '660', 1]);
      const refused = await home.run(['boxes', 'add', 'none', '--group', 'no-such-group']);
      expect(refused.stderr).toContain(
        "its folder can't be given to the group no-such-group; name a group that you are in",
      );
      expect(await home.json<BoxView[]>(['boxes', 'list'])).toHaveLength(1);
      await home.run(['boxes', 'revoke', 'team']);
    } finally {
      await home.clean();
    }
  },
  60_000,
);

test('`connect --box` writes what the client inside needs', async () => {
  const home = await homeWithShop();
  try {
    const { socket } = await addBox(home, 'work');
    const file = join(home.folder, 'mcp.json');
    writeFileSync(file, '{\n  "mcpServers": { "sallyport": { "command": "/opt/sallyport-mcp" } }\n}\n');
    expect((await home.run(['connect', 'cursor', '--box', 'work', '--write', '--file', file])).code).toBe(0);
    const entry = { command: 'socat', args: ['-', `UNIX-CONNECT:${socket}`] };
    expect(JSON.parse((await home.run(['connect', 'cursor', '--box', 'work'])).stdout)).toEqual({
      mcpServers: { sallyport: entry },
    });
    expect(await home.json(['connect', 'cursor', '--box', 'work', '--write', '--file', file])).toMatchObject({
      change: 'none',
    });
    expect((await home.run(['connect', 'claude', '--box', 'work'])).stdout).toBe(
      `claude mcp add sallyport -- socat - UNIX-CONNECT:${socket}\n`,
    );
    expect((await home.run(['connect', 'cursor', '--box', 'none'])).code).toBe(1);
    expect((await home.run(['connect', 'cursor', '--box', 'work', '--write'])).code).toBe(2);
  } finally {
    await home.clean();
  }
}, 60_000);
