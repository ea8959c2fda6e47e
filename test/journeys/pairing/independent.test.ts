/**
 * Two extensions pair with a real daemon (spec §10): the sample of this repository, and one written
 * from the description of the protocol alone. The built command opens the links; only the daemon's
 * clocks are the test's own.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { linkFaultSentences } from '../../../daemon/access/pairing/pairing-link.ts';
import { type Answer, send } from '../../clients/http/wire.ts';
import { missingPrograms, needs } from '../../needs.ts';
import { nobodyConfirmed, type Ran, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';
import { type Clock, startClockedDaemon } from '../daemon/clocked-daemon.ts';
import { missingForTyping } from '../terminal/typed-on-a-terminal.ts';

const file = (name: string): string => fileURLToPath(new URL(`../../extension/${name}`, import.meta.url));
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
/** Longer than each lockout, code and request of the earlier test. */
const longSeconds = 3_600;

let home: RealHome;
let clock: Clock;
const extensions = new Set<ChildProcess>();
beforeAll(async () => {
  home = realHome();
  clock = await startClockedDaemon(home);
  const made = await home.run(['demo']);
  if (made.code !== 0) throw new Error(made.stderr);
}, 60_000);
afterEach(async () => {
  for (const child of extensions) child.kill('SIGKILL');
  for (const { id } of await tokens()) await home.here(['tokens', 'delete', id]);
  later(longSeconds);
}, 30_000);
afterAll(async () => {
  await home.run(['stop']);
  await home.clean();
}, 30_000);

const later = (seconds: number): void => clock.setAheadSeconds(clock.aheadSeconds() + seconds);
const tokens = (): Promise<{ id: string; name: string; scope: string }[]> => home.json(['tokens', 'list']);
const handshake = (): string => join(home.home, 'mcp-handshake.json');

interface Extension {
  readonly link: string;
  readonly child: ChildProcess;
  said(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly said: string }>;
}

/** Starts it and waits until its link is printed. */
async function start(words: readonly string[]): Promise<Extension> {
  const child = spawn(process.execPath, words);
  extensions.add(child);
  let said = '';
  const ended = new Promise<{ code: number | null; said: string }>(resolve =>
    child.once('close', code => {
      extensions.delete(child);
      resolve({ code, said });
    }),
  );
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      said += chunk;
    });
  }
  await until(() => said.includes('\n'), 'the extension prints its link');
  return { link: said.split('\n')[0] ?? '', child, said: () => said, ended };
}

const independent = (...more: string[]): Promise<Extension> =>
  start([file('independent.mjs'), 'sallyport', handshake(), ...more]);
/** Approves it and keeps the answer from the extension. */
async function approvedAddress(link: string): Promise<string> {
  const ran = await home.run(['open', link, '--approve', '--connections', 'all', '--print-redirect']);
  const isReader = new URL(link).searchParams.get('scopes') === 'readOnly';
  expect(ran).toMatchObject({ code: 0, stderr: isReader ? '' : nobodyConfirmed });
  return ran.stdout.trim();
}
const deliver = (address: string): Promise<Answer> => send(address, { method: 'GET' });
const codeIn = (address: string): string => new URL(address).searchParams.get('code') ?? '';

