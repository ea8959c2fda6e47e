/**
 * The attacks of the other lists through the door for PostgreSQL's clients (spec §7): nothing
 * changes, no secret is shown, and what honest people read is answered.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collect } from '../engines/collecting-sink.ts';
import { needs } from '../needs.ts';
import { findPostgres } from '../servers/postgres.ts';
import { postgresWorld } from '../walls/postgres-world.ts';
import { statementsFor } from '../walls/statements.ts';
import { changedParts, type World } from '../walls/world.ts';
import { secrets } from './guard-postgres/ask.ts';
import { definitions } from './guard-postgres/definitions.ts';
import { farSecrets, hiddenActs, hiddenSettings, unguarding } from './guard-postgres/doors.ts';
import { reads } from './guard-postgres/honest.ts';
import type { Attack } from './guard-postgres/statements.ts';
import * as known from './guard-postgres/statements.ts';
import { openInProcess } from './wire/in-process.ts';
import { type Heard, query, RawClient } from './wire/raw-client.ts';

const file = (name: string): string => readFileSync(new URL(`guard-postgres/${name}`, import.meta.url), 'utf8');
const others: readonly string[] = JSON.parse(file('read-only.json'));
const forbidden = [...known.never, ...hiddenActs, ...known.destroying, ...unguarding, ...definitions];
const secretReads = [...known.forbidden, ...farSecrets];
const settings = [...known.settings, ...hiddenSettings];
const found = findPostgres();
const patienceMilliseconds = 300_000;
const accounts = ['superuser', 'owner', 'app'] as const;
/** What a program may say of its own session, as drivers do; it ends with that session. */
const ofSession =
  /^\s*(set|reset|begin|start|commit|end|rollback|abort|savepoint|release|discard|close|unlisten|deallocate|fetch|move)\b/i;
/** Reads here, by the rules for sessions; MCP's tools have no use for them. */
const readsHere = [
  'SELECT pg_advisory_unlock_all()',
  'COPY t TO STDOUT',
  "SELECT set_config('statement_timeout','0',false)",
  'DECLARE c CURSOR WITH HOLD FOR SELECT 1',
  'COPY (SELECT 1) TO STDOUT',
  'SELECT 1;;SELECT 2',
];

needs('unavailable' in found ? found.unavailable : null).describe('other lists, through the door', () => {
  let world: World;
  beforeAll(async () => {
    if ('unavailable' in found) return;
    world = postgresWorld(found, `${file('fixture.sql')}\n${file('honest.sql')}\n${file('doors.sql')}`, ['app']);
    await world.start();
  }, patienceMilliseconds);
  afterAll(() => world?.stop(), patienceMilliseconds);

  /** Each in a session of its own. */
  async function through(account: string, statements: readonly string[]): Promise<{ sql: string; heard: Heard }[]> {
    const door = await openInProcess(world.database(account), world.connection(account), 'on');
    const answers: { sql: string; heard: Heard }[] = [];
    try {
      for (const sql of statements) {
        const client = await RawClient.open(door.entrance.path, door.entrance);
        answers.push({ sql, heard: await client.ask(query(world.place(sql))) });
        client.end();
      }
    } finally {
      await door.stop();
    }
    return answers;
  }
  const shown = (answers: readonly { sql: string; heard: Heard }[]): string[] =>
    answers.filter(({ heard }) => secrets.test(heard.raw)).map(({ sql }) => sql);
  const taken = (answers: readonly { sql: string; heard: Heard }[]): string[] =>
    answers.filter(({ heard }) => heard.errors.length === 0 && heard.end === 'answered').map(({ sql }) => sql);

  test.each(accounts)(
    'as %s nothing changes and no secret is shown',
    async account => {
      await world.reset();
      writeFileSync(world.place('/srv/out/secret'), 'file-s3cret');
      const inSettings = (sql: string) => collect(world.database('superuser'), sql, { session: 'alone' });
      await inSettings("alter system set primary_conninfo = 'host=h password=conninfo-s3cret'");
      await inSettings('select pg_reload_conf()');
      const before = await world.state(account);
      // Those in a schema of their own are in wire/more-ways.ts.
      const textsOf = (attacks: readonly Attack[]) =>
        attacks.filter(({ schema }) => schema === undefined).map(({ sql }) => sql);
      const refused = await through(account, textsOf([...forbidden, ...secretReads]));
      const rest = await through(account, [...others, ...textsOf(settings)]);
      expect(shown([...refused, ...rest])).toEqual([]);
      expect(taken(refused).filter(sql => !ofSession.test(sql))).toEqual([]);
      expect(changedParts(before, await world.state(account))).toEqual([]);
    },
    patienceMilliseconds,
  );

  test.each(['superuser', 'owner'])(
    'as %s the classified statements that are no reads change nothing, and reads are answered',
    async account => {
      await world.reset();
      const before = await world.state(account);
      const all = statementsFor('postgres').filter(({ decidedBy }) => decidedBy !== 'execution');
      const writes = all.filter(each => each.class !== 'read').map(({ sql }) => sql);
      const answers = await through(account, writes);
      expect(
        taken(answers).filter(sql => !ofSession.test(sql) && !readsHere.includes(sql) && sql.trim() !== ''),
      ).toEqual([]);
      expect(changedParts(before, await world.state(account))).toEqual([]);
      const asked = await through(account, [
        ...reads,
        ...all.filter(each => each.class === 'read').map(({ sql }) => sql),
      ]);
      // This world has traps of its own behind names that are harmless elsewhere.
      const refused = asked.filter(({ heard }) =>
        heard.errors.some(({ code, text }) => code === '25006' && !text.includes('Behind trap.')),
      );
      expect(refused.map(({ sql, heard }) => `${sql}: ${heard.errors[0]?.text}`)).toEqual([]);
      expect(changedParts(before, await world.state(account))).toEqual([]);
    },
    patienceMilliseconds,
  );
});
