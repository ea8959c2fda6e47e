/**
 * Counts how often a person types their passphrase in one day: at most eight times, and five if the
 * client proposes plans. On that day a client of the bridge writes to a development database, runs
 * three migrations with four destructive statements, and reads two connections that ask first.
 */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ranByUser } from '../../clients/mcp/said.ts';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';
import { type BridgeClient, bridgeClient } from './bridge-client.ts';

const passphrase = 'correct horse battery';
const which = 'Enter skips: ';
const number = 'or Enter to leave it waiting: ';
const yes = [passphrasePrompt, passphrase] as const;

needs(missingForTyping()).describe('a day of work', () => {
  let home: RealHome;
  let client: BridgeClient;
  let typedTimes = 0;

  function inFile(name: string, sql: string): void {
    const database = new SqliteFile(join(home.folder, `${name}.db`));
    database.exec(sql);
    database.close();
  }

  async function typed(words: readonly string[], ...answers: (readonly [string, string])[]): Promise<void> {
    const { code, shown } = await runOnTerminal(home, words, answers);
    typedTimes += shown.split(passphrasePrompt.trimEnd()).length - 1;
    expect({ words, code, shown }).toMatchObject({ code: 0 });
  }

  beforeAll(async () => {
    home = realHome(0, 'owner');
    for (const name of ['dev', 'stage', 'prod']) {
      const database = new SqliteFile(join(home.folder, `${name}.db`));
      const tables = Array.from({ length: 12 }, (_, at) => `create table old_${at} (id integer);`);
      database.exec(`create table orders (id integer primary key, note text); ${tables.join('')}`);
      database.close();
    }
    expect((await home.run(['start'])).code).toBe(0);
    expect((await runOnTerminal(home, ['passphrase', 'set'], choosing(passphrase))).code).toBe(0);
    for (const name of ['dev', 'stage', 'prod']) {
      const policy = name === 'dev' ? [] : ['--ai-policy', 'ask'];
      const file = `sqlite:${join(home.folder, `${name}.db`)}`;
      expect((await home.run(['connections', 'add', file, '--name', name, ...policy])).code).toBe(0);
    }
    client = await bridgeClient(home, 'agent');
  }, 60_000);
  afterAll(async () => {
    await client.close();
    await home.clean();
  });

  test('takes at most eight passphrases', async () => {
    expect(await client.query('dev', "insert into orders (note) values ('first')")).toContain('denied: ');
    await typed(['allow'], [number, '4'], yes);
    for (let at = 0; at < 30; at += 1) {
      expect(await client.query('dev', `insert into orders (note) values ('${at}')`)).toContain('"rows_affected":1');
    }
    for (let migration = 0; migration < 3; migration += 1) {
      const statements = Array.from({ length: 4 }, (_, at) => `drop table old_${migration * 4 + at}`);
      for (const statement of statements) expect(await client.query('dev', statement)).toContain('denied: ');
      await typed(['allow'], [which, 'all'], [number, '1'], yes);
      for (const statement of statements) expect(await client.query('dev', statement)).toContain(ranByUser);
    }
    for (const name of ['stage', 'prod']) {
      expect(await client.query(name, 'select count(*) as n from orders')).toContain('denied: ');
      await typed(['allow'], [number, '1'], yes);
      expect(await client.query(name, 'select count(*) as n from orders')).toContain('"rows":[[0]]');
      expect(await client.query(name, 'select id from orders')).toContain('"rows":[]');
    }
    expect(typedTimes).toBeLessThanOrEqual(8);
    expect(typedTimes).toBe(6);
  }, 120_000);

  test('takes at most five with plans', async () => {
    typedTimes = 0;
    expect((await home.run(['connections', 'set', 'dev', '--external-clients', 'read-only'])).code).toBe(0);
    for (const name of ['stage', 'prod']) {
      // Another day: the approvals of this one are over.
      expect((await home.run(['connections', 'set', name, '--row-limit', '99'])).code).toBe(0);
      inFile('dev', `create table more_${name} (id integer)`);
    }
    expect(await client.query('dev', "insert into orders (note) values ('next')")).toContain('denied: ');
    await typed(['allow'], [number, '4'], yes);
    for (const tables of [['more_stage'], ['more_prod'], []]) {
      const statements = [
        ...tables.map(table => `drop table ${table}`),
        "insert into orders (note) values ('planned')",
      ];
      const plan = { connection: 'dev', statements, reason: `without ${tables.join(' and ')}` };
      expect(await client.call('propose_changes', plan)).toContain('"state":"waits"');
      await typed(['allow'], [number, '1'], yes);
      expect(await client.call('propose_changes', plan)).toContain('"state":"done"');
    }
    for (const name of ['stage', 'prod'])
      expect(await client.query(name, 'select count(*) as n from orders')).toContain('denied: ');
    await typed(['allow'], [which, 'all'], [number, '1'], yes);
    for (const name of ['stage', 'prod'])
      expect(await client.query(name, 'select count(*) as n from orders')).toContain('"rows":[[0]]');
    expect(typedTimes).toBe(5);
  }, 120_000);
});
