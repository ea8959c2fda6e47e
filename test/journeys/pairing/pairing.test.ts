/**
 * Pairing as an extension author meets it (spec §10): the sample extension, the built commands, and
 * a real daemon that the link starts.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { send } from '../../clients/http/wire.ts';
import { nobodyConfirmed, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

const sample = fileURLToPath(new URL('../../extension/extension.mjs', import.meta.url));
const verifier = 'x'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let home: RealHome;
const extensions = new Set<ChildProcess>();
const handshake = (): string => join(home.home, 'mcp-handshake.json');

interface Extension {
  readonly link: string;
  /** Its exit code and output. */
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
}

async function extension(): Promise<Extension> {
  const child = spawn(process.execPath, [sample, '--print-link', '--handshake', handshake()]);
  extensions.add(child);
  let said = '';
  const ended = new Promise<{ code: number | null; said: string }>(resolve =>
    child.once('close', code => {
      extensions.delete(child);
      resolve({ code, said });
    }),
  );
  child.stderr.on('data', chunk => {
    said += chunk;
  });
  const link = await new Promise<string>(resolve => {
    child.stdout.on('data', chunk => {
      said += chunk;
      const [line, rest] = said.split('\n');
      if (line?.startsWith('sallyport:') && rest !== undefined) resolve(line);
    });
  });
  return { link, ended };
}

function selfSigned(folder: string): { readonly key: Buffer; readonly cert: Buffer } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=Ed'];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

const linkWith = (changes: Record<string, string> = {}): string =>
  `sallyport://integrations/pair?${new URLSearchParams({
    client: 'Ed',
    challenge,
    redirect: 'http://127.0.0.1:9/cb',
    scopes: 'readOnly',
    ...changes,
  })}`;

async function exchange(address: string, code_verifier = verifier) {
  const { port } = JSON.parse(readFileSync(handshake(), 'utf8'));
  return send(`http://127.0.0.1:${port}/v1/integrations/exchange`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: new URL(address).searchParams.get('code'), code_verifier }),
  });
}
const approvedAddress = async (...words: string[]): Promise<string> =>
  (
    await home.run(['open', linkWith(), '--approve', '--connections', 'all', '--print-redirect', ...words])
  ).stdout.trim();

