/**
 * A policy file that gives clients more than it seems to (spec §6): what is shown, what is asked,
 * and what holds until its person has said yes.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import { english } from '../../daemon/guard/reason.ts';
import type { CommandContext } from '../../daemon/shells/command.ts';
import { policyApply } from '../../daemon/shells/commands/policy.ts';
import { shownElse } from '../../daemon/shells/increase-gate.ts';
import type { PolicyDifferenceView } from '../../shared/control-commands.ts';
import { isObject } from '../../shared/json.ts';
import { type ControlClient, Refused } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

const passphrase = 'correct horse battery';
const file = { path: '/srv/team/sallyport.yaml', digest: 'a'.repeat(64) };

let daemon: DaemonInProcess;
let shell: ControlClient;
const begin = async (off?: 'off'): Promise<void> => {
  daemon = await startDaemonInProcess(off === undefined ? {} : { passphrase: off });
  shell = await shellOf(daemon);
  const hide = ['audit.*'];
  const blocked = { level: 'blocked' } as const;
  await shell.ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example'), hide });
  await shell.ask('connections.save', {
    name: 'shop-live',
    endpoint: postgresAt('live.example'),
    externalClients: blocked,
  });
};
beforeEach(async () => {
  await begin();
  await shell.ask('passphrase.set', { passphrase });
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

function saved(name: string): Connection {
  const connection = daemon.ports.connections.find(name);
  if (connection === null) throw new Error(`${name} is gone`);
  return connection;
}
const all = () => JSON.stringify([daemon.ports.connections.list(), daemon.ports.settings.current()]);
const textOf = (policy: unknown): string => (typeof policy === 'string' ? policy : JSON.stringify(policy));
const compare = (policy: unknown) => shell.ask('policy.compare', { policy: textOf(policy) });
const apply = (policy: unknown, widens: boolean, typed?: string) =>
  shell.ask('policy.apply', { policy: textOf(policy), file, widens }, typed);
const refusal = async (asking: Promise<unknown>): Promise<{ code: unknown; message: string; data: object }> => {
  const error = await asking.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refused) || !isObject(error.data)) throw new Error(`not refused: ${String(error)}`);
  return { code: error.data.code, message: error.message, data: error.data };
};
const lines = ({ connections, settings }: PolicyDifferenceView): string[] => [
  ...connections.flatMap(({ name, changes }) =>
    changes.map(({ key, from, to, widens }) => `${name} ${key} ${from} > ${to}${widens ? ' waits' : ''}`),
  ),
  ...settings.map(({ key, from, to, widens }) => `${key} ${from} > ${to}${widens ? ' waits' : ''}`),
];
const connections = (...entries: object[]) => ({ connections: entries });

test('beside one thing that narrows, one that widens waits, and says so', async () => {
  const policy = connections({ name: 'Shop', 'external-clients': 'read-write', 'ai-policy': 'never' });
  expect(lines(await compare(policy))).toEqual([
    'Shop external-clients read-only > read-write waits',
    'Shop ai-policy always > never',
  ]);
  expect(lines(await apply(policy, false))).toEqual(['Shop external-clients read-only > read-write waits']);
  expect(saved('Shop')).toMatchObject({ aiPolicy: 'never', externalClients: { level: 'readOnly' } });
  const asked = await refusal(apply(policy, true));
  expect(asked).toMatchObject({ code: 'needs_confirmation', data: { confirm: 'passphrase' } });
  expect(asked.message).toContain('This lets clients write to "Shop".');
  expect((await refusal(apply(policy, true, 'another passphrase'))).code).toBe('wrong_passphrase');
  expect(saved('Shop').externalClients.level).toBe('readOnly');
  // What narrows has applied, so an edit of the file is news though nobody said yes to the rest.
  expect(daemon.ports.policyFile.applied()).toMatchObject(file);
  expect(lines(await apply(policy, true, passphrase))).toEqual([]);
}, 30_000);

describe('what is meant is more than what is named:', () => {
  test('a pattern also matches a second connection, whose widening is asked for by name and place', async () => {
    const policy = connections({ name: 'shop*', 'external-clients': 'read-only' });
    expect(lines(await compare(policy))).toEqual(['shop-live external-clients blocked > read-only waits']);
    const asked = await refusal(apply(policy, true));
    expect(asked.message).toContain('lets clients read "shop-live"');
    expect(asked.data).toMatchObject({
      facts: expect.arrayContaining([expect.objectContaining({ value: 'live.example' })]),
    });
    expect(saved('shop-live').externalClients.level).toBe('blocked');
  });

  test('a later pattern takes back what an earlier name narrowed, and what holds at the end is what is compared', async () => {
    const policy = connections({ name: 'Shop', 'ai-policy': 'never' }, { name: '*', 'ai-policy': 'always' });
    expect(lines(await compare(policy))).toEqual([]);
    const last = connections({ name: '*', 'ai-policy': 'always' }, { name: 'Shop', 'ai-policy': 'never' });
    expect(lines(await compare(last))).toEqual(['Shop ai-policy always > never']);
  });

  test('another case is the same name, and twice the same name is refused', async () => {
    expect(lines(await compare(connections({ name: 'SHOP', 'external-clients': 'read-write' })))).toEqual([
      'Shop external-clients read-only > read-write waits',
    ]);
    const twice = connections({ name: 'Shop', 'ai-policy': 'never' }, { name: 'SHOP', 'ai-policy': 'always' });
    expect((await refusal(compare(twice))).data).toMatchObject({ field: 'connections.1.name' });
  });

  test('an earlier name means nobody, and the connection that has it now is asked for with its place', async () => {
    await shell.ask('connections.save', { connection: 'Shop', name: 'Old' }, passphrase);
    const policy = connections({ name: 'Shop', 'external-clients': 'read-write' });
    expect(await refusal(compare(policy))).toMatchObject({
      code: 'invalid_field',
      data: { field: 'connections.0.name' },
    });
    await shell.ask('connections.save', { name: 'Shop', endpoint: postgresAt('other.example') });
    expect((await refusal(apply(policy, true))).data).toMatchObject({
      facts: expect.arrayContaining([expect.objectContaining({ label: 'Host', value: 'other.example' })]),
    });
  });

  test('an id is no name', async () => {
    const policy = connections({ name: saved('Shop').id, 'ai-policy': 'never' });
    expect((await refusal(apply(policy, false))).code).toBe('invalid_field');
  });
});

describe('tables', () => {
  test('a hidden one is dropped beside one that looks broader: until yes both hide', async () => {
    const policy = connections({ name: 'Shop', hide: ['*.audit', 'audit.l*'] });
    expect(lines(await apply(policy, false))).toEqual(['Shop hide audit.*,*.audit,audit.l* > *.audit,audit.l* waits']);
    expect(saved('Shop').sight?.hide).toEqual(['audit.*', '*.audit', 'audit.l*']);
    expect((await refusal(apply(policy, true))).message).toContain('it no longer hides audit.*');
  });

  test('other ones alone, or all instead of some, wait', async () => {
    await apply(connections({ name: 'Shop', only: ['shop.*'] }), false);
    for (const only of [['audit.*'], ['*'], []]) {
      const left = await apply(connections({ name: 'Shop', only }), false);
      expect([only, lines(left)]).toEqual([only, [`Shop only shop.* > ${only} waits`]]);
      expect(saved('Shop').sight?.only).toEqual(['shop.*']);
    }
  });

  test('one that is shown waits, and one that no longer is doesn’t', async () => {
    const policy = connections({ name: 'Shop', show: ['audit.log'] });
    expect(lines(await apply(policy, false))).toEqual(['Shop show  > audit.log waits']);
    expect(saved('Shop').sight?.show).toEqual([]);
  });

  test('a masked column is dropped beside another: until yes both are masked', async () => {
    await apply(connections({ name: 'Shop', mask: ['users.email'] }), false);
    const policy = connections({ name: 'Shop', mask: ['/mail/'] });
    expect(lines(await apply(policy, false))).toEqual(['Shop mask users.email,/mail/ > /mail/ waits']);
    expect(saved('Shop').masks).toEqual(['users.email', '/mail/']);
  });
});

test('a lower level beside a wider AI policy, another database, more rows: each part by itself', async () => {
  const own = { databases: 'own', aiPolicy: 'askEachTime', writeRowLimit: 10 } as const;
  await shell.ask('connections.save', { connection: 'Shop', ...own });
  const policy = connections({
    name: 'Shop',
    'external-clients': 'blocked',
    'ai-policy': 'always',
    databases: 'all',
    'write-row-limit': 'default',
  });
  expect(lines(await apply(policy, false))).toEqual([
    'Shop ai-policy ask > always waits',
    'Shop databases own > all waits',
    'Shop write-row-limit 10 > default waits',
  ]);
  expect(saved('Shop')).toMatchObject({ ...own, externalClients: { level: 'blocked' } });
});

test('a limit of 0 is none: refused where a limit has a least, a widening where it means no limit', async () => {
  for (const key of ['row-limit', 'write-row-limit', 'timeout'])
    for (const value of [0, -1, 1.5, 1e9, '0', null, true])
      expect([key, value, (await refusal(apply(connections({ name: 'Shop', [key]: value }), true))).code]).toEqual([
        key,
        value,
        'invalid_field',
      ]);
  const policy = { settings: { 'limits.requestsPerMinute': 0, 'writes.maxRows': 5, 'history.days': 1 } };
  expect(lines(await apply(policy, false))).toEqual([
    'limits.requestsPerMinute 240 > 0 waits',
    'history.days 90 > 1 waits',
  ]);
  expect(daemon.ports.settings.current()).toMatchObject({ 'limits.requestsPerMinute': 240, 'writes.maxRows': 5 });
});

test('as much as a file may hold is taken, and a character more isn’t', async () => {
  const policy = textOf(connections({ name: 'Shop', 'ai-policy': 'never' })).padEnd(262_144);
  expect(lines(await compare(policy))).toEqual(['Shop ai-policy always > never']);
  expect(await refusal(compare(`${policy} `))).toMatchObject({ code: 'invalid_field', data: { field: 'policy' } });
});

test('what is wrong anywhere refuses the whole file, by its place and without its text', async () => {
  const before = all();
  const narrows = { name: 'Shop', 'ai-policy': 'never' };
  const secret = 'hunter2-of-anna';
  const wrong: (readonly [field: string, policy: unknown])[] = [
    ['connections.1.name', connections(narrows, { name: 'Nobody' })],
    ['connections.1.name', connections(narrows, { name: 'nobody-*' })],
    ['connections.1.name', connections(narrows, { name: `a:${secret}@b` })],
    ['connections.1.password', connections(narrows, { name: 'Shop-live', password: secret })],
    ['connections.1.url', connections(narrows, { name: 'shop-live', url: `postgres://a:${secret}@b/c` })],
    ['connections.1', connections(narrows, { name: 'Shop-live', [`password:${secret}`]: null })],
    ['connections.1', connections(narrows, { name: 'Shop-live', [`mysql -p${secret}`]: null })],
    ['connections.1', connections(narrows, { name: 'Shop-live', [`${'k'.repeat(40)}${secret}`]: null })],
    ['settings', { ...connections(narrows), settings: { [`=${secret}`]: 1 } }],
    ['', { [`password:${secret}`]: null }],
    ['connections.1.level', connections(narrows, { name: 'shop-live', level: 'blocked' })],
    ['connections.1.hide.0', connections(narrows, { name: 'shop-live', hide: ['"audit"'] })],
    ['connections.1.hide', connections(narrows, { name: 'shop-live', hide: 'audit.*' })],
    ['connections.1.external-clients', connections(narrows, { name: 'shop-live', 'external-clients': 'readOnly' })],
    ['connections.1.name', connections(narrows, { 'ai-policy': 'never' })],
    ['settings.port', { ...connections(narrows), settings: { port: 1 } }],
    ['settings.approval.hook', { ...connections(narrows), settings: { 'approval.hook': secret } }],
    ['settings.history.days', { ...connections(narrows), settings: { 'history.days': 0 } }],
    [
      'settings.results.defaultRows',
      { ...connections(narrows), settings: { 'results.maxRows': 10, 'results.defaultRows': 20 } },
    ],
    ['connections.0.__proto__', '{"connections":[{"name":"Shop","__proto__":{"ai-policy":"never"}}]}'],
    ['__proto__', '{"__proto__":{"connections":[{"name":"Shop","ai-policy":"never"}]}}'],
    ['constructor', '{"constructor":1}'],
    ['tokens', { tokens: [] }],
    ['', 'null'],
    ['', '[]'],
    ['', '{"connections":'],
  ];
  for (const [field, policy] of wrong)
    for (const asking of [() => compare(policy), () => apply(policy, false), () => apply(policy, true)]) {
      const refused = await refusal(asking());
      expect([policy, refused.code, (refused.data as { field?: string }).field]).toEqual([
        policy,
        'invalid_field',
        field,
      ]);
      expect(refused.message).not.toContain(secret);
    }
  expect(all()).toBe(before);
  expect(({} as Record<string, unknown>)['ai-policy']).toBe(undefined);
  expect(JSON.stringify(daemon.recorded)).not.toContain(secret);
}, 30_000);

describe('between question and yes', () => {
  const write = connections({ name: 'Shop', 'external-clients': 'read-write' });

  test('what was narrowed meanwhile stays so', async () => {
    await refusal(apply(write, true));
    await shell.ask('connections.save', { connection: 'Shop', externalClients: { level: 'blocked' } });
    const late = await refusal(apply(write, true, passphrase));
    expect(late.message).toContain(english(shownElse));
    expect(saved('Shop').externalClients.level).toBe('blocked');
  });

  test('what was shown is what applies, once', async () => {
    await refusal(apply(write, true));
    expect(lines(await apply(write, true, passphrase))).toEqual([]);
    expect(saved('Shop').externalClients.level).toBe('readWrite');
    expect(daemon.ports.policyFile.applied()).toMatchObject(file);
    expect(daemon.ports.grants.of('connection', saved('Shop').id)).toMatchObject({ confirmedBy: 'passphrase' });
    await shell.ask('connections.save', { connection: 'Shop', externalClients: { level: 'blocked' } });
    expect((await refusal(apply(write, true))).code).toBe('needs_confirmation');
  });
});

describe('while it is applied', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const left = '`sallyport policy apply FILE --check` tells what is left.';
  const both = connections({ name: '*', 'row-limit': 5 }, { name: 'shop-live', 'external-clients': 'read-only' });

  /** @param before called before each save of a connection. */
  const saving = (before: (connection: Connection) => Promise<void>): void => {
    const { save } = daemon.connectionStore;
    daemon.connectionStore.save = async connection => {
      await before(connection);
      await save(connection);
    };
  };

  test('a second connection that a brake takes meanwhile stays so, and the first one’s change is told', async () => {
    await refusal(apply(both, true));
    saving(async ({ name }) => {
      if (name !== 'Shop') return;
      const id = saved('shop-live').id;
      // As a store that is slow lets it: the turn of what is saved is taken already.
      queueMicrotask(() => void daemon.ports.connections.edit(id, now => ({ ...now, aiPolicy: 'never' })));
    });
    const { message } = await refusal(apply(both, true, passphrase));
    expect(message).toContain('The connection "shop-live" has changed meanwhile, so nothing was saved');
    expect(message).toContain(`1 change before it has applied; ${left}`);
    expect(saved('Shop').rowLimit).toBe(5);
    expect(saved('shop-live')).toMatchObject({ aiPolicy: 'never', externalClients: { level: 'blocked' } });
  });

  test('a disk that fills up after the first connection is told with what has applied', async () => {
    saving(async ({ name }) => {
      if (name === 'shop-live') throw full;
    });
    const { code, message } = await refusal(apply(both, true, passphrase));
    expect(code).toBe('storage_failed');
    expect(message).not.toContain('Nothing was changed');
    expect(message).toContain(`1 change before it has applied; ${left}`);
    expect(saved('Shop').rowLimit).toBe(5);
    expect(saved('shop-live').rowLimit).toBeNull();
    expect(daemon.ports.policyFile.applied()).toBeNull();
  });

  test('a fault that nobody foresaw is told so too, and reported', async () => {
    saving(async ({ name }) => {
      if (name === 'shop-live') throw new Error('of nobody');
    });
    const { message } = await refusal(apply(both, true, passphrase));
    expect(message).toContain(`1 change before it has applied; ${left}`);
    expect(message).not.toContain('of nobody');
    expect(daemon.reported.map(String)).toEqual([expect.stringContaining('of nobody')]);
  });

  test('a first one that fails has changed nothing, and says so', async () => {
    saving(() => Promise.reject(full));
    expect((await refusal(apply(both, true, passphrase))).message).toMatch(/Nothing was changed\.$/);
    expect(saved('Shop').rowLimit).toBeNull();
  });

  test('a brake that lands while it waits for its turn isn’t lifted by the yes before it', async () => {
    const [widens, slower] = [
      connections({ name: 'Shop', 'external-clients': 'read-write' }),
      { settings: { 'limits.requestsPerMinute': 300 } },
    ];
    for (const [policy, brake] of [
      [widens, () => shell.ask('connections.save', { connection: 'Shop', externalClients: { level: 'blocked' } })],
      [slower, () => shell.ask('settings.set', { key: 'limits.requestsPerMinute', value: 10 })],
    ] as const) {
      let open = (): void => {};
      const held = new Promise<void>(resolve => {
        open = resolve;
      });
      const context = { ...daemon.ports, ports: daemon.ports, at: daemon.ports.now(), confirmedBy: 'passphrase' };
      const turn = { requestId: 'r1', changes: (work: () => unknown) => held.then(work) };
      const who = { origin: async () => null, shell: () => 'terminal', isApp: () => false };
      const asked = { policy: textOf(policy), file, widens: true };
      const late = policyApply.run(asked, { ...context, ...turn, ...who } as unknown as CommandContext);
      await brake();
      open();
      expect(await late).toMatchObject({ kind: 'refused', error: { data: { code: 'changed_since' } } });
    }
    expect(saved('Shop').externalClients.level).toBe('blocked');
    expect(daemon.ports.settings.current()['limits.requestsPerMinute']).toBe(10);
  });
});

