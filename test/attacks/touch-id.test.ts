/**
 * Threat: a program that has the shell secret, poses as Sallyport.app and says that its person has
 * confirmed with Touch ID. Where a key of the Secure Enclave was taken with the owner passphrase,
 * nothing but its signature of what this very request was told will do; where nobody can be the
 * app, no key is taken at all (spec §11).
 */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../shared/codes.ts';
import { isObject } from '../../shared/json.ts';
import { type AnsweredShell, type Ask, answeredShell } from '../shells/answered-shell.ts';
import { postgresAt, shellOf } from '../shells/asking.ts';
import { type DaemonChange, type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

const passphrase = 'correct horse battery';
const onMac: DaemonChange = { platform: 'darwin', backend: () => 'keychain' };
const forbidden = { code: errorCodes.forbidden };

let daemon: DaemonInProcess;
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await daemon.end();
});

async function shell(name: string): Promise<AnsweredShell> {
  const made = await answeredShell(daemon, name);
  ends.push(made.end);
  return made;
}

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url') };
};
const touch = (key: KeyObject, challenge: unknown): string =>
  sign('sha256', Buffer.from(`sallyport touch-id 1\n${challenge}`), key).toString('base64url');
const token = (name: string) => ({ name, scope: 'readWrite', connections: 'all', expires: 1, confirmInClient: false });
const reasons = () =>
  daemon.recorded.flatMap(entry =>
    entry.action === 'increase' ? [`${entry.outcome}: ${'reason' in entry ? entry.reason : ''}`] : [],
  );

describe.each<[string, DaemonChange, string]>([
  ['on Linux', { platform: 'linux', backend: () => 'keychain' }, 'app'],
  ['with the secrets in a file', { platform: 'darwin' }, 'app'],
  ['by a terminal', onMac, 'terminal'],
])('%s', (_, change, name) => {
  test('no key is taken, the passphrase with it or not', async () => {
    daemon = await startDaemonInProcess({ ...change, passphrase: 'off' });
    const { ask } = await shell(name);
    await ask('passphrase.set', { passphrase });
    const { publicKey, privateKey } = pair();
    for (const said of [{}, { passphrase }, { confirm: 'app' as const, touchId: touch(privateKey, 'x') }]) {
      expect((await ask('passphrase.touchId', { publicKey }, said)).error).toMatchObject({
        ...forbidden,
        message: expect.stringMatching(/^Only Sallyport\.app can use Touch ID/),
      });
    }
    const claimed = await ask('tokens.mint', token('x'), { confirm: 'app', touchId: touch(privateKey, 'x') });
    expect(claimed.error).toMatchObject(forbidden);
    expect(daemon.tokens.list()).toEqual([]);
  });
});

