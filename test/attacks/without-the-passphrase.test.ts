/**
 * An agent with a terminal and the shell secret but no passphrase (spec §11) guesses, hides more
 * access behind less, and answers for its person. what-gives-more.test.ts has what gives more, row
 * by row.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ControlClient, Refused } from '../../shell-terminal/control-client.ts';
import { principalWith } from '../access/principals.ts';
import { askForAccess, shownTakes } from '../shells/asked-request.ts';
import { shellOf } from '../shells/asking.ts';
import type { DaemonInProcess } from '../shells/daemon-in-process.ts';
import { nothingElse } from '../shells/desk-pushes.ts';
import { file } from './what-gives-more/asks.ts';
import { allKept, passphrase, refusalOf, standing, type World } from './what-gives-more/worlds.ts';

let daemon: DaemonInProcess;
let agent: ControlClient;
let world: World;

beforeEach(async () => {
  world = await allKept(file);
  ({ daemon, agent } = world);
  await agent.ask('passphrase.set', { passphrase });
});
afterEach(async () => {
  agent.close();
  await daemon.end();
});

describe('without the passphrase', () => {
  test('a passphrase that isn’t text, or is among the parameters, doesn’t count', async () => {
    const before = await standing(world);
    for (const typed of [null, true, {}, [passphrase], 1, 'x'.repeat(100_000)]) {
      expect((await refusalOf(agent.ask('resume', {}, typed as never))).data).toMatchObject({ confirm: 'passphrase' });
    }
    await refusalOf(agent.ask('resume', { passphrase } as never));
    expect(await standing(world)).toEqual(before);
  });

  test('guessing ends after three tries, on any number of connections, and then the right one waits too', async () => {
    const others = await Promise.all([shellOf(daemon), shellOf(daemon), shellOf(daemon), shellOf(daemon)]);
    const guesses = [...others, agent].flatMap((shell, index) =>
      ['a', 'b'].map(typed => refusalOf(shell.ask('resume', {}, `${typed}${index}`))),
    );
    const refusals = await Promise.all(guesses);
    expect(refusals.filter(({ message }) => message.startsWith('That is not'))).toHaveLength(3);
    expect(refusals.filter(({ message }) => message.startsWith('Too many wrong'))).toHaveLength(7);
    expect((await refusalOf(agent.ask('resume', {}, passphrase))).message).toMatch(/^Too many wrong .* in 60 s/);
    daemon.now += 60_000;
    expect(await agent.ask('resume', {}, passphrase)).toEqual({ paused: false });
    for (const shell of others) shell.close();
  });

  test('a privilege increase hidden behind a narrowing in the same request is noticed', async () => {
    await agent.ask('connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }, passphrase);
    const narrowed = agent.ask('connections.save', { connection: 'Shop', externalClients: { level: 'blocked' } });
    const former = { connection: 'Shop', externalClients: { level: 'readWrite' as const } };
    // No increase when it was judged, and one when it would be saved.
    const again = refusalOf(agent.ask('connections.save', former));
    await narrowed;
    expect((await again).message).toContain('has changed meanwhile, so nothing was saved');
    expect(daemon.ports.connections.find('Shop')?.externalClients.level).toBe('blocked');
    expect((await refusalOf(agent.ask('connections.save', former))).data).toMatchObject({ confirm: 'passphrase' });
    const mixed = { connection: 'Shop', aiPolicy: 'never' as const, externalClients: { level: 'readOnly' as const } };
    expect((await refusalOf(agent.ask('connections.save', mixed))).message).toContain('lets clients read "Shop"');
  });

  test('the agent can’t answer a question to the user', async () => {
    await agent.ask('desk.attach', { answers: true });
    const gone = new AbortController();
    const [connection] = (await agent.ask('connections.list', {})).connections;
    const content = {
      kind: 'first_use' as const,
      client: 'Agent',
      means: 'Once.',
      connection: { id: connection?.id ?? '', name: 'Shop', tags: [], colour: null },
      statement: null,
    };
    const asked = daemon.approvals.ask(principalWith(), content, gone.signal);
    const [question] = daemon.approvals.pending();
    const id = question?.id ?? '';
    expect((await refusalOf(agent.ask('desk.decide', { ids: [id], answer: 'yes' }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    expect(daemon.approvals.pending()).toHaveLength(1);
    expect(await agent.ask('desk.decide', { ids: [id], answer: 'no' })).toEqual({
      ids: [id],
      answer: 'no',
      ...nothingElse,
    });
    gone.abort();
    await asked;
  });

  test('a pairing link doesn’t start a server that is switched off, nor does its unconfirmed approval', async () => {
    const status = daemon.ports.status();
    Object.assign(daemon.ports, { status: () => ({ ...status, state: 'off' }) });
    daemon.serve = () => 'started all the same';
    const link = `sallyport://integrations/pair?client=Ed&challenge=${'a'.repeat(43)}&scopes=readOnly&redirect=http://127.0.0.1:8123/`;
    const { id } = await agent.ask('pairing.begin', { link, handler: null });
    const grant = { scope: 'readOnly', connections: 'all', expires: 1 } as const;
    const refusal = await refusalOf(agent.ask('desk.decide', { ids: [id], answer: 'yes', grant }));
    expect(refusal).toMatchObject({ data: { confirm: 'passphrase' } });
    expect(refusal.message).toContain('and starts the server, which is switched off');
  });

  test('anybody may reduce a token; only the passphrase restores what it had', async () => {
    const { connections } = await agent.ask('connections.list', {});
    const idOf = (wanted: string) => connections.find(({ name }) => name === wanted)?.id ?? '';
    const wanted = {
      name: 'x',
      scope: 'readWrite',
      connections: ['Shop'],
      expires: 30,
      confirmInClient: false,
    } as const;
    const { id, token } = await agent.ask('tokens.mint', wanted, passphrase);
    daemon.now += 60_000;
    // An expiry counts from now: the same number of days ends a minute later.
    expect((await refusalOf(agent.ask('tokens.edit', { id, expires: 30 }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    const less = { id, scope: 'readOnly', connections: [idOf('Shop')], expires: 7 } as const;
    expect(await agent.ask('tokens.edit', less)).toMatchObject({ scope: 'readOnly', connections: [{ name: 'Shop' }] });
    expect(daemon.ports.tokens.verify(token)).toMatchObject({ kind: 'valid', record: { scope: 'readOnly' } });
    expect((await refusalOf(agent.ask('tokens.edit', { id, scope: 'readWrite' }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    expect(await agent.ask('tokens.edit', { id, connections: [] })).toMatchObject({ connections: [] });
    expect((await refusalOf(agent.ask('tokens.edit', { id, connections: ['Shop'] }))).data).toMatchObject({
      confirm: 'passphrase',
    });
    daemon.now += 8 * 86_400_000;
    expect((await refusalOf(agent.ask('tokens.edit', { id, expires: 1 }, passphrase))).message).toMatch(/has ended/);
    await agent.ask('tokens.revoke', { id });
    expect((await refusalOf(agent.ask('tokens.edit', { id, expires: 1 }, passphrase))).message).toMatch(/has ended/);
    expect(daemon.ports.tokens.verify(token)).toMatchObject({ kind: 'revoked' });
  });
});

describe('an access request', () => {
  const shows = (lines: readonly string[]) => ({ ...shownTakes, words: { lines, note: null } });
  const ids = ['rqst2345'];

  test.each(['yes', 'run'] as const)(
    'is answered %s only after it was opened, since nobody saw what it takes',
    async answer => {
      await askForAccess(daemon.accessRequests, { text: 'DELETE FROM t' });
      const both = { ids: [...ids, 'rqst2346'], answer };
      for (const typed of [undefined, passphrase]) {
        const refusal = await refusalOf(agent.ask('desk.decide', both, typed));
        expect(refusal.message).toContain('was not opened');
        expect(refusal.data).toEqual({ code: 'not_opened' });
      }
      expect(daemon.accessRequests.waiting()).toHaveLength(2);
      const { asks } = await agent.ask('desk.open', { ids: both.ids });
      expect(asks.map(({ statement }) => statement?.takes)).toEqual([shownTakes.words, shownTakes.words]);
      await agent.ask('desk.decide', both, passphrase);
      expect(daemon.accessRequests.waiting()).toEqual([]);
    },
  );

  test('can be refused without being opened, and can’t be opened once it no longer waits', async () => {
    await askForAccess(daemon.accessRequests, { text: 'DELETE FROM t' });
    await agent.ask('desk.decide', { ids: ['rqst2346'], answer: 'no' });
    expect((await refusalOf(agent.ask('desk.open', { ids: ['rqst2346'] }))).message).toContain('no longer waits');
  });

  test('whose figures change during the typing is shown again, with new figures', async () => {
    const run = { ids, answer: 'run' } as const;
    const factsOf = ({ data }: Refused) => JSON.stringify(data);
    daemon.accessRequests.open('rqst2345', shows(['changes 1 row of t']));
    expect(factsOf(await refusalOf(agent.ask('desk.decide', run)))).toContain('changes 1 row of t');
    daemon.accessRequests.open('rqst2345', shows(['changes 900 rows of t']));
    expect(factsOf(await refusalOf(agent.ask('desk.decide', run, passphrase)))).toContain('changes 900 rows of t');
    expect(await agent.ask('desk.decide', run, passphrase)).toMatchObject({
      ran: [{ id: 'rqst2345', failed: null }],
    });
  });

  test('isn’t opened again between the passphrase and the run', async () => {
    const run = { ids, answer: 'run' } as const;
    await refusalOf(agent.ask('desk.decide', run));
    const before = daemon.accessRequests.find('rqst2345')?.facts.shown;
    let ran: unknown = null;
    daemon.ran = ({ shown }) => {
      ran = shown;
      return {};
    };
    const [, opening] = await Promise.allSettled([
      agent.ask('desk.decide', run, passphrase),
      agent.ask('desk.open', { ids }),
    ]);
    expect(ran).toBe(before);
    expect(opening.status).toBe('rejected');
  });
});

describe('with the passphrase', () => {
  test('the owner may do all of it', async () => {
    await agent.ask('connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }, passphrase);
    await agent.ask('settings.set', { key: 'enabled', value: true }, passphrase);
    await agent.ask('passphrase.set', { passphrase: 'another one of mine' }, passphrase);
    expect((await refusalOf(agent.ask('resume', {}, passphrase))).message).toMatch(/^That is not/);
    expect(await agent.ask('resume', {}, 'another one of mine')).toEqual({ paused: false });
    expect(await agent.ask('passphrase.off', {}, 'another one of mine')).toMatchObject({ state: 'off' });
    expect((await agent.ask('status', {})).passphrase.state).toBe('off');
    expect(await agent.ask('resume', {})).toEqual({ paused: false });
  });
});
