/**
 * A refused request of an agent waits for the person. The agent can't answer for them, whatever it
 * types, sends or calls itself.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refused } from '../../../shell-terminal/control-client.ts';
import { stillWaits } from '../../clients/mcp/said.ts';
import { bridgeClient } from '../../journeys/approvals/bridge-client.ts';
import { missingForTyping } from '../../journeys/terminal/typed-on-a-terminal.ts';
import { needs } from '../../needs.ts';
import { until } from '../../waiting/until.ts';
import { type Agent, agentWithShell, passphrase, prompt } from './agent.ts';

const which = 'Enter skips: ';
const number = 'or Enter to leave it waiting: ';
const change = "update customers set name = 'mine' where id = 1";
const drop = 'drop table customers';

needs(missingForTyping()).describe('an access request', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await agentWithShell();
    const client = await bridgeClient(agent.home, 'agent');
    for (const statement of [change, drop]) expect(await client.query('Shop', statement)).toContain('denied: ');
    await client.close();
  }, 120_000);
  afterAll(() => agent.clean());

  async function inVain(attempt: () => Promise<unknown>, rows: number): Promise<void> {
    const [before, denied] = [await agent.standing(), await agent.denied()];
    await attempt();
    expect(await agent.standing()).toEqual(before);
    await until(async () => (await agent.denied()) >= denied + rows, 'it is on record');
  }

  test(
    'can’t be answered by a command without a terminal',
    () =>
      inVain(async () => {
        expect((await agent.run('allow')).stdout).toContain(drop);
        expect((await agent.run('query', 'Shop', drop)).code).toBe(1);
      }, 1),
    60_000,
  );

  test(
    'can’t be answered on a pseudo-terminal without the passphrase',
    () =>
      inVain(async () => {
        for (const answer of ['1', '2']) {
          expect((await agent.type(['allow'], [which, '2'], [number, answer], [prompt, '\u0003'])).code).not.toBe(0);
        }
        expect((await agent.type(['query', 'Shop', drop], [prompt, '\u0003'])).code).not.toBe(0);
      }, 3),
    60_000,
  );

  test(
    'can’t be answered by a shell of the agent’s own on the control socket',
    () =>
      inVain(async () => {
        for (const kind of ['terminal', 'app']) {
          const shell = await agent.forge(kind);
          const { asks } = await shell.ask('desk.list', {});
          const ids = asks.map(({ id }) => id);
          expect(ids.length).toBeGreaterThanOrEqual(2);
          // Anybody may have the effect counted: the trial is rolled back, and the log says who
          // asked.
          await shell.ask('desk.open', { ids });
          for (const confirm of [undefined, 'app'] as const) {
            await expect(shell.ask('desk.decide', { ids, answer: 'run' }, undefined, confirm)).rejects.toThrow(Refused);
            const once = { ids: ids.slice(0, 1), answer: 'yes', times: 100 } as const;
            await expect(shell.ask('desk.decide', once, undefined, confirm)).rejects.toThrow(Refused);
          }
          shell.close();
        }
        const rows = await agent.home.json<{ action: string; client: string }[]>(['activity', '--since', '1d']);
        const opened = rows.filter(
          ({ action, client }) => action === 'request.open' && !client.startsWith('sallyport '),
        );
        expect(opened).toHaveLength(2);
      }, 8),
    60_000,
  );

  test('is all that its person allows: keys typed after the passphrase allow no other, and no other statement runs', async () => {
    const typed = await agent.type(
      ['allow'],
      [which, '2'],
      [number, '1'],
      [prompt, `${passphrase}\rall\r1\r${passphrase}`],
    );
    expect(typed.shown).toContain('Allowed.');
    const client = await bridgeClient(agent.home, 'agent');
    const other = await bridgeClient(agent.home, 'another');
    expect(await client.query('Shop', `${change} `)).toContain('denied: ');
    expect(await client.query('Shop', "update customers set name = 'other' where id = 1")).toContain('denied: ');
    expect(await client.query('Shop', drop)).toMatch(stillWaits);
    expect(await other.query('Shop', change)).toContain('denied: ');
    const standing = await agent.standing();
    expect(standing.rows).toEqual([[{ id: 1, name: 'Ada' }], [{ id: 1, name: 'Ada' }]]);
    expect(await client.query('Shop', change)).toContain('"rows_affected":1');
    expect(await client.query('Shop', change)).toContain('denied: ');
    await client.close();
    await other.close();
  }, 60_000);
});