test('while the passphrase is off, each widening is marked as given by nobody', async () => {
  shell.close();
  await daemon.end();
  await begin('off');
  await apply(connections({ name: 'shop*', 'external-clients': 'read-write' }), true);
  const marked = daemon.ports.grants.unconfirmed();
  expect(marked.map(({ kind, id }) => [kind, id]).toSorted()).toEqual(
    [saved('Shop'), saved('shop-live')].map(({ id }) => ['connection', id]).toSorted(),
  );
  const rows = daemon.recorded.filter(({ action }) => action === 'connection.change');
  expect(rows.map(({ connection }) => connection?.name)).toEqual(['Shop', 'shop-live']);
  for (const row of rows) expect(row.client).toMatch(/, without confirmation$/);
});

test('what applies is in the log row by row, and what holds is written so that nothing changes', async () => {
  await apply(connections({ name: '*', 'ai-policy': 'ask', 'row-limit': 10 }), false);
  const rows = daemon.recorded.filter(({ reason }) => reason?.startsWith('by a policy file'));
  expect(rows.map(({ connection, standing }) => [connection?.name, standing != null])).toEqual([
    ['Shop', true],
    ['shop-live', true],
  ]);
  const { policy } = await shell.ask('policy.show', {});
  expect(lines(await compare(policy))).toEqual([]);
  expect(policy).not.toContain('db.example');
  // Its default is above it until the maximum is raised again.
  await shell.ask('settings.set', { key: 'results.maxRows', value: 10 });
  expect(daemon.ports.settings.current()['results.defaultRows']).toBeGreaterThan(10);
  const narrowed = await shell.ask('policy.show', {});
  expect(lines(await apply(narrowed.policy, false))).toEqual([]);
});

test('writing that ends by itself is left to its end, unless the file takes it', async () => {
  const forAnHour = { connection: 'Shop', externalClients: { level: 'readWrite', forSeconds: 3_600 } } as const;
  await refusal(shell.ask('connections.save', forAnHour));
  await shell.ask('connections.save', forAnHour, passphrase);
  const { policy, unsaid } = await shell.ask('policy.show', {});
  expect(unsaid).toEqual([{ name: 'Shop', why: 'write_ends' }]);
  expect(lines(await compare(policy))).toEqual([]);
  expect(lines(await compare(connections({ name: 'Shop', 'external-clients': 'read-write' })))).toEqual([
    'Shop external-clients null > read-write waits',
  ]);
  await apply(connections({ name: 'Shop', 'external-clients': 'read-only' }), false);
  expect(saved('Shop').externalClients).toEqual({ level: 'readOnly', writeUntil: null });
});
