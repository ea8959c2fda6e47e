/**
 * What a hostile link, a hostile client and a program that saw the code can do about a pairing
 * (spec §10): nothing. Each attack uses a real control socket and, if it needs one, a real
 * exchange.
 */

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { linkFaultSentences } from '../../daemon/access/pairing/pairing-link.ts';
import { type RunningHttpServer, startHttpServer } from '../../daemon/clients/http/listener.ts';
import { seal } from '../../shared/control.ts';
import type { AskView } from '../../shared/control-commands.ts';
import { newNonce } from '../../shared/proofs.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { noChanges, nothingInUse, unlimitedAdmission } from '../clients/http/admission-for-tests.ts';
import { send } from '../clients/http/wire.ts';
import { shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';
import { provedPeer, rawPeer, request } from '../shells/raw-peer.ts';

const verifier = 'w'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let daemon: DaemonInProcess;
let shell: ControlClient;
let http: RunningHttpServer;
beforeAll(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  http = await startHttpServer({
    port: 0,
    fallback: false,
    tokens: daemon.tokens,
    admission: unlimitedAdmission(),
    notifier: noChanges,
    accessInUse: nothingInUse,
    tools: [],
    version: '0',
    log,
    newId: randomUUID,
    descriptors: () => 'enough',
    pairings: daemon.pairings,
    now: () => daemon.now,
    activity: { record: () => {}, tally: () => {}, flush: async () => {} },
  });
});
afterAll(async () => {
  shell?.close();
  await http?.close(0);
  await daemon?.end();
});

function linkWith(changes: Record<string, string> = {}): string {
  const items = { client: 'Ed', challenge, redirect: 'http://127.0.0.1:8123/cb', scopes: 'readOnly', ...changes };
  return `sallyport://integrations/pair?${new URLSearchParams(items)}`;
}
/** The worst case: the shell reports an app for each scheme. */
function begin(changes: Record<string, string> = {}): Promise<AskView> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(changes.redirect ?? '')?.[1] ?? null;
  const handler = scheme === null ? null : { scheme, app: 'Some App' };
  return shell.ask('pairing.begin', { link: linkWith(changes), handler });
}
async function approvedCode(): Promise<string> {
  const { id } = await begin();
  const grant = { scope: 'readOnly', connections: 'all', expires: 30 } as const;
  const { address } = await shell.ask('desk.decide', { ids: [id], answer: 'yes', grant });
  return new URL(address ?? '').searchParams.get('code') ?? '';
}
const exchange = async (code: string, code_verifier = verifier): Promise<number> => {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ code, code_verifier });
  return (await send(`http://127.0.0.1:${http.port}/v1/integrations/exchange`, { headers, body })).status;
};

describe('a redirect that isn’t a local callback', () => {
  test.each([
    'http://user@127.0.0.1/cb',
    'http://user:pass@localhost/cb',
    'http://127.0.0.1@evil.example/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost.evil.example/cb',
    'http://localhost./cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://0x7f000001/cb',
    'http://0177.0.0.1/cb',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://[::]/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://[::1]evil.example/cb',
    'http://lоcalhost/cb',
    'http://①27.0.0.1/cb',
    'http://127.0.0.1\\@evil.example/cb',
    'http:\\\\evil.example/cb',
    'http:/127.0.0.1/cb',
    ' http://127.0.0.1/cb',
    'https://evil.example/cb',
    '//127.0.0.1/cb',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'sallyport://integrations/pair',
    'SALLYPORT://integrations/start-mcp',
    'smb://evil.example/share',
    'ssh://evil.example/',
    'ftp://evil.example/',
    'ldap://evil.example/',
    'postgres://evil.example/',
    'app://user@host/',
    'ms-search:query',
    'http://0x7f.1/cb',
    'http://127。0。0。1/cb',
    'http://127.0.0.1%2eevil.example/cb',
    'http://127.0.0.1%00.evil.example/cb',
    'http://[::1%25lo]/cb',
    'http://127.0.0.1;@evil.example/cb',
    'http%3a//127.0.0.1/cb',
    'ht\ttp://127.0.0.1/cb',
    'web+ed:cb',
    'ext+ed:cb',
    'git+ssh://evil.example/',
    'x+https://evil.example/',
    'googlechrome://evil.example/',
    'Microsoft-Edge:https://evil.example/',
    'rtsp://evil.example/',
    'vlc://evil.example/',
    'ms-word:https://evil.example/',
    'relative/path',
    '',
  ])('%j is refused in the words of spec §10', async redirect => {
    await expect(begin({ redirect })).rejects.toThrow(linkFaultSentences.redirect_not_local);
    expect(daemon.pairings.open()).toEqual([]);
  });

  test.each([
    ['http://127.0.0.1:99999/cb', linkFaultSentences.redirect_port],
    ['http://127.0.0.1/cb#fragment', linkFaultSentences.redirect_fragment],
    ['http://127.0.0.1/cb?code=1', linkFaultSentences.redirect_answered],
    ['http://127.0.0.1/cb?state=1&%63ode=1', linkFaultSentences.redirect_answered],
    ['http://127.0.0.1/cb\r\nX: y', linkFaultSentences.redirect_characters],
    ['http://127.0.0.1/\u00e9', linkFaultSentences.redirect_characters],
    ['http://127.0.0.1/cb?state=1&%zz', linkFaultSentences.redirect_encoding],
    ['http://127.0.0.1/cb?x=%zz', linkFaultSentences.redirect_encoding],
  ])('a local one gets the reason: %j', async (redirect, why) => {
    await expect(begin({ redirect })).rejects.toThrow(why);
    expect(daemon.pairings.open()).toEqual([]);
  });

  test('a second state is refused before anybody approves, since its client would take one of the two for a forgery', async () => {
    await expect(begin({ redirect: 'http://127.0.0.1/cb?state=1', state: '2' })).rejects.toThrow(
      linkFaultSentences.two_states,
    );
  });

  test.each([
    'http://127.0.0.1:8123/cb',
    'http://127.0.0.1/cb?state=1',
    'HTTP://LOCALHOST/cb',
    'https://[::1]:9000/?a=1',
    'my.app:done',
    'app://x/y',
    'my+app:done',
  ])('while %j is one', async redirect => {
    const { id } = await begin({ redirect });
    await shell.ask('desk.decide', { ids: [id], answer: 'close' });
  });
});

