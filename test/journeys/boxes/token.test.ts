/**
 * A box with a token, from its making to its end, at the real daemon: where the secret lies, what
 * it reaches, and what ends it.
 */

import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BoxView } from '../../../shared/control-commands.ts';
import { needsRoot } from '../../needs.ts';
import type { RealHome } from '../../shell-terminal/real-home.ts';
import { type Answered, addTokenBox, call, homeWithShop, initialize, post, type TokenBox, tokenIn } from './box.ts';

const modeOf = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);
const portOf = (home: RealHome): number => JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8')).port;

let home: RealHome;
let box: TokenBox;
let token: string;
beforeEach(async () => {
  home = await homeWithShop();
  box = await addTokenBox(home, 'desk');
  token = tokenIn(box);
}, 60_000);
afterEach(() => home.clean());

function ask(body: unknown, { host = 'host.docker.internal', path = '/mcp', bearer = token } = {}): Promise<Answered> {
  return post(portOf(home), body, { path, headers: { Host: host, Authorization: `Bearer ${bearer}` } });
}

test('is a folder of its owner alone, with the token in one file and nowhere else', async () => {
  expect(token).toMatch(/^sp_[A-Za-z0-9_-]{43}$/);
  expect([modeOf(box.folder), modeOf(box.tokenFile), readdirSync(box.folder)]).toEqual(['700', '600', ['token.env']]);
  expect(box).toMatchObject({ socket: null, problem: null });
  expect(JSON.stringify(box)).not.toContain(token);
  await ask(initialize);
  await home.run(['stop']);
  const files = readdirSync(home.home, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(token));
  expect(holding.map(({ name }) => name)).toEqual(['token.env']);
}, 30_000);

test('reaches what it allows and no more, and another token nothing there', async () => {
  for (const host of ['host.docker.internal', `host.docker.internal:${portOf(home)}`, '127.0.0.1']) {
    expect((await ask(call('Shop', 'select name from customers'), { host })).text).toContain('Ada');
    expect((await ask(call('Shop', 'delete from customers'), { host })).text).toMatch(/denied: /);
    expect((await ask(call('Payroll', 'select 1'), { host })).text).toContain('no connection');
  }
  const other = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'x']);
  expect(await ask(initialize, { bearer: other.token })).toMatchObject({ status: 403 });
  expect(await ask(initialize, { bearer: other.token, host: '127.0.0.1' })).toMatchObject({ status: 200 });
  expect(await ask({ code: 'a', code_verifier: 'b' }, { path: '/v1/integrations/exchange' })).toMatchObject({
    status: 403,
  });
}, 30_000);

test('is named as a box where its person looks', async () => {
  await ask(initialize);
  await ask(call('Shop', 'select name from customers'));
  await ask(call('Shop', 'update customers set name = 1'));
  expect(await home.json(['activity', '--since', '1d'])).toContainEqual(expect.objectContaining({ tokenName: 'desk' }));
  expect((await home.json<{ tokenName: string }[]>(['history']))[0]).toMatchObject({ tokenName: 'desk' });
  const [request] = await home.json<{ id: string }[]>(['allow']);
  expect(request).toMatchObject({
    token: 'desk',
    facts: expect.arrayContaining([expect.objectContaining({ label: 'Box', value: 'desk' })]),
  });
  expect((await home.run(['allow', request?.id ?? '', '--no'])).stderr).not.toContain('token');
  expect((await home.run(['status'])).stdout).toMatch(/clients now .*\(box desk\)/);
  expect((await home.run(['boxes', 'list'])).stdout).toMatch(/^desk +read-only +1 +until 20\S+ \S+ +20/m);
  expect(await home.json(['tokens', 'list'])).toEqual([]);
}, 30_000);

test.each([
  ['a restart', () => home.run(['restart'])],
  ['a kill', async () => [await home.end('SIGKILL'), await home.run(['start'])]],
])(
  '%s leaves the file and its token as they are',
  async (_, end) => {
    const { ino } = lstatSync(box.tokenFile);
    await end();
    expect(lstatSync(box.tokenFile).ino).toBe(ino);
    expect((await ask(call('Shop', 'select name from customers'))).text).toContain('Ada');
    expect((await home.run(['status'])).stdout).not.toContain('of the box "desk"');
  },
  60_000,
);

test('a revocation takes the file, the folder and what the token was worth', async () => {
  expect((await home.run(['boxes', 'revoke', 'desk'])).stdout).toBe('Revoked desk.\n');
  expect(existsSync(box.folder)).toBe(false);
  expect(await ask(initialize)).toMatchObject({ status: 403 });
  expect(await ask(initialize, { host: '127.0.0.1' })).toMatchObject({ status: 401 });
  const again = await addTokenBox(home, 'desk');
  expect([again.folder === box.folder, tokenIn(again) === token]).toEqual([false, false]);
}, 30_000);

