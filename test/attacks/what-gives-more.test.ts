/**
 * What gives AI clients more access (spec §11, SECURITY.md), row by row: each needs confirmation,
 * names its whole effect, and changes nothing without it. An agent with a terminal and the shell
 * secret but no passphrase asks each of them.
 */

import { afterEach, describe, expect, test } from '@jest/globals';
import { commands } from '../../daemon/shells/commands.ts';
import { errorCodes } from '../../shared/codes.ts';
import type { ConfirmationWanted } from '../../shared/control.ts';
import type { ConfirmationFact } from '../../shared/control-commands.ts';
import { shellOf } from '../shells/asking.ts';
import { startDaemonInProcess } from '../shells/daemon-in-process.ts';
import { type AskedIncrease, askedIn, increasesOf } from '../shells/desk-pushes.ts';
import { until } from '../waiting/until.ts';
import { file, free, whereAllIsKept, whereClientsRead } from './what-gives-more/asks.ts';
import { connectionRows } from './what-gives-more/connections.ts';
import type { AskRow, RuleRow } from './what-gives-more/row.ts';
import { placeRows } from './what-gives-more/same-place.ts';
import { settingRows, settingsThatGive, settingsTried } from './what-gives-more/settings.ts';
import { allKept, paramsOf, passphrase, readable, refusalOf, standing, type World } from './what-gives-more/worlds.ts';

const named = <Row extends { readonly what: string }>(rows: readonly Row[]) =>
  rows.map(row => [row.what, row] as const);
const shown = (facts: readonly ConfirmationFact[]): string[] =>
  facts.map(({ label, value, former }) => `${label}: ${value}${former === null ? '' : ` (was ${former})`}`);

let world: World;
afterEach(async () => {
  world?.agent.close();
  await world?.daemon.end();
});

describe('by the rules alone', () => {
  test.each(named<RuleRow>([...connectionRows, ...settingRows]))('%s', (_, { judged, gives, facts }) => {
    if (gives === null) expect(judged).toBeNull();
    else expect(judged?.phrase).toEqual(gives === true ? expect.any(String) : gives);
    for (const fact of facts) expect(judged?.facts).toContainEqual(expect.objectContaining(fact));
    const labels = judged?.facts.map(({ label }) => label) ?? [];
    expect(new Set(labels).size).toBe(labels.length);
  });
});

/** Asks without a confirmation, and with a guess. */
async function isKeptFrom(row: AskRow): Promise<void> {
  const { agent } = world;
  await agent.ask('passphrase.set', { passphrase });
  const params = paramsOf(row, world);
  const before = await standing(world);
  const refusal = await refusalOf(agent.ask(row.method, params));
  if (row.isRefused === true) {
    expect(refusal).toMatchObject({ code: errorCodes.forbidden, data: { code: expect.any(String) } });
    expect(refusal.data).not.toHaveProperty('confirm');
    expect(await standing(world)).toEqual(before);
    return;
  }
  expect(refusal).toMatchObject({ code: errorCodes.forbidden, data: { confirm: 'passphrase' } });
  expect(refusal.message).toMatch(/^This .*\. It needs the owner passphrase, which a person types /);
  const { sentence, facts = [] } = refusal.data as unknown as ConfirmationWanted;
  expect(sentence).toEqual(row.says ?? expect.any(String));
  expect(shown(facts)).toEqual(expect.arrayContaining([...row.facts]));
  expect((await refusalOf(agent.ask(row.method, params, 'a guess of mine'))).message).toMatch(
    /^That is not the owner passphrase\. This /,
  );
  expect(await standing(world)).toEqual(before);
}

describe('if the person kept everything from clients', () => {
  test.each(named(whereAllIsKept))('%s', async (_, row) => {
    world = await allKept(file);
    await isKeptFrom(row);
  });
});

describe('by anybody, if the person kept everything from clients', () => {
  test.each(named(free))('%s', async (_, row) => {
    world = await allKept(file);
    await world.agent.ask('passphrase.set', { passphrase });
    const said: unknown = await world.agent.ask(row.method, paramsOf(row, world)).catch(error => error);
    // Some are refused for what they name, none for a missing confirmation.
    expect(said).not.toMatchObject({ data: { confirm: expect.any(String) } });
    if (!row.isRefused) expect(said).not.toBeInstanceOf(Error);
  });
});

describe('if clients read, and the passphrase confirms', () => {
  test.each(named(whereClientsRead.filter(({ confirmedBy }) => confirmedBy !== 'app')))('%s', async (_, row) => {
    world = await readable(file, 'passphrase');
    await isKeptFrom(row);
  });
});

describe('if clients read, and Sallyport.app confirms', () => {
  test.each(named(whereClientsRead.filter(({ confirmedBy }) => confirmedBy !== 'passphrase')))('%s', async (_, row) => {
    world = await readable(file, 'app');
    const app = await shellOf(world.daemon, 'app');
    const views: AskedIncrease[] = [];
    app.onNotification(told => {
      views.push(...increasesOf(askedIn(told)));
    });
    const before = await standing(world);
    const asking = world.agent.ask(row.method, paramsOf(row, world), undefined, 'app').catch(String);
    await until(async () => views.length === 1 || (await Promise.race([asking, null])) !== null, 'it is asked');
    const [view] = views;
    expect(view?.sentence).toBe(row.says);
    expect(shown(view?.facts ?? [])).toEqual(expect.arrayContaining([...row.facts]));
    expect(JSON.stringify(view)).not.toMatch(/geheim|the agent is the owner/);
    await app.ask('desk.decide', { ids: [view?.id ?? ''], answer: 'no' });
    expect(await asking).toMatch(/^Refused: /);
    expect(await standing(world)).toEqual(before);
    app.close();
  });
});

describe('a database kept from clients, by another way', () => {
  test.each(named(placeRows))('%s', async (_, { before, after, asks, gives }) => {
    const daemon = await startDaemonInProcess();
    const agent = await shellOf(daemon);
    world = { daemon, agent, token: '' };
    const take = async (steps: typeof before): Promise<void> => {
      for (const step of steps) {
        if (typeof step === 'number') daemon.now += step;
        else await agent.ask(step[0], step[1] as never);
      }
    };
    await take(before);
    await agent.ask('passphrase.set', { passphrase });
    await take(after);
    const [method, params] = asks();
    const stood = await standing(world);
    if (gives !== null) {
      const refusal = await refusalOf(agent.ask(method, params as never));
      expect(refusal.data).toMatchObject({ confirm: 'passphrase', sentence: expect.stringContaining(gives) });
      expect(await standing(world)).toEqual(stood);
    }
    await agent.ask(method, params as never, gives === null ? undefined : passphrase);
  });
});

test('each command that gives more has a row, and no other has one', () => {
  const tried = new Set([...whereAllIsKept, ...whereClientsRead].map(({ method }) => method));
  expect(
    commands
      .filter(({ privilegeIncrease }) => privilegeIncrease !== 'never')
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...tried].sort());
});

test('so does each setting, by its rule and asked of a daemon', () => {
  expect(settingsTried).toEqual(settingsThatGive);
  const asked = whereAllIsKept.flatMap(({ method, params }) =>
    method === 'settings.set' && 'key' in params ? [params.key] : [],
  );
  expect([...new Set(asked)].sort()).toEqual(settingsThatGive);
});