function exchange(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const { port } = JSON.parse(readFileSync(handshake(), 'utf8'));
  return send(`http://127.0.0.1:${port}/v1/integrations/exchange`, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
const guess = (code: string, code_verifier = 'w'.repeat(43)): Promise<Answer> => exchange({ code, code_verifier });
const told = ({ status, text }: Answer): unknown[] => [status, text];
const notFound = [404, '{"error":"code_not_found","error_description":"Pairing code not found"}'];
const expired = [410, '{"error":"code_expired","error_description":"Pairing code expired"}'];
const mismatch = [403, '{"error":"challenge_mismatch","error_description":"Challenge mismatch"}'];

describe.each([
  {
    which: 'the sample extension',
    name: 'Sample Extension',
    scope: 'readOnly',
    begin: () => start([file('extension.mjs'), '--print-link', '--handshake', handshake()]),
  },
  {
    which: 'an extension written from the description of the protocol alone',
    name: 'Independent extension',
    scope: 'readWrite',
    begin: () => independent(),
  },
])('$which', ({ name, scope, begin }) => {
  test('approved: it lists the connections, and its code works only once', async () => {
    const { link, ended } = await begin();
    const address = await approvedAddress(link);
    expect((await deliver(address)).status).toBe(200);
    expect(await ended).toMatchObject({ code: 0, said: expect.stringContaining('Demo') });
    expect(await tokens()).toMatchObject([{ name, scope }]);
    expect(told(await guess(codeIn(address)))).toEqual(notFound);
    expect(await tokens()).toHaveLength(1);
  }, 30_000);

  test('denied: it is told so', async () => {
    const { link, ended } = await begin();
    expect(await home.run(['open', link, '--deny'])).toMatchObject({
      code: 0,
      stdout: `Denied. ${name} was told so and got nothing.\n`,
    });
    expect(await ended).toMatchObject({ code: 1, said: expect.stringContaining('denied') });
    expect(await tokens()).toEqual([]);
  }, 30_000);

  needs(missingForTyping()).test(
    'no decision in five minutes: the sheet says so, Approve gives nothing, and no callback comes',
    async () => {
      const { link, child, said } = await begin();
      const sheet = clock.spawnOnTerminal(['open', link]);
      let shown = '';
      sheet.stdout?.on('data', chunk => {
        shown += chunk;
      });
      const ended = new Promise<number | null>(resolve => sheet.once('close', resolve));
      await until(() => shown.includes('[ Deny ]'), 'the sheet is drawn');
      later(300);
      await until(() => shown.includes('Its time has passed.'), 'the sheet says that its time is up');
      // End, then to Approve: it is dimmed, so Enter does nothing, and Esc has nothing left to
      // deny.
      sheet.stdin?.write('\u001b[F\u001b[D\r\r');
      sheet.stdin?.write('\u001b');
      expect(await ended).toBe(1);
      expect(shown).toContain('Nobody decided within five minutes');
      expect(said()).toBe(`${link}\n`);
      expect(child.exitCode).toBeNull();
      expect(await tokens()).toEqual([]);
    },
    30_000,
  );

  test('another program without a verifier saw its code: 403, then 404 for itself, and no token remains', async () => {
    const { link, ended } = await begin();
    const address = await approvedAddress(link);
    expect(told(await guess(codeIn(address)))).toEqual(mismatch);
    await deliver(address);
    const { code, said } = await ended;
    expect(code).toBe(1);
    expect(said).toContain('404');
    expect(said).toContain('Pairing code not found');
    expect(await tokens()).toEqual([]);
  }, 30_000);

  test('it comes five minutes late: 410, ten minutes later 404, and no token remains', async () => {
    const { link, ended } = await begin();
    const address = await approvedAddress(link);
    expect(await tokens()).toHaveLength(1);
    later(300);
    await deliver(address);
    const { code, said } = await ended;
    expect(code).toBe(1);
    expect(said).toContain('410');
    expect(said).toContain('Pairing code expired');
    expect(await tokens()).toEqual([]);
    later(590);
    expect(told(await guess(codeIn(address)))).toEqual(expired);
    later(10);
    expect(told(await guess(codeIn(address)))).toEqual(notFound);
  }, 30_000);

  test('five others failed before it: 429, for fifteen minutes', async () => {
    const { link, ended } = await begin();
    const address = await approvedAddress(link);
    for (let failure = 0; failure < 4; failure++) expect(told(await guess(randomUUID()))).toEqual(notFound);
    // The fifth takes its code, which would get through otherwise.
    expect(told(await guess(codeIn(address)))).toEqual(mismatch);
    await deliver(address);
    const { code, said } = await ended;
    expect(code).toBe(1);
    expect(said).toContain('429');
    expect(said).toContain('Too many pairing codes were refused; try again in 900 s.');
    const sixth = await guess(randomUUID());
    expect([sixth.status, sixth.headers['cache-control']]).toEqual([429, 'no-store']);
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(800);
    later(899 - 60);
    expect((await guess(randomUUID())).status).toBe(429);
    later(61);
    expect(told(await guess(randomUUID()))).toEqual(notFound);
  }, 30_000);
});

test('over IPv6 loopback, and by a client whose name draws an approval: both pair, and the name has no effect', async () => {
  const name = '\u001b[2J\u001b[H[ Approve ] \u202e\u0007';
  const { link, ended } = await independent(name, '[::1]');
  expect(decodeURIComponent(link)).toContain('redirect=http://[::1]:');
  const shown = [await home.run(['open', link, '--approve', '--connections', 'all'])];
  expect(shown[0]).toMatchObject({ code: 0, stdout: expect.stringContaining('fetches its token now') });
  expect((await ended).code).toBe(0);
  // Nobody listens any more; the sentence about that also has the name.
  shown.push(await home.run(['open', link, '--deny']));
  for (const words of [['tokens', 'list'], ['activity']]) shown.push(await home.run(words));
  for (const { stdout, stderr } of shown) {
    expect(stdout + stderr).toContain('\\u{1b}[2J');
    for (const raw of ['\u001b', '\u202e', '\u0007', '\\u{5c}']) expect(stdout + stderr).not.toContain(raw);
  }
}, 30_000);

const linkWith = (changes: Record<string, string> = {}): string =>
  `sallyport://integrations/pair?${new URLSearchParams({
    client: 'Ed',
    challenge,
    redirect: 'http://127.0.0.1:9/cb',
    scopes: 'readOnly',
    ...changes,
  })}`;

describe('the exchange at the real server', () => {
  test('of two at once one wins, and the answer is never cached', async () => {
    const code = codeIn(await approvedAddress(linkWith()));
    const answers = await Promise.all([1, 2].map(() => exchange({ code, code_verifier: verifier })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
    const won = answers.find(({ status }) => status === 200);
    expect(won?.text).toMatch(/^\{"token":"sp_[A-Za-z0-9_-]{43}"\}$/);
    expect(await tokens()).toHaveLength(1);
  }, 30_000);

  test.each<[string, unknown, string]>([
    ['a code of 1,025 bytes', { code: 'c'.repeat(1_025), code_verifier: verifier }, 'code is longer than 1024 bytes.'],
    [
      'a verifier of 1,025 bytes',
      { code: randomUUID(), code_verifier: 'v'.repeat(1_025) },
      'code_verifier is longer than 1024 bytes.',
    ],
    [
      'a verifier of 42',
      { code: randomUUID(), code_verifier: 'v'.repeat(42) },
      'code_verifier must be 43 to 128 of the characters A-Z a-z 0-9 - . _ ~.',
    ],
    ['no code', { code_verifier: verifier }, 'code must be a string.'],
    ['no JSON', 'code=x', 'The body must be a JSON object.'],
  ])('%s: 400, and it uses up no try', async (_what, body, error_description) => {
    const answers = [];
    for (let tried = 0; tried < 6; tried++) answers.push(await exchange(body));
    for (const { status, json, headers } of answers) {
      expect([status, json]).toEqual([400, { error: 'invalid_request', error_description }]);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(told(await guess(randomUUID()))).toEqual(notFound);
  });

  test('a token that nobody fetched ends with its code', async () => {
    await approvedAddress(linkWith());
    later(290);
    expect(await tokens()).toMatchObject([{ name: 'Ed', state: 'uncollected' }]);
    later(10);
    await until(async () => (await tokens()).length === 0, 'the token is gone');
  }, 60_000);
});

describe('a link that the command refuses, with nothing left of it', () => {
  const environment = () => ({
    XDG_DATA_HOME: join(home.folder, 'data'),
    XDG_CONFIG_HOME: join(home.folder, 'config'),
    XDG_DATA_DIRS: join(home.folder, 'shared'),
  });
  /** Each scheme that an attacker could want has an app here; `unregistered` has none. */
  beforeAll(() => {
    const schemes = ['sallyport', 'smb', 'web+ed', 'googlechrome', 'editor'];
    const { XDG_CONFIG_HOME, XDG_DATA_HOME } = environment();
    const applications = join(XDG_DATA_HOME, 'applications');
    for (const folder of [XDG_CONFIG_HOME, applications]) mkdirSync(folder, { recursive: true });
    const list = schemes.map(scheme => `x-scheme-handler/${scheme}=any.desktop\n`).join('');
    writeFileSync(join(XDG_CONFIG_HOME, 'mimeapps.list'), `[Default Applications]\n${list}`);
    writeFileSync(join(applications, 'any.desktop'), '[Desktop Entry]\nType=Application\nName=Any\nExec=true %u\n');
  });
  /** Runs a program, since asking the system about an app needs a process's environment. */
  const open = (link: string): Promise<Ran> => {
    const isWebAddress = /redirect=http%3A/i.test(link) && !link.includes('padding');
    const open = isWebAddress ? home.here : home.run;
    return open(['open', link, '--approve', '--connections', 'all', '--print-redirect'], {
      environment: environment(),
    });
  };
  const notLocal = linkFaultSentences.redirect_not_local;
  const withFragment = linkFaultSentences.redirect_fragment;
  const notChallenge = linkFaultSentences.challenge_malformed;
  const twice = linkFaultSentences.parameter_twice;
  const redirectTo = (redirect: string): [string, string, string] => [redirect, linkWith({ redirect }), notLocal];

  test.each([
    redirectTo('http://user:pass@127.0.0.1:9/cb'),
    redirectTo('http://127.0.0.1:9@evil.example/cb'),
    ['a fragment', linkWith({ redirect: 'http://127.0.0.1:9/cb#x' }), withFragment],
    redirectTo('https://evil.example/cb'),
    redirectTo('http://127.0.0.1.evil.example/cb'),
    redirectTo('http://localhost.:9/cb'),
    redirectTo('http://127.1:9/cb'),
    redirectTo('http://0x7f.1:9/cb'),
    redirectTo('http://2130706433:9/cb'),
    redirectTo('http://[::ffff:127.0.0.1]:9/cb'),
    redirectTo('http:\\\\127.0.0.1:9\\cb'),
    redirectTo('ht\ttp://127.0.0.1:9/cb'),
    redirectTo('http\n://127.0.0.1:9/cb'),
    redirectTo('http://127。0。0。1:9/cb'),
    redirectTo('http://127.0.0.1%2eevil.example/cb'),
    redirectTo('http%3A%2F%2F127.0.0.1:9/cb'),
    redirectTo('sallyport://integrations/pair'),
    redirectTo('smb://127.0.0.1/share'),
    redirectTo('web+ed:cb'),
    redirectTo('googlechrome://evil.example/'),
    redirectTo('unregistered://cb'),
    ['a redirect twice', `${linkWith()}&redirect=http%3A%2F%2F127.0.0.1%3A10%2F`, twice],
    ['scopes twice, once escaped', `${linkWith()}&%73copes=fullAccess`, twice],
    ['a challenge of 42', linkWith({ challenge: challenge.slice(1) }), notChallenge],
    ['a challenge of 44', linkWith({ challenge: `${challenge}A` }), notChallenge],
    ['a challenge with a bare +', linkWith().replace(challenge, `${challenge.slice(1)}+`), notChallenge],
    ['a challenge with an escaped +', linkWith({ challenge: `${challenge.slice(1)}+` }), notChallenge],
    ['a state of 1,025 bytes', linkWith({ state: 's'.repeat(1_025) }), linkFaultSentences.state_too_long],
    ['8 KiB and a byte', linkWith({ padding: '' }).padEnd(8_193, 'x'), linkFaultSentences.too_long],
    ['a broken escape', `${linkWith()}&x=%zz`, linkFaultSentences.malformed_encoding],
    ['no scopes', linkWith().replace('&scopes=readOnly', ''), linkFaultSentences.scope_unknown],
  ])('%s', async (_what, link, sentence) => {
    expect(await open(link)).toEqual({ code: 1, stdout: '', stderr: `sallyport: ${sentence}\n` });
    expect(await tokens()).toEqual([]);
  });

  test.each([
    ['8 KiB', linkWith({ padding: '' }).padEnd(8_192, 'x')],
    [
      'upper case',
      linkWith({ redirect: 'HTTP://LOCALHOST:9/CB' }).replace('sallyport://integrations', 'SALLYPORT://Integrations'),
    ],
    ['an escaped name of a parameter', linkWith().replace('&redirect=', '&%72edirect=')],
    ['1,024 bytes of state', linkWith({ state: 's'.repeat(1_024) })],
  ])('while %s is fine', (_what, link) => isFine(link));
  needs(missingPrograms(['xdg-mime'], 'sh test/install/desktop-files.sh')).test('and an app of this system', () =>
    isFine(linkWith({ redirect: 'editor:cb' })),
  );
  async function isFine(link: string): Promise<void> {
    expect(await open(link)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('code=') });
  }
});