test('with a passphrase set, a raw peer that says it is the app gives nothing by saying yes', async () => {
  daemon = await startDaemonInProcess(onMac);
  const { ask, pushed } = await shell('app');
  await ask('passphrase.set', { passphrase }, { confirm: 'app' });
  await ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example') });
  const increasing = [
    ['tokens.mint', token('x')],
    ['resume', {}],
    ['passphrase.off', {}],
    ['passphrase.set', { passphrase: 'the agent is the owner' }],
    ['passphrase.confirm', {}],
    ['passphrase.touchId', { publicKey: pair().publicKey }],
    ['connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }],
    ['connections.save', { connection: 'Shop', endpoint: postgresAt('evil.example') }],
    ['settings.set', { key: 'limits.requestsPerMinute', value: 0 }],
    ['history.query', { all: true, limit: 1 }],
    ['history.clear', {}],
  ] as const;
  const before = JSON.stringify([...daemon.secrets]);
  for (const [method, params] of increasing) {
    for (const said of [
      {},
      { confirm: 'app' as const },
      { confirm: 'app' as const },
      { confirm: 'app' as const, touchId: touch(pair().privateKey, 'undefined') },
    ])
      expect([method, await ask(method, params, said)]).toMatchObject([
        method,
        { error: { ...forbidden, data: { confirm: 'passphrase' } } },
      ]);
  }
  // Nor for another shell of its own.
  const accomplice = await shellOf(daemon);
  ends.push(() => accomplice.close());
  const minting = accomplice.ask('tokens.mint', token('x') as never, undefined, 'app').catch(error => error.message);
  await ask('status', {});
  const yes = { ids: [idOf(pushed)], answer: 'yes' };
  for (const said of [{}, { confirm: 'app' as const }, { touchId: touch(pair().privateKey, yes.ids[0]) }])
    expect((await ask('desk.decide', yes, said)).error).toMatchObject({
      ...forbidden,
      data: { confirm: 'passphrase' },
    });
  await ask('desk.decide', { ...yes, answer: 'no' });
  expect(await minting).toMatch(/was no\.$/);
  expect(daemon.tokens.list()).toEqual([]);
  expect(JSON.stringify([...daemon.secrets])).toBe(before);
  expect(reasons().filter(reason => reason.startsWith('success'))).toEqual([
    'success: Sallyport.app has come, and confirms from now on',
    'success: confirmed in Sallyport.app',
  ]);
});

describe('on macOS, with the secrets in the keychain', () => {
  const { publicKey, privateKey } = pair();
  let ask: Ask;
  let pushed: readonly Record<string, unknown>[];
  beforeEach(async () => {
    daemon = await startDaemonInProcess(onMac);
    ({ ask, pushed } = await shell('app'));
    await ask('passphrase.set', { passphrase }, { confirm: 'app' });
  });
  const take = async () => {
    expect((await ask('passphrase.touchId', { publicKey }, { passphrase })).result).toMatchObject({ touchId: true });
  };
  /** @returns what Touch ID has to sign. */
  const refused = async (method: string, params: object): Promise<unknown> => {
    const { error } = await ask(method, params, { confirm: 'app' });
    expect(error).toMatchObject({ ...forbidden, data: { confirm: 'app', passphrase: true } });
    return error?.data?.touchId;
  };

  test('a key is taken with the passphrase alone: not by a yes of whoever is the app, a guess, or with no passphrase chosen', async () => {
    const { error } = await ask('passphrase.touchId', { publicKey }, { confirm: 'app' });
    expect(error).toMatchObject({ ...forbidden, data: { confirm: 'passphrase' } });
    expect((await ask('passphrase.touchId', { publicKey }, { passphrase: 'a guess of mine' })).error).toMatchObject(
      forbidden,
    );
    for (const bad of ['', 'x', pair().publicKey.slice(0, 40), otherCurve()])
      expect((await ask('passphrase.touchId', { publicKey: bad }, { passphrase })).error).toMatchObject({
        code: errorCodes.invalidParams,
      });
    expect((await ask('status', {})).result?.passphrase).not.toHaveProperty('touchId');
    await ask('passphrase.off', {}, { passphrase });
    expect((await ask('passphrase.touchId', { publicKey }, { passphrase })).error?.message).toMatch(/^Choose an owner/);
  });

  test('from then on a yes is none without it, whatever is asked; the passphrase still does', async () => {
    await take();
    await ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example') });
    for (const [method, params] of [
      ['tokens.mint', token('x')],
      ['resume', {}],
      ['passphrase.off', {}],
      ['passphrase.set', { passphrase: 'the agent is the owner' }],
      ['passphrase.confirm', {}],
      ['passphrase.touchId', { publicKey: pair().publicKey }],
      ['connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }],
    ] as const) {
      expect(await refused(method, params)).toEqual(expect.any(String));
      for (const touchId of ['', 'x', touch(privateKey, ''), touch(privateKey, 'null'), touch(pair().privateKey, 'x')])
        expect((await ask(method, params, { confirm: 'app', touchId })).error).toMatchObject(forbidden);
    }
    expect(daemon.tokens.list()).toEqual([]);
    expect(reasons().filter(reason => reason.startsWith('success'))).toHaveLength(3);
    expect(await ask('tokens.mint', token('x'), { passphrase })).toHaveProperty('result');
  });

  test('its signature lets happen what was shown, once, and nothing else', async () => {
    await take();
    const challenge = await refused('tokens.mint', token('x'));
    const touchId = touch(privateKey, challenge);
    expect((await ask('tokens.mint', token('y'), { confirm: 'app', touchId })).error).toMatchObject(forbidden);
    expect((await ask('tokens.mint', token('x'), { touchId })).error).toMatchObject(forbidden);
    // Told anew meanwhile: what was signed before is of the former telling.
    expect((await ask('tokens.mint', token('x'), { confirm: 'app', touchId })).error).toMatchObject(forbidden);
    const again = touch(privateKey, await refused('tokens.mint', token('x')));
    expect((await ask('tokens.mint', token('x'), { confirm: 'app', touchId: again })).result).toMatchObject({
      name: 'x',
    });
    expect((await ask('tokens.mint', token('x'), { confirm: 'app', touchId: again })).error).toMatchObject(forbidden);
    expect(daemon.tokens.list()).toHaveLength(1);
    expect(reasons()).toContain('success: confirmed with Touch ID in Sallyport.app');
  });

  test('what another shell has changed meanwhile is not confirmed by it', async () => {
    await take();
    await ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example') });
    const raise = { connection: 'Shop', externalClients: { level: 'readWrite' } };
    const touchId = touch(privateKey, await refused('connections.save', raise));
    await ask('connections.save', { connection: 'Shop', endpoint: postgresAt('evil.example') }, { passphrase });
    expect((await ask('connections.save', raise, { confirm: 'app', touchId })).error).toMatchObject(forbidden);
  });

  test('another shell’s request takes the signature of its own challenge, and the log says each yes without', async () => {
    await take();
    const terminal = await shellOf(daemon);
    ends.push(() => terminal.close());
    const minting = terminal.ask('tokens.mint', token('x') as never, undefined, 'app');
    let id: unknown;
    while (id === undefined) {
      await ask('status', {});
      id = idOf(pushed);
    }
    const yes = { ids: [id], answer: 'yes' };
    const challenge = (await ask('desk.decide', yes)).error?.data?.touchId;
    expect(challenge).toEqual(expect.stringMatching(/^\S{40,}$/));
    for (const said of [
      {},
      { touchId: touch(privateKey, 'another') },
      { touchId: touch(privateKey, id) },
      { touchId: touch(pair().privateKey, challenge) },
    ]) {
      expect((await ask('desk.decide', yes, said)).error).toMatchObject({
        ...forbidden,
        data: { touchId: challenge },
      });
    }
    expect(reasons().filter(reason => reason.startsWith('denied: a yes in Sallyport.app without'))).toHaveLength(5);
    expect((await ask('desk.decide', yes, { touchId: touch(privateKey, challenge) })).result).toMatchObject(yes);
    expect(await minting).toMatchObject({ name: 'x' });
    expect(reasons()).toContain('success: confirmed with Touch ID in Sallyport.app');
    // The very same request again is another one.
    const again = terminal.ask('tokens.mint', token('x') as never, undefined, 'app').catch(() => {});
    while (idOf(pushed) === id) await ask('status', {});
    const next = { ids: [idOf(pushed)], answer: 'yes' };
    expect((await ask('desk.decide', next, { touchId: touch(privateKey, challenge) })).error).toMatchObject(forbidden);
    await ask('desk.decide', { ...next, answer: 'no' });
    await again;
  });

  test('in its place the passphrase does, typed in the app', async () => {
    await take();
    const terminal = await shellOf(daemon);
    ends.push(() => terminal.close());
    const minting = terminal.ask('tokens.mint', token('x') as never, undefined, 'app');
    await ask('status', {});
    const yes = { ids: [idOf(pushed)], answer: 'yes' };
    expect((await ask('desk.decide', yes, { passphrase: 'a guess of mine' })).error).toMatchObject(forbidden);
    expect((await ask('desk.decide', yes, { passphrase })).result).toMatchObject(yes);
    expect(await minting).toMatchObject({ name: 'x' });
  });

  test('it goes with its passphrase, and is there after a restart', async () => {
    await take();
    const secrets = Object.fromEntries(daemon.secrets);
    for (const end of ends.splice(0)) end();
    await daemon.end();
    daemon = await startDaemonInProcess({ ...onMac, secrets, appWasSeen: true });
    ({ ask, pushed } = await shell('app'));
    expect(await refused('resume', {})).toEqual(expect.any(String));
    await ask('passphrase.set', { passphrase: 'another one of mine' }, { passphrase });
    expect((await ask('status', {})).result?.passphrase).not.toHaveProperty('touchId');
    expect((await ask('resume', {})).error?.data).not.toHaveProperty('touchId');
  });

  test('it is taken back without a word of the passphrase, by the app alone, and confirms nothing from then on', async () => {
    await take();
    const challenge = await refused('resume', {});
    const { ask: other } = await shell('terminal');
    expect((await other('passphrase.touchId', { publicKey: null })).error).toMatchObject(forbidden);
    const { error, result } = await ask('passphrase.touchId', { publicKey: null });
    expect(error).toBeUndefined();
    expect(result).not.toHaveProperty('touchId');
    const claimed = await ask('resume', {}, { confirm: 'app', touchId: touch(privateKey, challenge) });
    expect(claimed.error).toMatchObject({ ...forbidden, data: { confirm: 'passphrase' } });
    await take();
  });

  test('two that say they are the app leave the passphrase', async () => {
    await take();
    const challenge = await refused('resume', {});
    await shell('app');
    const claimed = await ask('resume', {}, { confirm: 'app', touchId: touch(privateKey, challenge) });
    expect(claimed.error?.data).toMatchObject({ confirm: 'passphrase' });
  });
});

/** Of the increase that was pushed last. */
function idOf(pushed: readonly Record<string, unknown>[]): unknown {
  return pushed.flatMap(({ asked }) => (isObject(asked) ? [asked.id] : [])).at(-1);
}

function otherCurve(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
}
