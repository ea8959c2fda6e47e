/**
 * Threat: a program has the shell secret and says that it is Sallyport.app, to confirm what only
 * the owner may (spec §11). On Linux, or with the secrets in a file, an app's confirmation doesn't
 * count. On macOS no program confirms its own requests, and none confirms twice, late, or in two at
 * once. Once a passphrase is set, a yes of whoever is the app needs it.
 */

import { afterEach, describe, expect, test } from '@jest/globals';
import { instantWords } from '../../daemon/access/privilege-increases/increase-words.ts';
import { english } from '../../daemon/guard/reason.ts';
import type { ControlCommands } from '../../daemon/shells/commands.ts';
import { changedSince, shownElse } from '../../daemon/shells/increase-gate.ts';
import { errorCodes } from '../../shared/codes.ts';
import type { ControlNotification } from '../../shared/control.ts';
import { type ControlClient, Refused } from '../../shell-terminal/control-client.ts';
import { beginsWith } from '../begins-with.ts';
import { postgresAt, shellOf } from '../shells/asking.ts';
import { type DaemonChange, type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';
import { type AskedIncrease, askedIn, endedIn, increasesOf, nothingElse } from '../shells/desk-pushes.ts';
import { until } from '../waiting/until.ts';

const passphrase = 'correct horse battery';
const onMac: DaemonChange = { platform: 'darwin', backend: () => 'keychain' };
const token = (name: string): ControlCommands['tokens.mint']['params'] => ({
  name,
  scope: 'readWrite',
  connections: 'all',
  expires: 1,
  confirmInClient: false,
});

let daemon: DaemonInProcess;
const shells: ControlClient[] = [];
afterEach(async () => {
  for (const shell of shells.splice(0)) shell.close();
  await daemon.end();
});

async function shell(name: string): Promise<ControlClient> {
  const connected = await shellOf(daemon, name);
  shells.push(connected);
  return connected;
}

async function refusalOf(asking: Promise<unknown>): Promise<Refused> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const increases = () =>
  daemon.recorded.flatMap(entry =>
    entry.action === 'increase' ? [`${entry.outcome}: ${'reason' in entry ? entry.reason : ''}`] : [],
  );

/** The app, and the events pushed to it. */
async function app(): Promise<{
  client: ControlClient;
  heard: ControlNotification[];
  next(): Promise<AskedIncrease>;
}> {
  const client = await shell('app');
  const heard: ControlNotification[] = [];
  let told = (): void => {};
  client.onNotification(notification => {
    heard.push(notification);
    told();
  });
  let asked = 0;
  return {
    client,
    heard,
    async next() {
      for (;;) {
        const found = askedOf(heard)[asked];
        if (found !== undefined) {
          asked += 1;
          return found;
        }
        await new Promise<void>(resolve => {
          told = resolve;
        });
      }
    },
  };
}

const askedOf = (heard: readonly ControlNotification[]) => increasesOf(heard.flatMap(askedIn));

const elsewhere: Readonly<Record<string, DaemonChange>> = {
  'on Linux': { platform: 'linux', backend: () => 'keychain' },
  'on Linux, with the secrets in a file': {},
  'on macOS, with the secrets in a file': { platform: 'darwin' },
  'on Linux, in a store that has seen the app': { backend: () => 'keychain', appWasSeen: true },
  'on macOS, in a store that has seen the app, with the secrets in a file': { platform: 'darwin', appWasSeen: true },
};

describe.each(Object.entries(elsewhere))('a shell that claims to be the app, %s', (_, change) => {
  test('makes nothing ask it, and confirms nothing, neither its own nor another’s requests', async () => {
    daemon = await startDaemonInProcess(change);
    const forged = await shell('app');
    expect((await forged.ask('status', {})).passphrase.state).not.toBe('set');
    await forged.ask('passphrase.set', { passphrase });
    expect((await forged.ask('status', {})).passphrase.state).toBe('set');

    const own = await refusalOf(forged.ask('tokens.mint', token('own'), undefined, 'app'));
    expect(own.data).toMatchObject({ confirm: 'passphrase' });
    const other = await shell('terminal');
    expect((await refusalOf(other.ask('tokens.mint', token('other'), undefined, 'app'))).data).toMatchObject({
      confirm: 'passphrase',
    });
    expect((await forged.ask('desk.list', {})).asks).toEqual([]);
    expect((await refusalOf(forged.ask('desk.decide', { ids: ['x'], answer: 'yes' }))).code).toBe(errorCodes.forbidden);
    expect((await forged.ask('tokens.list', {})).tokens).toEqual([]);
    expect(increases().every(entry => entry.startsWith('denied: '))).toBe(true);
  });
});

test('a secret that was in a file doesn’t count in the run that moved it, and the next run makes a new one', async () => {
  let backend: 'file' | 'keychain' = 'file';
  daemon = await startDaemonInProcess({ platform: 'darwin', backend: () => backend });
  const former = String(daemon.secrets.get('shell/secret'));
  backend = 'keychain';
  const early = await shell('app');
  expect((await refusalOf(early.ask('tokens.mint', token('early')))).data).toMatchObject({ confirm: 'choose' });
  expect(daemon.appSeen.was).toBe(false);
  early.close();
  await daemon.end();

  daemon = await startDaemonInProcess({ ...onMac, secrets: { 'shell/secret': former } });
  expect(daemon.secrets.get('shell/secret')).not.toContain(former);
  const late = await shell('app');
  expect(await late.ask('tokens.mint', token('late'), undefined, 'app')).toMatchObject({ name: 'late' });
});

describe('on macOS, with the secrets in the keychain', () => {
  test('a passphrase must be set until the app has come; from then on the app is asked, running or not, over restarts', async () => {
    daemon = await startDaemonInProcess(onMac);
    const terminal = await shell('terminal');
    expect((await refusalOf(terminal.ask('tokens.mint', token('before')))).data).toMatchObject({ confirm: 'choose' });
    const { client } = await app();
    expect((await refusalOf(terminal.ask('tokens.mint', token('x')))).data).toMatchObject({ confirm: 'app' });
    client.close();
    await client.closed;
    await until(async () => (await terminal.ask('status', {})).shells.length === 1, 'the shells are 1');
    const away = await refusalOf(terminal.ask('tokens.mint', token('after'), undefined, 'app'));
    expect(away.message).toMatch(/Sallyport\.app has to confirm it, and is not running\. Open it, then try again\.$/);
    expect(away.data).toMatchObject({ code: 'app_away', parts: [{ code: '%@' }, {}] });
    expect(daemon.appSeen.was).toBe(true);
    const secrets = Object.fromEntries(daemon.secrets);
    await daemon.end();

    daemon = await startDaemonInProcess({ ...onMac, secrets, appWasSeen: true });
    const again = await shell('terminal');
    await refusalOf(again.ask('tokens.mint', token('after')));
  });

  test('a terminal can’t make itself the owner, nor turn the confirmation off', async () => {
    daemon = await startDaemonInProcess(onMac);
    await app();
    const terminal = await shell('terminal');
    for (const asked of [
      terminal.ask('passphrase.set', { passphrase: 'the agent is the owner now' }),
      terminal.ask('passphrase.off', {}),
      terminal.ask('passphrase.reset', { passphrase: 'the agent is the owner now' }),
      terminal.ask('tokens.mint', token('x'), 'a guess of mine'),
    ]) {
      expect((await refusalOf(asked)).data).toMatchObject({ confirm: 'app' });
    }
    expect(daemon.secrets.has('passphrase/owner')).toBe(false);
  });

  test('an approval allows it once; after a denial nothing is asked for a minute', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, heard, next } = await app();
    const terminal = await shell('terminal');
    expect((await refusalOf(terminal.ask('tokens.mint', token('x')))).data).toMatchObject({ confirm: 'app' });
    const minting = terminal.ask('tokens.mint', token('x'), undefined, 'app');
    const asked = await next();
    const sentence =
      'This makes a Read & Write token "x" that reaches every connection, those saved later too, and expires after 1 day.';
    expect(asked).toMatchObject({ kind: 'increase', sentence, client: 'terminal' });
    expect(increasesOf((await client.ask('desk.list', {})).asks)).toEqual([asked]);
    // Others aren't blocked meanwhile.
    await terminal.ask('settings.set', { key: 'results.maxRows', value: 100 });
    const yes = { ids: [asked.id], answer: 'yes' as const };
    expect(await client.ask('desk.decide', yes)).toEqual({ ...yes, ...nothingElse });
    expect(await minting).toMatchObject({ name: 'x' });
    // A replayed id, and a denial after the approval.
    expect((await refusalOf(client.ask('desk.decide', yes))).message).toMatch(/no longer waits/);
    await refusalOf(client.ask('desk.decide', { ...yes, answer: 'no' }));
    expect((await client.ask('tokens.list', {})).tokens).toHaveLength(1);

    const resuming = refusalOf(terminal.ask('resume', {}, undefined, 'app'));
    const second = await next();
    expect(second.id).not.toBe(asked.id);
    await client.ask('desk.decide', { ids: [second.id], answer: 'no' });
    expect((await resuming).message).toMatch(/; the answer in Sallyport\.app was no\.$/);
    const others = await shell('terminal');
    expect((await refusalOf(others.ask('resume', {}, undefined, 'app'))).message).toMatch(
      /again in 60 s; or make the change in Sallyport\.app itself\.$/,
    );
    daemon.now += 60_000;
    const third = others.ask('resume', {}, undefined, 'app');
    await client.ask('desk.decide', { ids: [(await next()).id], answer: 'yes' });
    expect(await third).toEqual({ paused: false });
    expect(heard.flatMap(endedIn).map(({ because }) => because)).toEqual(['yes', 'no', 'yes']);
    expect(increases()).toEqual([
      'success: Sallyport.app has come, and confirms from now on',
      'denied: not confirmed',
      'success: confirmed in Sallyport.app',
      'denied: no in Sallyport.app',
      'denied: the last one was not approved in Sallyport.app',
      'success: confirmed in Sallyport.app',
    ]);
  });

  test('only the app is told, and may answer', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, next } = await app();
    const terminal = await shell('terminal');
    const listening = await shell('sallyport-app');
    const heard: string[] = [];
    for (const other of [terminal, listening]) other.onNotification(({ method }) => heard.push(method));
    const minting = terminal.ask('tokens.mint', token('x'), undefined, 'app');
    const { id } = await next();
    for (const other of [terminal, listening]) {
      for (const answer of ['yes', 'no'] as const) {
        const refusal = await refusalOf(other.ask('desk.decide', { ids: [id], answer }));
        expect(refusal.message).toMatch(/^Only Sallyport\.app can confirm/);
      }
      expect((await other.ask('desk.list', {})).asks).toEqual([]);
    }
    const attempt = 'denied: a shell that is not Sallyport.app would confirm';
    expect(increases().filter(row => row === attempt)).toHaveLength(4);
    expect(daemon.tokens.list()).toEqual([]);
    await client.ask('desk.decide', { ids: [id], answer: 'yes' });
    await minting;
    expect(heard).toEqual([]);
  });

  test('the app’s own request needs its person’s approval', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, heard } = await app();
    const { data } = await refusalOf(client.ask('tokens.mint', token('x')));
    // What its window draws above Allow.
    expect(data).toMatchObject({
      confirm: 'app',
      facts: expect.arrayContaining([expect.objectContaining({ value: 'x' })]),
    });
    expect(await client.ask('tokens.mint', token('x'), undefined, 'app')).toMatchObject({ name: 'x' });
    expect(heard.filter(({ method }) => method === 'desk.changed')).toEqual([]);
    // As a parameter, or as another word, it doesn't count.
    await refusalOf(client.ask('resume', {}, undefined, true as never));
    await refusalOf(client.ask('resume', { confirm: 'app' } as never));
  });

  test('a click that needs no passphrase allows only what was shown above it', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client } = await app();
    const terminal = await shell('terminal');
    const writing = { connection: 'Scratch', externalClients: { level: 'readWrite' } } as const;
    await terminal.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('scratch.example') });
    await refusalOf(client.ask('connections.save', writing));
    await terminal.ask('connections.delete', { connection: 'Scratch' });
    await terminal.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('production.example') });
    const swapped = await refusalOf(client.ask('connections.save', writing, undefined, 'app'));
    expect(swapped.message).toContain(english(shownElse));
    expect(swapped.data).toMatchObject({
      confirm: 'app',
      facts: expect.arrayContaining([expect.objectContaining({ value: 'production.example' })]),
    });
    expect((await client.ask('connections.show', { connection: 'Scratch' })).externalClients.level).toBe('readOnly');
    const again = await client.ask('connections.save', writing, undefined, 'app');
    expect(again.externalClients.level).toBe('readWrite');
  });

  test('a second app: neither confirms, and neither is told, until one has gone', async () => {
    daemon = await startDaemonInProcess(onMac);
    const first = await app();
    const terminal = await shell('terminal');
    const minting = terminal.ask('tokens.mint', token('x'), undefined, 'app');
    const { id } = await first.next();
    const second = await app();
    for (const either of [second, first]) {
      const refusal = await refusalOf(either.client.ask('desk.decide', { ids: [id], answer: 'yes' }));
      expect(refusal.message).toMatch(/^Only Sallyport\.app/);
      const own = await refusalOf(either.client.ask('resume', {}, undefined, 'app'));
      expect(own.message).toMatch(/More than one program says that it is Sallyport\.app/);
      expect(own.data).toMatchObject({ code: 'several_apps', parts: [{ code: '%@' }, {}] });
    }
    expect(second.heard).toEqual([]);
    expect((await terminal.ask('status', {})).notes).toContainEqual(expect.objectContaining({ code: 'several_apps' }));
    expect(daemon.tokens.list()).toEqual([]);
    second.client.close();
    await second.client.closed;
    await until(async () => (await first.client.ask('status', {})).shells.length === 2, 'the shells are 2');
    await first.client.ask('desk.decide', { ids: [id], answer: 'yes' });
    expect(await minting).toMatchObject({ name: 'x' });
    // The remaining one was told again what waits.
    expect(askedOf(first.heard)).toHaveLength(2);
  });

  test('an app that was asked hears of the end while another claims its place', async () => {
    daemon = await startDaemonInProcess(onMac);
    const first = await app();
    const terminal = await shell('terminal');
    void terminal.ask('resume', {}, undefined, 'app').catch(() => {});
    const { id } = await first.next();
    const second = await app();
    terminal.close();
    await until(() => first.heard.flatMap(endedIn).length > 0, 'it hears of the end');
    expect(first.heard.flatMap(endedIn)).toEqual([{ id, because: 'cancelled' }]);
    expect(second.heard.flatMap(askedIn)).toEqual([]);
  });

  test('with an owner passphrase it is typed there or in the app, and with two apps only there', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, next } = await app();
    await client.ask('passphrase.set', { passphrase }, undefined, 'app');
    const terminal = await shell('terminal');
    expect((await refusalOf(terminal.ask('resume', {}))).data).toMatchObject({ confirm: 'app', passphrase: true });
    expect(await terminal.ask('resume', {}, passphrase)).toEqual({ paused: false });
    const resuming = terminal.ask('resume', {}, undefined, 'app');
    const yes = { ids: [(await next()).id], answer: 'yes' as const };
    const clicked = await refusalOf(client.ask('desk.decide', yes, undefined, 'app'));
    expect(clicked.data).toMatchObject({ confirm: 'passphrase', sentence: expect.stringMatching(/^This /) });
    const guessed = await refusalOf(client.ask('desk.decide', yes, 'a guess of mine'));
    expect(guessed.message).toMatch(/^That is not the owner passphrase\. This /);
    expect(await client.ask('desk.decide', yes, passphrase)).toEqual({ ...yes, ...nothingElse });
    expect(await resuming).toEqual({ paused: false });
    expect(increases().slice(-4)).toEqual([
      'success: confirmed with the owner passphrase',
      'denied: a yes in Sallyport.app without the owner passphrase or Touch ID',
      'denied: wrong owner passphrase',
      'success: confirmed with the owner passphrase',
    ]);
    await app();
    expect((await refusalOf(terminal.ask('resume', {}, undefined, 'app'))).data).toMatchObject({
      confirm: 'passphrase',
    });
    expect(await terminal.ask('resume', {}, passphrase)).toEqual({ paused: false });
  });

  test('it ends with the shell that asked, and a running request of that shell gets nothing', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, heard, next } = await app();
    const terminal = await shell('terminal');
    void terminal.ask('tokens.mint', token('x'), undefined, 'app').catch(() => {});
    const { id } = await next();
    terminal.close();
    await until(() => heard.flatMap(endedIn).length > 0, 'it is withdrawn');
    expect(heard.at(-1)?.params).toEqual({ waiting: 0, asked: null, ended: { id, because: 'cancelled' } });
    await refusalOf(client.ask('desk.decide', { ids: [id], answer: 'yes' }));
    expect(daemon.tokens.list()).toEqual([]);
  });

  test('an answer after five minutes doesn’t count, by the wall clock or by the timer', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, next } = await app();
    const terminal = await shell('terminal');
    const minting = refusalOf(terminal.ask('tokens.mint', token('x'), undefined, 'app'));
    const { id, askedAt, expiresAt } = await next();
    expect(Date.parse(expiresAt) - Date.parse(askedAt)).toBe(300_000);
    daemon.now += 300_000;
    await refusalOf(client.ask('desk.decide', { ids: [id], answer: 'yes' }));
    expect((await minting).message).toMatch(/nobody answered in Sallyport\.app\.$/);
    await client.ask('status', {});
    client.close();
    terminal.close();
    await daemon.end();

    daemon = await startDaemonInProcess({ ...onMac, confirmations: { lifetimeSeconds: 0.05 } });
    await app();
    const again = await shell('terminal');
    expect((await refusalOf(again.ask('resume', {}, undefined, 'app'))).message).toMatch(/nobody answered/);
  });

  test('three wait, from any number of shells; the fourth is refused at once', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, next } = await app();
    const asking = await Promise.all(['a', 'b', 'c', 'd'].map(() => shell('terminal')));
    const waiting: Promise<unknown>[] = [];
    for (const terminal of asking.slice(0, 3)) {
      waiting.push(terminal.ask('resume', {}, undefined, 'app'));
      await next();
    }
    expect((await refusalOf(asking[3]?.ask('resume', {}, undefined, 'app') ?? Promise.resolve())).message).toMatch(
      /too many wait for an answer in Sallyport\.app/,
    );
    for (const { id } of (await client.ask('desk.list', {})).asks) {
      await client.ask('desk.decide', { ids: [id], answer: 'yes' });
    }
    expect(await Promise.all(waiting)).toEqual([{ paused: false }, { paused: false }, { paused: false }]);
  });

  test('one per shell waits: the second is refused at once, and a denial ends the questions of other shells too', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, heard, next } = await app();
    const [agent, other] = [await shell('terminal'), await shell('terminal')];
    const first = refusalOf(agent.ask('tokens.mint', token('first'), undefined, 'app'));
    const { id } = await next();
    expect((await refusalOf(agent.ask('resume', {}, undefined, 'app'))).message).toMatch(
      /; one that this shell asked waits for an answer in Sallyport\.app already\. Answer that, then try again\.$/,
    );
    const second = refusalOf(other.ask('tokens.mint', token('second'), undefined, 'app'));
    await next();
    await client.ask('desk.decide', { ids: [id], answer: 'no' });
    expect((await first).message).toMatch(/the answer in Sallyport\.app was no\.$/);
    expect((await second).message).toMatch(/another request was denied in Sallyport\.app, which ends all/);
    expect(heard.flatMap(endedIn)).toHaveLength(2);
    expect(daemon.tokens.list()).toEqual([]);
  });

  test('fifty questions over as many connections with as many names show the owner one sheet', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, heard, next } = await app();
    await client.ask('passphrase.set', { passphrase }, undefined, 'app');
    const first = await shell('terminal');
    const refused = refusalOf(first.ask('resume', {}, undefined, 'app'));
    await client.ask('desk.decide', { ids: [(await next()).id], answer: 'no' });
    await refused;
    for (let times = 0; times < 50; times++) {
      const again = await shellOf(daemon, `terminal-${times}`);
      const { message } = await refusalOf(again.ask('tokens.mint', token(`t${times}`), undefined, 'app'));
      expect(message).toMatch(/in 60 s; or confirm it with the owner passphrase, or make the change in/);
      again.close();
    }
    expect(askedOf(heard)).toHaveLength(1);
    // The owner can still do it meanwhile.
    expect(await client.ask('resume', {}, passphrase)).toEqual({ paused: false });
    expect(await first.ask('resume', {}, passphrase)).toEqual({ paused: false });
  });

  test('a click from before a passphrase was set confirms nothing after it', async () => {
    daemon = await startDaemonInProcess(onMac);
    const { client, next } = await app();
    const terminal = await shell('terminal');
    const minting = refusalOf(terminal.ask('tokens.mint', token('x'), undefined, 'app'));
    const yes = { ids: [(await next()).id], answer: 'yes' as const };
    // The click comes while the passphrase is being set, and its request goes on afterwards.
    const setting = client.ask('passphrase.set', { passphrase }, undefined, 'app');
    expect(await client.ask('desk.decide', yes)).toEqual({ ...yes, ...nothingElse });
    await setting;
    expect((await minting).data).toMatchObject({ confirm: 'app', passphrase: true });
    expect(daemon.tokens.list()).toEqual([]);
  });

  test('a token that was confirmed for a connection doesn’t reach another one that has taken its name', async () => {
    daemon = await startDaemonInProcess(onMac);
    const terminal = await shell('terminal');
    await terminal.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('scratch.example') });
    const { client, next } = await app();
    const asked = { ...token('x'), connections: ['Scratch'] };
    const minting = refusalOf(terminal.ask('tokens.mint', asked, undefined, 'app'));
    const { id } = await next();
    await terminal.ask('connections.delete', { connection: 'Scratch' });
    await terminal.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('production.example') });
    await client.ask('desk.decide', { ids: [id], answer: 'yes' });
    expect((await minting).message).toMatch(beginsWith(english(changedSince)));
    expect(daemon.tokens.list()).toEqual([]);
  });

  test('a confirmed change isn’t made to another connection that has taken the name', async () => {
    daemon = await startDaemonInProcess(onMac);
    const terminal = await shell('terminal');
    await terminal.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('scratch.example') });
    const { client, next } = await app();
    const opening = refusalOf(
      terminal.ask(
        'connections.save',
        { connection: 'Scratch', externalClients: { level: 'readWrite' } },
        undefined,
        'app',
      ),
    );
    const { id, sentence } = await next();
    expect(sentence).toBe('This lets clients write to "Scratch".');
    await terminal.ask('connections.delete', { connection: 'Scratch' });
    await terminal.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('production.example') });
    await client.ask('desk.decide', { ids: [id], answer: 'yes' });
    expect((await opening).message).toMatch(beginsWith(english(changedSince)));
    const now = await terminal.ask('connections.show', { connection: 'Scratch' });
    expect(now.externalClients.level).toBe('readOnly');
  });

  test('temporary access ends at the moment that was confirmed, however long the approval took', async () => {
    daemon = await startDaemonInProcess(onMac);
    const terminal = await shell('terminal');
    await terminal.ask('connections.save', { name: 'Scratch', endpoint: postgresAt('scratch.example') });
    const { client, next } = await app();
    const writing = { level: 'readWrite', forSeconds: 3_600 } as const;
    const asked = { connection: 'Scratch', externalClients: writing };
    const opening = terminal.ask('connections.save', asked, undefined, 'app');
    const until = new Date(daemon.now + 3_600_000).toISOString();
    const { id, sentence } = await next();
    expect(sentence).toBe(`This lets clients write to "Scratch" until ${instantWords(until)}.`);
    daemon.now += 100_000;
    await client.ask('desk.decide', { ids: [id], answer: 'yes' });
    expect((await opening).externalClients).toMatchObject({ level: 'readWrite', writeUntil: until });
  });

  test('a token starts at the approval, and is valid in the answer', async () => {
    daemon = await startDaemonInProcess(onMac);
    const terminal = await shell('terminal');
    const { client, next } = await app();
    const minting = terminal.ask('tokens.mint', { ...token('late'), expires: 7 }, undefined, 'app');
    const { id } = await next();
    daemon.now += 100_000;
    await client.ask('desk.decide', { ids: [id], answer: 'yes' });
    const { state, createdAt, expiresAt } = await minting;
    expect({ state, createdAt, expiresAt }).toEqual({
      state: 'valid',
      createdAt: new Date(daemon.now).toISOString(),
      expiresAt: new Date(daemon.now + 7 * 86_400_000).toISOString(),
    });
  });

  test('an app that restarts finds the waiting question, and may answer it', async () => {
    daemon = await startDaemonInProcess(onMac);
    const first = await app();
    const terminal = await shell('terminal');
    const minting = terminal.ask('tokens.mint', token('x'), undefined, 'app');
    const asked = await first.next();
    expect(asked.facts).not.toEqual([]);
    first.client.close();
    await first.client.closed;
    const again = await app();
    await until(async () => (await again.client.ask('status', {})).shells.length === 2, 'the shells are 2');
    expect(increasesOf((await again.client.ask('desk.list', {})).asks)).toEqual([asked]);
    await again.client.ask('desk.decide', { ids: [asked.id], answer: 'yes' });
    expect(await minting).toMatchObject({ name: 'x' });
  });
});
