/**
 * The app tests a draft and then saves it: the test counts for what is saved, if the same shell saves
 * just that. Threat: a test of another place, password or shell makes a server known to a
 * connection that its person hasn't tested (spec §6). A full MySQL sign-in shows the password, so the
 * servers here are ones that read it.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { CommandParams } from '../../../daemon/shells/commands.ts';
import type { ControlClient } from '../../../shell-terminal/control-client.ts';
import { refusedAs } from '../../access/identity-said.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { postgresAt } from '../../shells/asking.ts';
import { forgedShell } from '../agent-with-a-shell/forged-shell.ts';
import { full, type Impostor, ok, ownKey, startImpostor } from './mysql-impostor.ts';

const password = 'the-password-of-the-victim';

let home: RealHome;
let app: ControlClient;
let agent: ControlClient;
let server: Impostor;
let other: Impostor;

const serving = (key: ReturnType<typeof ownKey>) =>
  startImpostor({
    answer: async visit => {
      visit.send(full);
      await visit.read();
      visit.send(key.pem);
      await visit.read();
      visit.send(ok);
    },
  });

beforeAll(async () => {
  home = realHome(0, 'owner');
  await home.run(['start']);
  [app, agent] = await Promise.all([forgedShell(home.home, 'editor'), forgedShell(home.home, 'terminal')]);
}, 60_000);
afterAll(async () => {
  app?.close();
  agent?.close();
  await home?.clean();
});
beforeEach(async () => {
  [server, other] = await Promise.all([serving(ownKey()), serving(ownKey())]);
});
afterEach(async () => {
  for (const { id } of (await agent.ask('connections.list', {})).connections)
    await agent.ask('connections.delete', { connection: id });
  await Promise.all([server.stop(), other.stop()]);
});

type Draft = CommandParams<'connections.try'>;
const draft = (change: Partial<Draft> = {}): Draft => ({
  name: 'Wares',
  endpoint: { ...postgresAt('127.0.0.1', server.port), engine: 'mysql' },
  tls: { mode: 'disable' },
  password: { kind: 'stored', value: password },
  ...change,
});

/** How many keys of servers count for the connection that was just saved. */
async function keysOf(saving: Promise<unknown>): Promise<number> {
  await saving;
  const [saved] = (await agent.ask('connections.list', {})).connections;
  return saved?.knownServers?.flatMap(({ keys }) => keys).length ?? 0;
}

test('what was tested and then saved is tested', async () => {
  await app.ask('connections.try', draft({ name: 'New connection' }));
  expect(await keysOf(app.ask('connections.save', draft({ colour: 'red', tags: ['a'] })))).toBe(1);
  expect((await home.here(['query', 'Wares', 'select 1'])).stderr).not.toMatch(refusedAs('not_tested'));
});

test('nothing else is', async () => {
  const cases: readonly (readonly [string, tested: Draft, tester: ControlClient, between: Draft | null])[] = [
    ['another place', draft({ endpoint: { ...postgresAt('127.0.0.1', other.port), engine: 'mysql' } }), app, null],
    ['another user', draft({ endpoint: { ...draft().endpoint, user: 'root' } as Draft['endpoint'] }), app, null],
    ['another password', draft({ password: { kind: 'stored', value: 'of-the-program' } }), app, null],
    ['another line', draft({ tls: { mode: 'prefer' } }), app, null],
    ['by another shell', draft(), agent, null],
    ['before another draft', draft(), app, draft({ databases: 'own' })],
  ];
  for (const [what, tested, tester, between] of cases) {
    expect(await tester.ask('connections.try', tested)).toMatchObject({ reachable: true });
    if (between !== null) await tester.ask('connections.try', between);
    expect([what, await keysOf(app.ask('connections.save', draft()))]).toEqual([what, 0]);
    const before = server.packets().length;
    expect((await home.here(['query', 'Wares', 'select 1'])).stderr).toMatch(refusedAs('not_tested'));
    expect(server.packets().length).toBeGreaterThan(before);
    const [saved] = (await agent.ask('connections.list', {})).connections;
    await agent.ask('connections.delete', { connection: saved?.id ?? '' });
  }
});

test('nor a draft that failed, nor the second of two connections', async () => {
  await other.stop();
  const gone = draft({ endpoint: { ...postgresAt('127.0.0.1', other.port), engine: 'mysql' } });
  expect(await app.ask('connections.try', gone)).toMatchObject({ reachable: false });
  expect(await keysOf(app.ask('connections.save', gone))).toBe(0);
  await app.ask('connections.try', draft());
  await app.ask('connections.save', draft({ name: 'First' }));
  await app.ask('connections.save', draft({ name: 'Second' }));
  const { connections } = await agent.ask('connections.list', {});
  const known = new Map(connections.map(({ name, knownServers = [] }) => [name, knownServers.length]));
  expect([known.get('First'), known.get('Second')]).toEqual([1, 0]);
});
