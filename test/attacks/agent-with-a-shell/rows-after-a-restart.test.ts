/**
 * A token may change a number of rows of a table per hour without asking. An agent with a shell
 * restarts the daemon, which needs no confirmation. The rows changed before still count, for a
 * client's token and for the bridge's, which is a new one after each start.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { missingForTyping } from '../../journeys/terminal/typed-on-a-terminal.ts';
import { needs } from '../../needs.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { type Agent, agentWithShell, passphrase, prompt } from './agent.ts';

let agent: Agent;

const ends = {
  'a restart': () => agent.run('restart'),
  'a stop and a start': async () => {
    await agent.run('stop');
    return agent.run('start');
  },
  'a kill and a start': async () => {
    await agent.home.end('SIGKILL');
    return agent.run('start');
  },
};

const tokens = { 'a client': () => agent.fullAccess, 'the bridge': bridgeToken };

function bridgeToken(): string {
  return JSON.parse(readFileSync(join(agent.home.home, 'mcp-handshake.json'), 'utf8')).token;
}

const tried = Object.entries(tokens).flatMap(([who, token]) =>
  Object.entries(ends).map(([how, end], index) => ({ who, how, token, end, table: `${who.at(-1)}${index}` })),
);

needs(missingForTyping()).describe('rows that were changed without asking before the daemon ended', () => {
  beforeAll(async () => {
    agent = await agentWithShell();
    const database = new SqliteFile(agent.shopFile);
    for (const { table } of tried) {
      database.exec(`create table ${table} (id integer primary key);
        insert into ${table} with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select i from n`);
    }
    database.close();
    const words = ['connections', 'set', 'Shop', '--external-clients', 'read-write', '--for', '1h'];
    expect((await agent.type(words, [prompt, passphrase])).code).toBe(0);
  }, 120_000);
  afterAll(() => agent.clean());

  test.each(tried)(
    'count after $how for $who',
    async ({ token, end, table }) => {
      const change = (sql: string) => agent.call(token(), 'execute_query', { connection: 'Shop', sql });
      expect(await change(`delete from ${table} where id between 1 and 900`)).toMatchObject({ isError: false });
      expect((await end()).code).toBe(0);
      const again = await change(`delete from ${table} where id between 901 and 1800`);
      expect(again).toMatchObject({ isError: true });
      expect(again.text).toContain('900 rows were changed already');
      expect(await change(`delete from ${table} where id between 901 and 1000`)).toMatchObject({ isError: false });
      expect(rowsIn(table)).toBe(2_000);
    },
    60_000,
  );
});

function rowsIn(table: string): unknown {
  const database = new SqliteFile(agent.shopFile, { readOnly: true });
  try {
    return database.value(`select count(*) from ${table}`);
  } finally {
    database.close();
  }
}
