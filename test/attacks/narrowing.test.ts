/**
 * Threat: work that the user has just forbidden goes on because it already runs. Each way to narrow
 * access is tried during a write, a read and an export: the database stops it, nothing of it
 * remains, and its client hears why. A change that forbids nothing ends nothing.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listen } from '../clients/http/event-reader.ts';
import { type Answer, legacy, send } from '../clients/http/wire.ts';
import { everyClient } from '../journeys/clients/every-client.ts';
import {
  connectionNames,
  describeWithThreeEngines,
  type EngineName,
  engineNames,
  legacySession,
  type ToolResult,
} from '../journeys/databases/three-engines.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { until } from '../waiting/until.ts';

/** Some seconds each, for a fraction of the table's rows. */
const slowWrite: Readonly<Record<EngineName, string>> = {
  postgres: 'update kept set n = n + 1 where id <= 20 and pg_sleep(0.2) is not null',
  mysql: 'update kept set n = n + 1 where id <= 20 and sleep(0.2) = 0',
  sqlite: `update kept set n = n + (with recursive c(i) as (select 1 union all select i + 1 from c where i < 20000000)
    select count(*) > 0 from c) where id <= 20`,
};
const slowRead: Readonly<Record<EngineName, string>> = {
  postgres: 'select pg_sleep(4)',
  mysql: 'select sleep(4)',
  sqlite: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000000) select count(*) from n`,
};
const endless: Readonly<Record<EngineName, string>> = {
  postgres: "select n, repeat('x', 1000) as text from (select generate_series(1, 100000000) as n) s",
  mysql: "select seq as n, repeat('x', 1000) as text from seq_1_to_100000000",
  sqlite: `with recursive s(n) as (select 1 union all select n + 1 from s where n < 100000000)
    select n, printf('%.*c', 1000, 'x') as text from s`,
};

describeWithThreeEngines(
  'narrowing',
  three => {
    beforeAll(async () => {
      await three.postgres.psql(
        'create table kept (id int primary key, n int); insert into kept select i, 0 from generate_series(1, 200) i',
        'shop',
      );
      await three.mariadb.client(
        'create table kept (id int primary key, n int); insert into kept select seq, 0 from seq_1_to_200',
        { database: 'shop' },
      );
      three.executeOnFile(`create table kept (id integer primary key, n integer);
        with recursive s(i) as (select 1 union all select i + 1 from s where i < 200) insert into kept select i, 0 from s`);
      await three.here(['settings', 'set', 'limits.requestsPerMinute', '0']);
    }, 60_000);

    const changed = async (engine: EngineName): Promise<number> => {
      const sql = 'select coalesce(sum(n), 0) from kept';
      if (engine === 'postgres') return Number(await three.postgres.psql(sql, 'shop'));
      if (engine === 'mysql') return Number(await three.mariadb.ask(sql.replace('kept', 'shop.kept')));
      const file = new SqliteFile(three.sqliteFile);
      try {
        return Number(file.value(sql));
      } finally {
        file.close();
      }
    };
    const set = (engine: EngineName, ...words: string[]) =>
      here('connections', 'set', connectionNames[engine], ...words);
    const here = async (...words: string[]) => {
      const ran = await three.here(words);
      if (ran.code !== 0) throw new Error(ran.stderr);
    };
    const open = (engine: EngineName) =>
      set(engine, '--external-clients', 'read-write', '--ai-policy', 'always', '--write-row-limit', '1000');
    const said = ({ json, text }: Answer): string =>
      (json.result as ToolResult | undefined)?.content?.[0]?.text ?? `no result: ${text}`;

    type Narrow = (engine: EngineName, tokenId: string) => Promise<void>;
    const takenAway =
      /^denied: The user took "\w+" away from this client while the call ran, so the call was stopped\./;
    const readOnly = /^denied: The user made "\w+" read only while the call ran, so the call was stopped\./;
    const tokenReadOnly = /^denied: The user made this client's token read only while the call ran/;
    const hiding: readonly [string, Narrow, RegExp][] = [
      ['blocked', engine => set(engine, '--external-clients', 'blocked'), takenAway],
      ['never for AI', engine => set(engine, '--ai-policy', 'never'), takenAway],
      ['off the allowlist', (_, id) => here('tokens', 'edit', id, '--connections', 'Other'), takenAway],
      [
        'asked first',
        engine => set(engine, '--ai-policy', 'ask'),
        /^denied: The user wants to be asked before "\w+" is used/,
      ],
    ];
    const forbiddingWrites: readonly [string, Narrow, RegExp][] = [
      ...hiding,
      ['read only', engine => set(engine, '--external-clients', 'read-only'), readOnly],
      ['the token read only', (_, id) => here('tokens', 'edit', id, '--scope', 'read-only'), tokenReadOnly],
      ['fewer rows', engine => set(engine, '--write-row-limit', '5'), /^denied: Nothing was changed: .* 5\b/],
    ];

    beforeAll(() => here('connections', 'add', `sqlite:${three.sqliteFile}`, '--name', 'Other'));

    const running = (engine: EngineName) =>
      until(async () => {
        const all = await three.running(engine);
        return engine === 'sqlite' ? all.length > 0 : all.some(sql => sql.includes('sleep'));
      }, `the statement runs on ${engine}`);

    describe.each(engineNames)('%s', engine => {
      test.each(forbiddingWrites)(
        'a running write, and the connection is %s: not committed',
        async (_, narrow, words) => {
          await open(engine);
          const before = await changed(engine);
          const minted = await three.mint('--scope', 'full-access');
          const answering = three.call(minted.token, 'execute_query', {
            connection: connectionNames[engine],
            sql: slowWrite[engine],
          });
          await running(engine);
          await narrow(engine, minted.id);
          const answer = await answering;
          expect(answer.status).toBe(200);
          expect(said(answer)).toMatch(words);
          expect(said(answer)).toContain('Nothing was changed');
          await until(async () => (await three.running(engine)).length === 0, 'nothing runs any more', 10);
          expect(await changed(engine)).toBe(before);
          await open(engine);
        },
      );

      test.each(hiding)('a running read, and the connection is %s: no row of it', async (_, narrow, words) => {
        await open(engine);
        const minted = await three.mint('--scope', 'read-only');
        const answering = three.call(minted.token, 'execute_query', {
          connection: connectionNames[engine],
          sql: slowRead[engine],
        });
        await running(engine);
        await narrow(engine, minted.id);
        expect(said(await answering)).toMatch(words);
        await open(engine);
      });

      test('a running export, and the connection is blocked: no file', async () => {
        await open(engine);
        const downloads = join(three.home.folder, 'Downloads');
        const files = () => (existsSync(downloads) ? readdirSync(downloads) : []);
        const before = files();
        const { token } = await three.mint('--scope', 'read-only');
        const answering = three.call(token, 'export_data', {
          ...{ connection: connectionNames[engine], sql: endless[engine], format: 'csv' },
        });
        await until(() => files().length > before.length, 'the file is there');
        await set(engine, '--external-clients', 'blocked');
        expect(said(await answering)).toMatch(takenAway);
        expect(files()).toEqual(before);
        await open(engine);
      });

      test('a change that forbids nothing ends nothing: a read continues if writing ends, a write if more is allowed', async () => {
        await open(engine);
        const before = await changed(engine);
        const minted = await three.mint('--scope', 'read-write', '--connections', connectionNames[engine]);
        const session = await legacySession(three.url, minted.token);
        const message = {
          ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
          params: { name: 'execute_query', arguments: { connection: connectionNames[engine], sql: slowWrite[engine] } },
        };
        const writing = send(three.url, legacy(minted.token, message, session));
        await running(engine);
        for (const words of [
          ['tokens', 'edit', minted.id, '--scope', 'full-access'],
          ['tokens', 'edit', minted.id, '--expires', '90'],
          ['tokens', 'edit', minted.id, '--expires', '1'],
          ['tokens', 'edit', minted.id, '--connections', `${connectionNames[engine]},Other`],
          ['tokens', 'edit', minted.id, '--connections', connectionNames[engine]],
          ['connections', 'set', connectionNames[engine], '--color', 'red'],
          ['connections', 'set', 'Other', '--external-clients', 'blocked'],
          ['connections', 'set', 'Other', '--external-clients', 'read-only'],
        ])
          await here(...words);
        expect(said(await writing)).not.toMatch(/^denied/);
        expect(await changed(engine)).toBe(before + 20);
        // Its session remains too.
        expect(
          (await send(three.url, legacy(minted.token, { jsonrpc: '2.0', id: 8, method: 'ping' }, session))).status,
        ).toBe(200);
        const reading = three.call(minted.token, 'execute_query', {
          ...{ connection: connectionNames[engine], sql: slowRead[engine] },
        });
        await running(engine);
        await set(engine, '--external-clients', 'read-only');
        await here('tokens', 'edit', minted.id, '--scope', 'read-only');
        expect((await reading).json.result).not.toHaveProperty('isError');
        await open(engine);
      });
    });

    test.each(Object.keys(everyClient))('%s hears it as a tool error', async kind => {
      await open('postgres');
      const minted = await three.mint('--scope', 'full-access');
      const client = await everyClient[kind]?.({ home: three.home, url: three.url, token: minted.token });
      if (client === undefined) throw new Error(`There is no ${kind}.`);
      const called = client.call('execute_query', { connection: connectionNames.postgres, sql: slowWrite.postgres });
      await running('postgres');
      await set('postgres', '--external-clients', 'read-only');
      const { isError, content } = await called;
      expect([isError, content?.[0]?.text]).toEqual([true, expect.stringMatching(readOnly)]);
      // And it still works.
      expect((await client.call('list_connections', {})).isError).not.toBe(true);
      await client.close();
    });

    test('a subscription outlives each edit of its token, and shows what the token shows', async () => {
      const minted = await three.mint('--scope', 'read-write');
      const reader = await listen(three.url, minted.token, { resourcesListChanged: true });
      const lists = () => reader.words().filter(word => word === 'resources/list_changed').length;
      await here('tokens', 'edit', minted.id, '--expires', '90');
      await here('tokens', 'edit', minted.id, '--scope', 'read-only');
      await here('tokens', 'edit', minted.id, '--connections', 'Other');
      await until(() => lists() === 1, 'the list is told to have changed');
      await here('connections', 'set', connectionNames.postgres, '--name', 'Pg-2');
      await here('connections', 'set', 'Pg-2', '--name', connectionNames.postgres);
      expect(lists()).toBe(1);
      await here('tokens', 'edit', minted.id, '--connections', 'all');
      await until(() => lists() === 2, 'the list is told to have changed again');
      expect(reader.isOver()).toBe(false);
      await here('tokens', 'revoke', minted.id);
      await until(() => reader.isOver(), 'a revocation ends it');
    });
  },
  { exports: 'at home' },
);