test.each<[string, Record<string, string>]>([
  ['a state of 1,025 bytes', { state: `${'é'.repeat(512)}x` }],
  ['a challenge of 42', { challenge: challenge.slice(1) }],
  ['a challenge of 44', { challenge: `${challenge}A` }],
  ['a challenge with +', { challenge: `${challenge.slice(1)}+` }],
  ['a padded challenge', { challenge: `${challenge.slice(1)}=` }],
  ['a scope that is none', { scopes: 'readOnly fullAccess' }],
  ['a client of 65 characters', { client: 'x'.repeat(65) }],
  ['a client of blanks', { client: ' \t ' }],
  ['a link of more than 8 KiB', { padding: 'x'.repeat(8_192) }],
])('%s is refused', async (_what, changes) => {
  await expect(begin(changes)).rejects.toMatchObject({ code: -33007 });
});

test('a parameter given twice, once for each of two readers, is refused', async () => {
  for (const more of ['&redirect=http://127.0.0.1:1/', '&scope%73=fullAccess', '&client=Other']) {
    await expect(shell.ask('pairing.begin', { link: linkWith() + more, handler: null })).rejects.toThrow(
      linkFaultSentences.parameter_twice,
    );
  }
});

describe('a program that saw the code', () => {
  test('gets nothing without its verifier, and nobody does after it: 403, then 404', async () => {
    const code = await approvedCode();
    expect(await exchange(code, 'x'.repeat(43))).toBe(403);
    expect(await exchange(code)).toBe(404);
    expect(daemon.tokens.list()).toEqual([]);
  });

  test('gets nothing from a second exchange, even with the verifier', async () => {
    const code = await approvedCode();
    expect([await exchange(code), await exchange(code)]).toEqual([200, 404]);
  });

  test('gets nothing later: 410, then 404 after ten minutes more', async () => {
    const code = await approvedCode();
    daemon.now += 300_000;
    expect(await exchange(code)).toBe(410);
    daemon.now += 599_999;
    expect(await exchange(code)).toBe(410);
    daemon.now += 1;
    expect(await exchange(code)).toBe(404);
  });
});

describe('a program of this user without the shell secret', () => {
  test('can’t prove itself by a guess, by the daemon’s own proof, or by another shell’s', async () => {
    const { peer } = await provedPeer(daemon.socketPath, newNonce());
    peer.send(request('pairing.begin', { link: linkWith(), handler: null }));
    expect(await peer.nextLine()).toBeNull();
    const mirror = await rawPeer(daemon.socketPath);
    mirror.send(request('shell.challenge', { protocol: '2', nonce: newNonce(), shell: 'terminal' }));
    const offered = await mirror.next();
    mirror.send(request('shell.prove', { proof: offered?.result?.proof }));
    expect(await mirror.next()).toMatchObject({ error: { code: -33009 } });
    expect(await mirror.nextLine()).toBeNull();
    expect(daemon.pairings.open()).toEqual([]);
  });

  test('can’t decide with a line that another shell sent', async () => {
    const { id } = await begin();
    const proved = await provedPeer(daemon.socketPath, String(daemon.secrets.get('shell/secret')));
    const decide = request('desk.decide', { ids: [id], answer: 'no' });
    const other = await provedPeer(daemon.socketPath, String(daemon.secrets.get('shell/secret')));
    other.peer.write(`${JSON.stringify(seal(proved.key, 'shell', 1, JSON.stringify(decide)))}\n`);
    expect(await other.peer.nextLine()).toBeNull();
    expect(daemon.pairings.find(id)).not.toBeNull();
    await shell.ask('desk.decide', { ids: [id], answer: 'close' });
    proved.peer.end();
  });
});

test('a scheme that any app may claim is named by its app, and a no to it opens nothing', async () => {
  for (const redirect of ['myapp://run-it', 'vscode://publisher.extension/run', 'x-callback:go']) {
    const { id, pairing } = await begin({ redirect });
    expect(pairing?.redirect).toEqual({ address: redirect, receiver: 'Some App', kind: 'anybodys' });
    expect(await shell.ask('desk.decide', { ids: [id], answer: 'no' })).toMatchObject({
      ids: [id],
      address: null,
      token: null,
    });
  }
  const { id } = await begin({ redirect: 'com.example.app:/cb' });
  const told = await shell.ask('desk.decide', { ids: [id], answer: 'no' });
  expect(told.address).toBe('com.example.app:/cb?error=denied&error_description=user_denied');
  await expect(begin({ redirect: 'shortcuts://run-shortcut?name=x' })).rejects.toThrow(
    linkFaultSentences.redirect_not_local,
  );
});
