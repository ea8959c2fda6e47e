/**
 * Two clients and the owner on one connection of a real daemon: what each is told while one of the
 * clients takes all it may.
 */

import { beforeAll, expect, test } from '@jest/globals';
import {
  connectionNames,
  describeWithThreeEngines,
  type EngineName,
  engineNames,
} from '../journeys/databases/three-engines.ts';
import { until } from '../waiting/until.ts';
import { halt, sqliteChildren } from './sqlite/busy-children.ts';

/**
 * Only their time limit ends them: if a statement ends at that very moment, MariaDB 10.11 may hang
 * for seconds.
 */
const slow: Readonly<Record<EngineName, string>> = {
  postgres: 'select pg_sleep(60)',
  mysql: 'select sleep(60)',
  sqlite: 'with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c',
};
const shared: Readonly<Record<EngineName, number>> = { postgres: 8, mysql: 8, sqlite: 4 };

describeWithThreeEngines('a client that takes all the sessions it may', three => {
  const tokens: string[] = [];
  beforeAll(async () => {
    for (let minted = 0; minted < 3; minted += 1) tokens.push((await three.mint()).token);
  }, 90_000);

  test.each(engineNames)(
    '%s: others are answered, and a vain wait says who has the sessions',
    async engine => {
      const [greedy = '', other = '', third = ''] = tokens;
      const most = shared[engine];
      const ask = (token: string, seconds: number, sql = slow[engine]) =>
        three.query(token, engine, sql, { timeout_seconds: seconds });
      // Long enough for all of them to start beside other suites, and for the questions asked
      // meanwhile.
      const all = Array.from({ length: most }, () => ask(greedy, 12));
      // Look-ups for a statement don't count. In SQLite an idle child counts too: on a busy machine
      // not all compute all the time.
      const begun = async () =>
        engine === 'sqlite'
          ? (await sqliteChildren(three.daemonPid)).length
          : (await three.running(engine)).filter(sql => sql === slow[engine]).length;
      await until(async () => (await begun()) >= most, 'all of its statements have begun');
      const haltAll = async () => {
        if (engine === 'sqlite') for (const { pid } of await sqliteChildren(three.daemonPid)) halt(pid);
      };
      await haltAll();
      expect((await ask(other, 5, 'select 1')).structuredContent?.rows).toEqual([[1]]);
      all.push(ask(other, 11));
      const othersRuns = async () =>
        engine === 'sqlite' ? (await three.running(engine)).length > 0 : (await begun()) > most;
      await until(othersRuns, 'the other’s statement has begun too');
      await haltAll();
      const text = (await ask(third, 0.3, 'select 1')).content?.[0]?.text;
      const sessions = `Nothing ran: all ${most + 1} sessions of "${connectionNames[engine]}" were busy for`;
      expect(text?.replace(/0\.\d+ s/, 'N s')).toBe(
        `busy: ${sessions} N s, none of them with calls of your own. Send it again later, or give it longer with timeout_seconds.`,
      );
      const tested = await three.run(['connections', 'test', connectionNames[engine]]);
      expect(tested.code).toBe(0);
      await Promise.all(all);
      expect((await ask(third, 5, 'select 1')).structuredContent?.rows).toEqual([[1]]);
    },
    60_000,
  );
});
