/**
 * Connections and tokens with the built `sallyport` and the real daemon, as a person or a script
 * makes them.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  ConnectionTestResult,
  ConnectionView,
  StatusResult,
  TokenView,
} from '../../../shared/control-commands.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { nobodyConfirmed, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { executeOn, SqliteFile } from '../../sqlite-file.ts';

let home: RealHome;
beforeAll(async () => {
  home = realHome();
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
}, 60_000);
afterAll(() => home.clean());

const show = (name: string) => home.json<ConnectionView>(['connections', 'show', name]);
const add = (...words: string[]) => home.run(['connections', 'add', ...words]);

/** Each file of the home as text, except the secrets' file and its temporary copy. */
function everythingKept(): string {
  return readdirSync(home.home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.startsWith('secrets.json'))
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('connections', () => {
  test('the demo is made, listed, dialled', async () => {
    const made = await home.run(['demo']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(await home.json<ConnectionTestResult>(['connections', 'test', 'demo'])).toMatchObject({
      reachable: true,
      name: 'Demo',
    });
    const tested = await home.run(['connections', 'test', 'Demo']);
    expect(tested.stdout).toMatch(/^Demo answers\n {2}server {4}SQLite 3\./);
    expect((await home.run(['demo'])).code).toBe(0);
    expect((await home.json<ConnectionView[]>(['connections', 'list'])).map(({ name }) => name)).toEqual(['Demo']);
  }, 60_000);

  test('a test counts and names what clients do not meet, and patterns that name nothing', async () => {
    const path = join(home.folder, 'work', 'kept.db');
    executeOn(
      path,
      `create table people (id integer primary key, name text, email text);
       create table secret_pay (id integer primary key, card text);
       create view cards as select card from secret_pay;`,
    );
    const masks = 'people.email,*.iban';
    await add(`sqlite:${path}`, '--name', 'Kept', '--hide', 'secret_*,adit_*', '--mask', masks);
    const tested = await home.run(['connections', 'test', 'Kept']);
    expect(tested.stdout).toMatch(/^ {2}out of sight {2}2: cards, secret_pay\n {2}masked {8}1: people\.email$/m);
    expect(tested.stdout).toMatch(
      /^The pattern adit_\* names nothing in this database\.\nThe pattern \*\.iban names nothing/m,
    );
    expect(await home.json<ConnectionTestResult>(['connections', 'test', 'Kept'])).toMatchObject({
      hidden: { count: 2, names: ['cards', 'secret_pay'] },
      masked: { count: 1, names: ['people.email'] },
      unmatched: ['adit_*', '*.iban'],
    });
    await home.run(['connections', 'remove', 'Kept']);
  }, 60_000);

  test.each([
    [['postgres://h/d?sslmode=require', '--ca', '/ca.pem'], /^sallyport: --ca: this mode checks no certificate;/],
    [['postgres://h/d?sslmode=disable&sslrootcert=/ca.pem'], /^sallyport: The URL's CA file: this mode checks no/],
    [
      ['postgres://h/d?sslcert=/c.pem&sslkey=/k.pem&sslmode=disable'],
      /^sallyport: The URL's client certificate: the mode/,
    ],
    [['postgres://a_b!/d'], /^sallyport: The URL's host: a host name or an address is expected/],
    [['postgres://h/d?timezone=x;y'], /^sallyport: The URL's time zone: a time zone is/],
    [['postgres://h/d', '--time-zone', 'x;y'], /^sallyport: --time-zone: a time zone is/],
  ])('%j: whose fault it is', async (words, sentence) => {
    const refused = await add(...words, '--name', 'Misfit');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(sentence);
  });

  test('each option of add is stored, and set changes only what it names', async () => {
    const added = await add(
      ...[
        'mysql://anna@db.example.com:3307/shop',
        '--name',
        'Größe 数据',
        '--external-clients',
        'read-write',
        '--for',
        '1h30m',
      ],
      ...[
        '--ai-policy',
        'ask',
        '--tag',
        'eu',
        '--tag',
        'prod',
        '--group',
        'Work',
        '--color',
        'Red',
        '--tls',
        'verify-ca',
      ],
      ...[
        '--ca',
        'ca.pem',
        '--timeout',
        '20',
        '--row-limit',
        '50',
        '--time-zone',
        '+05:30',
        '--databases',
        'own',
        '--password-command',
        'pass show db',
      ],
    );
    expect(added).toMatchObject({ code: 0, stderr: nobodyConfirmed });
    const kept = await show('GRÖßE 数据');
    expect(kept).toMatchObject({
      engine: 'mysql',
      host: 'db.example.com',
      port: 3307,
      database: 'shop',
      user: 'anna',
      tags: ['eu', 'prod'],
      group: 'Work',
      colour: 'red',
      tls: { mode: 'verify-ca', caFile: join(home.folder, 'work', 'ca.pem') },
      statementTimeoutSeconds: 20,
      rowLimit: 50,
      timeZone: '+05:30',
      databases: 'own',
      password: { kind: 'command', command: 'pass show db' },
      externalClients: { level: 'readWrite', now: 'readWrite' },
      aiPolicy: 'askEachTime',
    });
    const untilMilliseconds = Date.parse(kept.externalClients.writeUntil ?? '') - Date.parse(kept.updatedAt);
    expect(untilMilliseconds).toBe(5_400_000);

    const set = await home.run([
      'connections',
      'set',
      'Größe 数据',
      '--name',
      'Shop',
      '--group',
      '',
      '--tag',
      '',
      '--ai-policy',
      'never',
    ]);
    expect(set).toMatchObject({ code: 0, stderr: nobodyConfirmed });
    expect(await show('Shop')).toEqual({
      ...kept,
      name: 'Shop',
      group: null,
      tags: [],
      aiPolicy: 'never',
      updatedAt: expect.any(String),
    });
    const moved = await home.json<ConnectionView>([
      'connections',
      'set',
      'Shop',
      '--url',
      'mariadb://bob@[::1]/other',
      '--no-password',
      '--ca',
      '',
    ]);
    expect(moved).toMatchObject({
      host: '::1',
      port: 3306,
      user: 'bob',
      tls: { mode: 'prefer', caFile: null },
      password: { kind: 'none' },
    });
    expect(await home.run(['connections', 'remove', 'shop'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^Removed Shop\. It is kept until \d{4}-\d\d-\d\d \d\d:\d\d; `sallyport connections restore Shop` brings it back\.\n$/,
      ),
      stderr: '',
    });
    expect(await home.run(['connections', 'show', 'Shop'])).toMatchObject({ code: 1, stdout: '' });
  }, 60_000);

  test('a path becomes absolute from where it was typed; a file that disappeared can’t be reached any more', async () => {
    mkdirSync(join(home.folder, 'work', 'sub'));
    expect((await add('sub/shop.db', '--name', 'Relative', '--create')).code).toBe(0);
    expect((await show('Relative')).filePath).toBe(join(home.folder, 'work', 'sub', 'shop.db'));
    expect((await add('sqlite:~/shop.db', '--name', 'Tilde', '--create')).code).toBe(0);
    expect((await show('Tilde')).filePath).toBe(join(home.folder, 'shop.db'));
    rmSync(join(home.folder, 'work', 'sub'), { recursive: true });
    const tested = await home.run(['connections', 'test', 'Relative', '--json']);
    expect(tested.code).toBe(1);
    expect(JSON.parse(tested.stdout)).toMatchObject({ reachable: false });
    expect(tested.stderr).toMatch(/^sallyport: Relative can't be reached: .+\n$/);
  }, 60_000);

  test('Sallyport’s own files can’t be databases', async () => {
    for (const file of ['sallyport.db', 'secrets.json', '../home/sallyport.db']) {
      const refused = await add(join(home.home, file), '--name', 'Own');
      expect([file, refused.code]).toEqual([file, 1]);
    }
    expect((await home.run(['connections', 'show', 'Own'])).code).toBe(1);
  }, 60_000);

  test('a taken name, an unknown one and a list for people', async () => {
    expect((await add('a.db', '--name', 'Taken', '--create')).code).toBe(0);
    const taken = await add('b.db', '--name', 'TAKEN', '--create');
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toBe('sallyport: There is already a connection "Taken"; choose another name.\n');
    expect(existsSync(join(home.folder, 'work', 'b.db'))).toBe(false);
    const failed = async (...words: string[]) => {
      const { code, stdout } = await home.run([...words, '--json']);
      return [code, JSON.parse(stdout).error];
    };
    const message = expect.stringMatching(/^There is .+\.$/);
    const [known, none] = [{ connection: 'Taken' }, { connection: 'nope' }];
    expect(await failed('connections', 'set', 'Other', '--name', 'x')).toEqual([
      1,
      { code: 'unknown_connection', values: { connection: 'Other' }, message },
    ]);
    expect(await failed('connections', 'add', 'b.db', '--name', 'TAKEN', '--create')).toEqual([
      1,
      { code: 'name_taken', values: known, message },
    ]);
    expect(await failed('connections', 'show', 'nope')).toEqual([
      1,
      { code: 'unknown_connection', values: none, message },
    ]);
    expect(await failed('connections', 'set', 'Taken', '--row-limit', '900000000')).toEqual([
      2,
      { code: 'invalid_field', values: { field: 'rowLimit' }, message: expect.stringContaining('--row-limit: 1 to ') },
    ]);
    expect(await failed('tokens', 'revoke', 'nope')).toEqual([
      1,
      { code: 'unknown_token', values: { token: null }, message },
    ]);
    expect(await failed('query', 'nope', 'select 1')).toMatchObject([1, { code: 'connection_unavailable' }]);
    const unknown = await home.run(['connections', 'test', 'nope']);
    expect(unknown.stderr).toBe('sallyport: There is no connection "nope"; `sallyport connections list` shows all.\n');
    const { stdout } = await home.run(['connections', 'list']);
    const [title, ...rows] = stdout.trimEnd().split('\n');
    expect(title).toMatch(/^NAME +ENGINE +WHERE +CLIENTS +AI$/);
    expect(rows.find(row => row.startsWith('Taken '))).toMatch(/^Taken +SQLite +\/.*\/a\.db +read-only +always$/);
  }, 60_000);
});

describe('passwords', () => {
  const secret = 'hunter2-ünïcödé "quoted" \\ %20';

  test('from stdin: all of it except one line break; only the secrets have it, no file, list or process', async () => {
    const added = await home.run(
      ['connections', 'add', 'postgres://anna@127.0.0.1:1/shop', '--name', 'Stdin', '--password-stdin'],
      {
        stdin: `${secret}\n`,
      },
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const { id, password } = await show('Stdin');
    expect(password).toEqual({ kind: 'stored' });
    const { secrets } = JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8'));
    expect(secrets[`password/${id}`]).toBe(secret);
    await home.run(['connections', 'test', 'Stdin']);
    expect(everythingKept()).not.toMatch(/hunter2/);
    await home.run(['connections', 'remove', 'Stdin']);
    expect(everythingKept()).not.toMatch(/hunter2/);
  }, 60_000);

  test('two line breaks leave one; empty input is refused', async () => {
    const url = 'postgres://anna@h/d';
    expect(
      (await home.run(['connections', 'add', url, '--name', 'Breaks', '--password-stdin'], { stdin: 'a\n\n' })).code,
    ).toBe(0);
    const { id } = await show('Breaks');
    expect(JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8')).secrets[`password/${id}`]).toBe('a\n');
    for (const stdin of ['', '\n', '\r\n']) {
      expect((await home.run(['connections', 'set', 'Breaks', '--password-stdin'], { stdin })).code).toBe(2);
    }
    const bytes = await home.run(['connections', 'set', 'Breaks', '--password-stdin'], {
      stdin: Buffer.from([0x61, 0xff]),
    });
    expect(bytes.code).toBe(2);
  }, 60_000);

  test('in a URL: taken out, stored apart, with a warning about the history', async () => {
    const added = await add('postgres://anna:hunter2@127.0.0.1:1/shop', '--name', 'Url');
    expect(added.code).toBe(0);
    expect(added.stderr).toContain('history');
    expect(added.stdout + added.stderr).not.toContain('hunter2');
    const { id } = await show('Url');
    expect(JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8')).secrets[`password/${id}`]).toBe('hunter2');
    expect(everythingKept()).not.toContain('hunter2');
  }, 60_000);
});

describe('tokens', () => {
  const mint = (...words: string[]) =>
    home.json<Record<string, unknown>>(['tokens', 'mint', '--name', 'Editor', ...words]);

  async function statusWith(token: unknown): Promise<number> {
    const { port } = await home.json<{ port: number }>(['status']);
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    });
    await answer.body?.cancel();
    return answer.status;
  }

  test('minted, used, listed without its secret parts, revoked, deleted', async () => {
    const minted = await mint('--scope', 'read-write', '--expires', 'never');
    expect(Object.keys(minted)).toEqual(['id', 'name', 'scope', 'connections', 'expiresAt', 'token']);
    expect(minted).toMatchObject({ name: 'Editor', scope: 'readWrite', connections: 'all', expiresAt: null });
    expect(await statusWith(minted.token)).toBe(200);

    const listed = await home.json<TokenView[]>(['tokens', 'list']);
    expect(listed.map(({ id, state }) => [id, state])).toEqual([[minted.id, 'valid']]);
    expect(JSON.stringify(listed)).not.toMatch(/salt|hash|__stdio_bridge__/);
    expect(everythingKept()).not.toContain(String(minted.token));
    expect(readFileSync(join(home.home, 'secrets.json'), 'utf8')).not.toContain(String(minted.token));

    const short = String(minted.id).slice(0, 8);
    expect((await home.run(['tokens', 'list'])).stdout).toMatch(
      new RegExp(`\\n${short}  Editor  read-write +all +valid +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\n`),
    );
    expect((await home.run(['tokens', 'revoke', short])).code).toBe(0);
    expect(await statusWith(minted.token)).toBe(401);
    expect((await home.json<TokenView[]>(['tokens', 'list']))[0]).toMatchObject({ state: 'revoked' });
    expect((await home.run(['tokens', 'delete', String(minted.id)])).code).toBe(0);
    expect(await home.json(['tokens', 'list'])).toEqual([]);
    expect(await home.run(['tokens', 'revoke', short])).toMatchObject({ code: 1, stdout: '' });
  }, 60_000);

  test('for people only the token is on stdout', async () => {
    const { code, stdout, stderr } = await home.run(['tokens', 'mint', '--name', 'Person']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sp_[A-Za-z0-9_-]{43}\n$/);
    expect(stderr).toMatch(/only time the token is shown.*expires/);
  }, 60_000);

  test('for some connections only', async () => {
    await home.run(['demo']);
    const demo = await show('Demo');
    expect(await mint('--connections', 'demo')).toMatchObject({ connections: [demo.id], scope: 'readOnly' });
    const unknown = await home.run(['tokens', 'mint', '--name', 'x', '--connections', 'Demo,nope']);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('no connection "nope"');
  }, 60_000);

  test('edited: its client continues with its new access, after a restart too', async () => {
    await home.run(['demo']);
    const { id, token } = await mint('--scope', 'read-write');
    const reached = async () => {
      const { port } = await home.json<StatusResult>(['status']);
      const call = modern(String(token), 'tools/call', { name: 'list_connections', arguments: {} });
      const { json } = await send(`http://127.0.0.1:${port}/mcp`, call);
      const answered = json.result?.structuredContent as { connections: readonly { name: string }[] } | undefined;
      return answered?.connections.map(({ name }) => name);
    };
    expect(await reached()).toContain('Demo');
    expect((await home.run(['tokens', 'edit', String(id)])).stderr).toMatch(/^sallyport: Nothing to change/);
    const edited = await home.run([
      'tokens',
      'edit',
      String(id),
      '--scope',
      'read-only',
      '--connections',
      'Demo',
      '--expires',
      '7',
    ]);
    expect(edited.stdout).toMatch(/^Changed Editor: read-only, Demo, until \d{4}-/);
    expect(await reached()).toEqual(['Demo']);
    expect((await home.run(['connections', 'remove', 'Demo'])).code).toBe(0);
    expect(await reached()).toEqual([]);
    expect((await home.run(['tokens', 'show', String(id)])).stdout).toMatch(
      /scope +read-only\n +connections +\(removed\)\n/,
    );
    await home.run(['demo']);
    await home.run(['stop']);
    await home.run(['start']);
    expect(await home.json<TokenView>(['tokens', 'show', String(id)])).toMatchObject({
      scope: 'readOnly',
      state: 'valid',
    });
    expect(await reached()).toEqual([]);
    const logged = await home.json<{ action: string; reason: string | null }[]>(['activity', '--category', 'admin']);
    expect(logged.filter(({ action }) => action === 'token.edit')).toMatchObject([
      { reason: expect.stringMatching(/^readOnly, connections: 1, until 20/) },
    ]);
    expect((await home.run(['tokens', 'delete', String(id)])).code).toBe(0);
  }, 60_000);

  test('tokens and connections survive a restart', async () => {
    const minted = await mint();
    await home.run(['stop']);
    await home.run(['start']);
    expect(await statusWith(minted.token)).toBe(200);
    expect((await show('Demo')).name).toBe('Demo');
  }, 60_000);
});

test('the password of a removed connection that a kill left behind is gone after a start; others stay', async () => {
  const kept = () => readFileSync(join(home.home, 'secrets.json'), 'utf8');
  for (const name of ['Gone', 'Stays']) {
    const added = await home.run(
      ['connections', 'add', 'postgres://me@db.example.com/shop', '--name', name, '--password-stdin'],
      {
        stdin: `password-of-${name}`,
      },
    );
    expect(added.code).toBe(0);
  }
  const [gone, stays] = [await show('Gone'), await show('Stays')];
  await home.end('SIGKILL');
  const store = new SqliteFile(join(home.home, 'sallyport.db'));
  store.prepare('delete from connections where id = ?').run(gone.id);
  store.close();
  expect(kept()).toContain(gone.id);
  await home.run(['start']);
  expect(kept()).not.toContain(gone.id);
  expect(kept()).toContain(stays.id);
}, 60_000);
