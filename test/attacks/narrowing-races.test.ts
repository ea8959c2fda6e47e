/**
 * Threat: what takes access away no longer waits for the turn of increases, so a change that was
 * judged before it, and is saved after it, gives the access back without the passphrase. Each
 * moment at which that could happen is held open by a store that answers when told to.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import { SecretStoreUnavailable } from '../../daemon/access/secret-store.ts';
import { english } from '../../daemon/guard/reason.ts';
import { changedSinceConfirmed } from '../../daemon/shells/confirmed-command.ts';
import { shownElse } from '../../daemon/shells/increase-gate.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';
import { until } from '../waiting/until.ts';

let daemon: DaemonInProcess;
let agent: ControlClient;
let person: ControlClient;
let id: string;
/** Called by each write of a secret, and by each save of a connection, before it is done. */
let beforeWrite = async (_account: string): Promise<void> => {};
let beforeSave = async (): Promise<void> => {};
const blocked = { externalClients: { level: 'blocked' } } as const;
const readOnly = { externalClients: { level: 'readOnly' } } as const;
const readWrite = { externalClients: { level: 'readWrite' } } as const;
const stored = { kind: 'stored', value: 'neu-und-lang' } as const;

beforeEach(async () => {
  beforeWrite = async () => {};
  beforeSave = async () => {};
  daemon = await startDaemonInProcess();
  const { secrets } = daemon.ports;
  const { write } = secrets;
  Object.assign(secrets, {
    async write(...given: Parameters<typeof write>) {
      await beforeWrite(given[1]);
      await write(...given);
    },
  });
  const { save } = daemon.connectionStore;
  daemon.connectionStore.save = async connection => {
    await beforeSave();
    await save(connection);
  };
  [agent, person] = [await shellOf(daemon), await shellOf(daemon)];
  const made = await person.ask('connections.save', {
    name: 'Shop',
    endpoint: postgresAt('old.example'),
    password: { kind: 'stored', value: 'alt-und-lang' },
    ...readWrite,
  });
  id = made.id;
});
afterEach(async () => {
  agent.close();
  person.close();
  await daemon.end();
});

/** A gate that the first one to come waits at. */
function gate() {
  let open = (_error?: Error): void => {};
  let isWaiting = false;
  const opened = new Promise<void>((resolve, reject) => {
    open = error => (error === undefined ? resolve() : reject(error));
  });
  opened.catch(() => {});
  return {
    isWaiting: () => isWaiting,
    async wait() {
      isWaiting = true;
      await opened;
    },
    open: (error?: Error) => open(error),
  };
}

const outcome = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: Error) => error.message,
  );
const level = () => daemon.ports.connections.find(id)?.externalClients.level ?? null;
const passphrase = 'correct horse battery';
const meanwhile = expect.stringContaining('has changed meanwhile, so nothing was saved');

test('the level that it had is no longer the same level once it was lowered', async () => {
  const held = gate();
  beforeSave = () => held.wait();
  const lowering = outcome(person.ask('connections.save', { connection: id, ...blocked }));
  await until(held.isWaiting, 'it is being saved');
  // No increase by what is saved so far.
  const again = outcome(agent.ask('connections.save', { connection: id, ...readWrite }));
  const marked = outcome(agent.ask('connections.save', { connection: id, tags: ['x'], ...readWrite }));
  await new Promise(resolve => setTimeout(resolve, 50));
  held.open();
  expect(await Promise.all([lowering, again, marked])).toEqual(['done', meanwhile, meanwhile]);
  expect(level()).toBe('blocked');
  expect(daemon.savedConnections.at(-1)?.externalClients.level).toBe('blocked');
});

/** The next passphrase is checked, and its answer waits. @returns the unheld check, to put back. */
function holdCheck() {
  const { check } = daemon.ports.owner;
  const held = gate();
  Object.assign(daemon.ports.owner, {
    async check(typed: string) {
      const checked = await check(typed);
      await held.wait();
      return checked;
    },
  });
  return { held, check };
}

test('nor does a passphrase that was typed before it was lowered give it back', async () => {
  await person.ask('passphrase.set', { passphrase });
  const writing = { connection: id, ...readWrite };
  const marking = { connection: id, aiPolicy: 'always', tags: ['x'], ...readWrite } as const;
  for (const change of [writing, marking]) {
    await person.ask('connections.save', { connection: id, ...readOnly });
    expect(await outcome(agent.ask('connections.save', change))).toContain('owner passphrase');
    const { held, check } = holdCheck();
    const confirmed = outcome(agent.ask('connections.save', change, passphrase));
    await until(held.isWaiting, 'the passphrase is checked');
    expect(await outcome(person.ask('connections.save', { connection: id, ...blocked }))).toBe('done');
    held.open();
    expect(await confirmed).toContain(changedSinceConfirmed);
    Object.assign(daemon.ports.owner, { check });
    expect(level()).toBe('blocked');
    await person.ask('connections.save', { connection: id, ...readOnly }, passphrase);
  }
});

test('nor does a passphrase that was typed before a pause end that', async () => {
  await person.ask('passphrase.set', { passphrase });
  expect(await outcome(agent.ask('resume', {}))).toContain('owner passphrase');
  const { held, check } = holdCheck();
  const confirmed = outcome(agent.ask('resume', {}, passphrase));
  await until(held.isWaiting, 'the passphrase is checked');
  expect(await outcome(person.ask('pause', {}))).toBe('done');
  held.open();
  expect(await confirmed).toContain(changedSinceConfirmed);
  Object.assign(daemon.ports.owner, { check });
  expect(await outcome(agent.ask('resume', {}, passphrase))).toContain(english(shownElse));
  expect(await outcome(agent.ask('resume', {}, passphrase))).toBe('done');
});