describe('with nothing running', () => {
  beforeEach(() => {
    home = realHome();
  });
  afterEach(() => home.clean());

  test('start-mcp starts the server and shows nothing, even if it runs', async () => {
    for (const link of ['sallyport://integrations/start-mcp', 'SALLYPORT://integrations/start-mcp/']) {
      expect(await home.run(['open', link])).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect(home.daemons()).toHaveLength(1);
    await home.here(['settings', 'set', 'enabled', 'false']);
    expect(await home.run(['open', 'sallyport://integrations/start-mcp'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('switched off'),
    });
    expect(await home.json(['status'])).toMatchObject({ state: 'off' });
    await home.run(['stop']);
  }, 30_000);

  test('a pairing link starts it for this run, even if it is switched off', async () => {
    await home.run(['start']);
    await home.here(['settings', 'set', 'enabled', 'false']);
    const answered = await home.run(['open', linkWith(), '--approve', '--connections', 'all', '--print-redirect']);
    expect(answered).toMatchObject({ code: 0, stderr: nobodyConfirmed });
    expect(await home.json(['status'])).toMatchObject({ state: 'ready' });
    expect(await home.json(['settings', 'get', 'enabled'])).toMatchObject({ value: false });
    expect((await exchange(answered.stdout.trim())).status).toBe(200);
    await home.run(['stop']);
    expect((await home.run(['open', linkWith(), '--deny', '--print-redirect'])).code).toBe(0);
    expect(home.daemons()).toHaveLength(1);
    await home.run(['stop']);
  }, 30_000);

  test('a pairing without an approval leaves a server that is switched off as it was', async () => {
    await home.run(['start']);
    await home.here(['settings', 'set', 'enabled', 'false']);
    const denied = await home.run(['open', linkWith(), '--deny', '--print-redirect']);
    expect(denied).toMatchObject({ code: 0, stderr: '' });
    expect(await home.json(['status'])).toMatchObject({ state: 'off', port: null });
    expect((await home.run(['open', linkWith(), '--approve', '--connections', 'Nope'])).code).toBe(1);
    expect(await home.json(['status'])).toMatchObject({ state: 'off', port: null });
    const gone = await home.run(['open', linkWith(), '--approve', '--connections', 'all']);
    expect(gone.stderr).toContain('The server was switched off; it runs now, until Sallyport is stopped.');
    expect(await home.json(['status'])).toMatchObject({ state: 'ready' });
    await home.run(['stop']);
  }, 30_000);

  test('an invalid link, and options that don’t fit, start nothing', async () => {
    for (const [words, code] of [
      [['open', 'sallyport://integrations/other'], 1],
      [['open', 'https://example.com'], 1],
      [['open', linkWith()], 1],
      [['open', linkWith(), '--approve', '--deny'], 2],
      [['open', linkWith(), '--scope', 'read-only'], 2],
      [['open', linkWith(), '--deny', '--connections', 'all'], 2],
      [['open', linkWith(), '--approve', '--connections', 'all', '--expires', '2'], 2],
      [['open', 'sallyport://integrations/start-mcp', '--approve'], 2],
      [['open'], 2],
    ] as const) {
      const ran = await home.run(words);
      expect([words.slice(1), ran.code, ran.stdout]).toEqual([words.slice(1), code, '']);
      expect(ran.stderr).toMatch(/^sallyport: [^\n]+\.\n(?:Usage: sallyport [^\n]+\n)?$/);
    }
    expect(home.daemons()).toEqual([]);
  }, 30_000);
});

describe('the sample extension', () => {
  beforeAll(async () => {
    home = realHome();
    const made = await home.run(['start']);
    if (made.code !== 0) throw new Error(made.stderr);
    await home.here(['demo']);
    await home.here(['connections', 'add', 'postgres://u@127.0.0.1:9/x', '--name', 'Other']);
  }, 30_000);
  afterAll(async () => {
    for (const child of extensions) child.kill('SIGKILL');
    await home.run(['stop']);
    await home.clean();
  }, 30_000);

  test('gets what was approved, and no more', async () => {
    const { link, ended } = await extension();
    const opened = await home.run(['open', link, '--approve', '--connections', 'Demo', '--expires', '7']);
    expect(opened).toMatchObject({ code: 0, stderr: '' });
    expect(opened.stdout).toMatch(/^Approved\. Sample Extension fetches its token now;/);
    expect(await ended).toEqual({ code: 0, said: `${link}\nDemo (sqlite)\n` });
    const [token] = await home.json<{ name: string; client: string; scope: string }[]>(['tokens', 'list']);
    expect(token).toMatchObject({ name: 'Sample Extension', client: 'Sample Extension', scope: 'readOnly' });
  }, 30_000);

  test('is told of a denial', async () => {
    const { link, ended } = await extension();
    expect((await home.run(['open', link, '--deny'])).stdout).toMatch(/^Denied\. Sample Extension was told so/);
    expect(await ended).toMatchObject({ code: 1, said: expect.stringContaining('Sallyport said no: denied') });
  }, 30_000);

  test('pairs again while paused, and then has two tokens', async () => {
    await home.here(['pause']);
    const address = await approvedAddress();
    const [first, second] = [await exchange(address), await exchange(await approvedAddress())];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(JSON.parse(first.text).token).not.toBe(JSON.parse(second.text).token);
    await home.here(['resume']);
    const named = (await home.json<{ name: string }[]>(['tokens', 'list'])).filter(({ name }) => name === 'Ed');
    expect(named).toHaveLength(2);
  }, 30_000);

  test('that has gone is reported, and its token belongs to nobody', async () => {
    const ran = await home.run(['open', linkWith(), '--approve', '--connections', 'all']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(
      'The answer did not reach Ed: the client did not answer at 127.0.0.1:9. Nobody has its token, which ends within five minutes',
    );
    expect((await home.here(['tokens', 'list'])).stdout).toMatch(/ Ed +read-only +all +not yet collected +never/);
  }, 30_000);

  test.each(['answers with HTTP 500', 'closes without an answer'])(
    'that took its code and %s has its token all the same, and the command says so',
    async does => {
      let arrived = '';
      const listener = createPlainServer((request, response) => {
        arrived = `http://x${request.url}`;
        if (does.startsWith('answers')) response.writeHead(500).end();
        else request.socket.destroy();
      });
      await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = listener.address() as AddressInfo;
        const link = linkWith({ client: 'Odd', redirect: `http://127.0.0.1:${port}/cb` });
        const ran = await home.run(['open', link, '--approve', '--connections', 'all']);
        expect(ran).toMatchObject({ code: 1, stdout: '' });
        expect(ran.stderr).toContain('It may have the code, and get its token within five minutes');
        expect(ran.stderr).not.toContain('Nobody has its token');
        expect((await exchange(arrived)).status).toBe(200);
        const id = /`sallyport tokens revoke ([0-9a-f]+)`/.exec(ran.stderr)?.[1] ?? '';
        expect(await home.run(['tokens', 'revoke', id])).toMatchObject({ code: 0, stdout: 'Revoked Odd.\n' });
      } finally {
        listener.close();
      }
    },
    30_000,
  );

  test('has an uncollected token until it collects it; a restart ends one that it never can', async () => {
    const states = async (): Promise<(string | undefined)[]> =>
      (await home.json<{ name: string; state: string }[]>(['tokens', 'list']))
        .filter(({ name }) => name === 'Twice')
        .map(({ state }) => state);
    const link = linkWith({ client: 'Twice' });
    const [first] = [1, 2].map(() => home.run(['open', link, '--approve', '--connections', 'all', '--print-redirect']));
    await until(async () => (await states()).length === 2, 'both are approved');
    expect(await states()).toEqual(['uncollected', 'uncollected']);
    expect((await exchange((await first)?.stdout.trim() ?? '')).status).toBe(200);
    expect((await states()).sort()).toEqual(['uncollected', 'valid']);
    await home.end('SIGKILL');
    await home.run(['start']);
    expect(await states()).toEqual(['valid']);
  }, 30_000);

  test.each(['127.0.0.1', 'localhost', '[::1]'])(
    'may listen on https://%s with a self-signed certificate, and its address keeps its own parts',
    async host => {
      const arrived: string[] = [];
      const listener = createServer(selfSigned(home.folder), (request, response) => {
        arrived.push(request.url ?? '');
        response.writeHead(302, { Location: 'https://127.0.0.1:9/' }).end();
      });
      await new Promise<void>(resolve => listener.listen(0, host === '[::1]' ? '::1' : '127.0.0.1', resolve));
      try {
        const { port } = listener.address() as AddressInfo;
        const redirect = `https://${host}:${port}/a b?state=own`;
        expect(await home.run(['open', linkWith({ redirect }), '--approve', '--connections', 'all'])).toMatchObject({
          code: 0,
          stderr: '',
        });
        expect(arrived).toEqual([expect.stringMatching(/^\/a%20b\?state=own&code=[0-9a-f-]{36}$/)]);
        expect((await exchange(`http://x${arrived[0]}`)).status).toBe(200);
      } finally {
        listener.close();
      }
    },
    30_000,
  );

  test('finds its pairing in the activity log, without a secret in it', async () => {
    const address = await approvedAddress();
    const token = JSON.parse((await exchange(address)).text).token;
    expect((await exchange(address)).status).toBe(404);
    const { stdout } = await home.here(['activity', '--json']);
    for (const word of ['pairing.begin', 'pairing.decide', 'exchange', 'code_not_found'])
      expect(stdout).toContain(word);
    for (const secret of [token, new URL(address).searchParams.get('code'), challenge]) {
      expect(stdout).not.toContain(secret);
    }
  }, 30_000);

  test('a token outlives a restart only if it was fetched', async () => {
    const fetched = JSON.parse((await exchange(await approvedAddress())).text).token;
    const before = await home.json<{ id: string }[]>(['tokens', 'list']);
    await approvedAddress();
    await home.run(['stop']);
    await home.run(['start']);
    const after = await home.json<{ id: string; prefix: string }[]>(['tokens', 'list']);
    expect(after.filter(({ prefix }) => fetched.startsWith(prefix))).toHaveLength(1);
    expect(after.length).toBeLessThanOrEqual(before.length);
  }, 30_000);
});