test.each<readonly [string, () => void, RegExp]>([
  ['is gone', () => rmSync(box.tokenFile), /token\.env is gone; revoke the box and add it again/],
  ['is gone with its folder', () => rmSync(box.folder, { recursive: true }), /is gone; revoke the box/],
  [
    'is a link',
    () => {
      rmSync(box.tokenFile);
      symlinkSync(join(home.home, 'secrets.json'), box.tokenFile);
    },
    /is another file than the one that was made/,
  ],
  ['may be read by others', () => chmodSync(box.tokenFile, 0o644), /has mode 644, not 600/],
])(
  'a file that %s is named, before and after a start, and nothing is made in its place',
  async (_, spoil, said) => {
    spoil();
    const before = existsSync(box.folder) ? readdirSync(box.folder) : null;
    for (const since of ['before', 'after']) {
      if (since === 'after') await home.run(['restart']);
      expect((await home.run(['status'])).stdout).toMatch(said);
      const listed = await home.run(['boxes', 'list']);
      expect(listed.stdout).toMatch(/^desk .* no token /m);
      expect(listed.stderr).toMatch(said);
    }
    expect(existsSync(box.folder) ? readdirSync(box.folder) : null).toEqual(before);
    const kept = readFileSync(join(home.home, 'secrets.json'), 'utf8');
    await home.run(['boxes', 'revoke', 'desk']);
    expect(existsSync(box.folder)).toBe(false);
    expect(readFileSync(join(home.home, 'secrets.json'), 'utf8').length).toBeGreaterThan(0.5 * kept.length);
  },
  60_000,
);

test('the token is read by nobody of ours: what a box writes into its file stays there', async () => {
  appendFileSync(box.tokenFile, 'SALLYPORT_TOKEN=sp_of-the-box\n');
  const shown = await home.run(['connect', 'cursor', '--box', 'desk']);
  expect(shown.stdout + shown.stderr).not.toContain('sp_');
});

test('`connect --box` names the variable, never the token', async () => {
  const url = `http://host.docker.internal:${portOf(home)}/mcp`;
  const file = join(home.folder, 'mcp.json');
  const entry = { url, headers: { Authorization: `Bearer \${env:SALLYPORT_TOKEN}` } };
  const shown = await home.run(['connect', 'cursor', '--box', 'desk']);
  expect(JSON.parse(shown.stdout)).toEqual({ mcpServers: { sallyport: entry } });
  expect(shown.stderr).toContain(`\`docker run --env-file ${box.tokenFile}\` sets it`);
  const written = await home.run(['connect', 'cursor', '--box', 'desk', '--write', '--file', file]);
  expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining('SALLYPORT_TOKEN in its environment') });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { sallyport: entry } });
  expect((await home.run(['connect', 'claude', '--box', 'desk'])).stdout).toBe(
    `claude mcp add --scope project --transport http sallyport ${url} --header 'Authorization: Bearer \${SALLYPORT_TOKEN}'\n`,
  );
  const zed = await home.run(['connect', 'zed', '--box', 'desk']);
  expect(zed).toMatchObject({ code: 1, stderr: expect.stringContaining('Zed reads no token from its environment') });
  expect((await home.run(['connect', 'http', '--box', 'desk'])).code).toBe(2);

  // What stands there: a token goes, what is the person's stays, and a program is not replaced
  // unasked.
  const old = { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer sp_old' }, timeout: 9 };
  writeFileSync(file, JSON.stringify({ mcpServers: { sallyport: old } }));
  expect(await home.json(['connect', 'cursor', '--box', 'desk', '--write', '--file', file])).toMatchObject({
    change: 'updated',
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { sallyport: { ...entry, timeout: 9 } } });
  writeFileSync(file, JSON.stringify({ mcpServers: { sallyport: { command: 'socat' } } }));
  const refused = await home.run(['connect', 'cursor', '--box', 'desk', '--write', '--file', file]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('starts a program') });
}, 60_000);

needsRoot.test(
  'a group’s is its group’s too',
  async () => {
    const team = await addTokenBox(home, 'team', '--group', '1');
    expect([modeOf(team.folder), modeOf(team.tokenFile), lstatSync(team.tokenFile).gid]).toEqual(['2750', '640', 1]);
    expect(team.problem).toBeNull();
    await home.run(['boxes', 'revoke', 'team']);
    expect(existsSync(team.folder)).toBe(false);
    const refused = await home.run(['boxes', 'add', 'none', '--token', '--group', 'no-such-group']);
    expect(refused.stderr).toContain('name a group that you are in');
    expect(await home.json<BoxView[]>(['boxes', 'list'])).toHaveLength(1);
  },
  60_000,
);