test('nor while the lowering is being saved', async () => {
  await person.ask('passphrase.set', { passphrase });
  await person.ask('connections.save', { connection: id, ...readOnly });
  const writing = { connection: id, ...readWrite };
  const marking = { connection: id, tags: ['x'], ...readWrite };
  for (const change of [writing, marking]) await outcome(agent.ask('connections.save', change));
  const held = gate();
  beforeSave = () => held.wait();
  const lowering = outcome(person.ask('connections.save', { connection: id, ...blocked }));
  await until(held.isWaiting, 'it is being saved');
  const again = outcome(agent.ask('connections.save', writing, passphrase));
  const marked = outcome(agent.ask('connections.save', marking, passphrase));
  await new Promise(resolve => setTimeout(resolve, 50));
  held.open();
  expect(await lowering).toBe('done');
  for (const refusal of await Promise.all([again, marked])) expect(refusal).toMatch(/has changed (meanwhile|since)/);
  expect(level()).toBe('blocked');
});

test.each([
  ['a password', { password: stored }],
  ['another place', { endpoint: postgresAt('new.example'), password: stored }],
  ['the same level too', { password: stored, ...readWrite }],
])('a change of %s that waits for the secret store saves nothing after it was lowered', async (_, change) => {
  const held = gate();
  beforeWrite = () => held.wait();
  const slow = outcome(agent.ask('connections.save', { connection: id, ...change }));
  await until(held.isWaiting, 'it waits');
  expect(await outcome(person.ask('connections.save', { connection: id, ...blocked }))).toBe('done');
  expect(level()).toBe('blocked');
  held.open();
  expect(await slow).toEqual(meanwhile);
  expect(daemon.ports.connections.find(id)).toMatchObject({ host: 'old.example', ...blocked });
  expect([...daemon.secrets.keys()].filter(key => key.startsWith('password/'))).toEqual([`password/${id}`]);
  expect(daemon.secrets.get(`password/${id}`)).toBe('alt-und-lang');
});

test('a change that fails after it was saved is taken back without what was taken meanwhile', async () => {
  const held = gate();
  beforeWrite = async account => {
    if (account === id && !held.isWaiting()) await held.wait();
  };
  const change = { connection: id, endpoint: postgresAt('new.example'), password: stored };
  const slow = outcome(agent.ask('connections.save', change));
  await until(held.isWaiting, 'the place is saved, and its password is not');
  expect(await outcome(person.ask('connections.save', { connection: id, ...blocked }))).toBe('done');
  held.open(new SecretStoreUnavailable('The keychain has gone.'));
  expect(await slow).toBe('The keychain has gone.');
  expect(daemon.ports.connections.find(id)).toMatchObject({ host: 'old.example', ...blocked });
  expect(daemon.secrets.get(`password/${id}`)).toBe('alt-und-lang');
});

test.each([
  ['before it was saved', (account: string) => account !== id],
  ['after it was saved', (account: string) => account === id],
])(
  'a connection removed while a change waits, %s, stays removed, and no password of it goes astray',
  async (_, waits) => {
    const held = gate();
    beforeWrite = async account => {
      if (waits(account) && !held.isWaiting()) await held.wait();
    };
    const change = { connection: id, endpoint: postgresAt('new.example'), password: stored };
    const slow = outcome(agent.ask('connections.save', change));
    await until(held.isWaiting, 'it waits');
    expect(await outcome(person.ask('connections.delete', { connection: id }))).toBe('done');
    held.open(new SecretStoreUnavailable('The keychain has gone.'));
    expect(await slow).not.toBe('done');
    expect(daemon.ports.connections.find(id)).toBeNull();
    const [removed] = daemon.ports.connections.removed();
    const kept = daemon.secrets.get(`password/${id}`);
    expect([removed?.connection?.host, kept]).toEqual(
      removed?.connection?.host === 'old.example' ? ['old.example', 'alt-und-lang'] : ['new.example', undefined],
    );
  },
);

test('a brake is done though who asks is never found out', async () => {
  const other = await startDaemonInProcess({ originOf: () => new Promise(() => {}) });
  try {
    const shell = await shellOf(other);
    await other.ports.connections.save({ ...(daemon.ports.connections.find(id) as Connection) }, null);
    expect(await outcome(shell.ask('connections.save', { connection: id, ...blocked }))).toBe('done');
    expect(await outcome(shell.ask('stop', {}))).toBe('done');
    await until(() => other.stops.length === 1, 'it stops');
    expect(other.ports.connections.find(id)?.externalClients.level).toBe('blocked');
    shell.close();
  } finally {
    await other.end();
  }
});

test('what is taken back with a passphrase reset gives nothing back that was lowered meanwhile', async () => {
  const held = gate();
  beforeSave = () => held.wait();
  const lowering = outcome(person.ask('connections.save', { connection: id, ...blocked }));
  await until(held.isWaiting, 'it is being saved');
  const back = daemon.ports.connections.edit(id, now => ({ ...now, tags: ['y'] }));
  held.open();
  await lowering;
  await back;
  expect(level()).toBe('blocked');
});
