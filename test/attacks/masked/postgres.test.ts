/**
 * Masked columns on PostgreSQL (spec §6): no attempt with a token that may write shows a value of
 * one, or puts it where it could be read. What people send without them runs.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Answer, Database } from '../../../daemon/engines/engine.ts';
import { masked } from '../../../daemon/engines/masked.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { call } from '../../engines/collecting-sink.ts';
import { endpointOf, portsOf } from '../../engines/postgres/suite.ts';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer, postgresMajor } from '../../servers/postgres.ts';
import { asked, previewed } from '../out-of-sight/ask.ts';
import { words, wordsThat } from '../out-of-sight/postgres-new-words.ts';
import { masks, attempts as plainAttempts, refusedOtherwise } from './postgres-attempts.ts';
import { honest } from './postgres-honest.ts';
import { nestedAttempts } from './postgres-nested.ts';

const found = findPostgres();
const patienceMilliseconds = 300_000;
/** What a masked cell holds; conditions of the attempts have it before a percent sign. */
const value = /m4sked[\d-]/;
const attempts = [...plainAttempts, ...nestedAttempts];
const show = ['app.shown_mails', 'app.shown_mail'];

const isMaskRefusal = (end: string): boolean => /which this connection masks|can't be held to that/.test(end);

function answered<T>(answer: Answer<T>): T {
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value;
}

needs('unavailable' in found ? found.unavailable : null).describe('masked columns on PostgreSQL', () => {
  let server: PostgresServer;
  /** With an operator and a cast of a user, where names alone don't settle a read, and without. */
  const of: Record<'masks' | 'plainly', { direct: Database; masking: Database }> = {} as never;

  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql('create database masks');
    await server.psql(readFileSync(new URL('postgres.sql', import.meta.url), 'utf8'), 'masks');
    await server.psql('create database plainly template masks');
    await server.psql('drop operator app.~~~ (app.users, text); drop cast (app.users as text)', 'plainly');
    await server.psql('create database words template plainly');
    await server.psql(wordsThat('select email from app.users order by id limit 1'), 'words');
    for (const database of ['masks', 'plainly'] as const) {
      const direct = openPostgres(endpointOf(server, { database }), portsOf(server.password));
      of[database] = { direct, masking: masked(direct, { columns: masks, show }) };
    }
  }, patienceMilliseconds);
  afterAll(async () => {
    for (const { direct } of Object.values(of)) await direct.close();
    await server?.stop();
  }, patienceMilliseconds);

  test('an empty answer tells which values there are, without statistics that its guard refuses', async () => {
    const [ended] = await asked('postgres', of.masks.masking, [
      { sql: "select id from app.users where name = 'nobody'" },
    ]);
    expect(ended?.answer).toContain("users.name has 'name 1', 'name 2', ");
  });

  test.each(['masks', 'plainly'] as const)(
    'no attempt reads one: %s',
    async database => {
      expect(attempts.length).toBeGreaterThanOrEqual(100);
      const ends = await asked(
        'postgres',
        of[database].masking,
        attempts.map(sql => ({ sql })),
      );
      expect(ends.filter(({ answer }) => value.test(answer))).toEqual([]);
      const others = ends.filter(({ sql, end }) => !isMaskRefusal(end) && !refusedOtherwise.get(sql)?.test(end));
      expect(others.map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
      const none = await server.psql("select count(*) from pg_class where relname = 'mine'", database);
      expect(none.trim()).toBe('0');
      const kept = await server.psql(
        "select a, b from app.copy_to where a like 'm4sked%' or b like 'm4sked%' union all select what, null from app.audit union all select what, null from app.trail where what is not null",
        database,
      );
      expect(kept.trim()).toBe('');
    },
    patienceMilliseconds,
  );

  test(
    'no word of a later grammar reads one',
    async () => {
      const direct = openPostgres(endpointOf(server, { database: 'words' }), portsOf(server.password));
      const sent = words.map(sql => ({ sql }));
      // Without the wall they show it, which proves that they are ways.
      const bare = postgresMajor() < 16 ? await asked('postgres', direct, sent) : [];
      const ends = await asked('postgres', masked(direct, { columns: masks, show }), sent);
      await direct.close();
      expect(bare.filter(({ answer }) => !value.test(answer)).map(({ sql }) => sql)).toEqual([]);
      expect(ends.filter(({ answer }) => value.test(answer)).map(({ sql }) => sql)).toEqual([]);
    },
    patienceMilliseconds,
  );

  test('a refusal names the columns to leave out', async () => {
    const ends = await asked('postgres', of.plainly.masking, [
      { sql: 'select * from app.users' },
      { sql: 'select mail from app.user_mails' },
      { sql: 'select u.id, u.email from app.users u' },
    ]);
    expect(ends.map(({ end }) => end)).toEqual([
      expect.stringContaining(
        'It reads users.email, users.ssn and users.handle, which this connection masks: leave them out',
      ),
      expect.stringContaining('It reads users.email, which this connection masks: leave it out'),
      expect.stringContaining('name the columns you need instead of *.'),
    ]);
  });

  test.each(['masks', 'plainly'] as const)(
    'what people send runs: %s',
    async database => {
      const ends = await asked(
        'postgres',
        of[database].masking,
        honest.map(sql => ({ sql })),
      );
      expect(ends.filter(({ answer, sql }) => value.test(answer) && !/shown_mail|contact/.test(sql))).toEqual([]);
      expect(ends.length).toBeGreaterThanOrEqual(80);
      const refused = ends.filter(({ end }) => end !== 'success').map(({ sql, end }) => `${sql}: ${end}`);
      expect(refused).toEqual([]);
    },
    patienceMilliseconds,
  );

  test('a description says it, and a preview leaves it out', async () => {
    const context = { ...call, schema: 'app', signal: new AbortController().signal, timeoutSeconds: 30 };
    const [users] = answered(await of.plainly.masking.describeTables(context, ['users'], true));
    expect(users?.columns.filter(({ isMasked }) => isMasked).map(({ name }) => name)).toEqual([
      ...['email', 'ssn', 'handle'],
    ]);
    const parts = answered(
      await of.plainly.masking.describeTables(context, ['events_one', 'staff', 'trainees', 'of_second'], true),
    );
    const columns = parts.flatMap(part => part?.columns ?? []);
    expect(columns.filter(({ isMasked }) => isMasked).map(({ name }) => name)).toEqual([
      ...['secret_payload', 'ssn', 'ssn', 'ssn_digest', 'payload'],
    ]);
    const sql = "update app.users set name = 'x' where id = 5";
    const preview = await previewed('postgres', of.plainly.masking, sql);
    expect(preview).toContain('name 5');
    expect(preview).not.toMatch(value);
    const removed = await previewed('postgres', of.plainly.masking, 'delete from app.users where id = 6');
    expect(removed).toContain('name 6');
    expect(removed).not.toMatch(value);
    expect(await previewed('postgres', of.plainly.direct, sql)).toContain('name 5');
  });

  test('a role that is made may not read one, and the server holds that alone', async () => {
    const context = { ...call, signal: new AbortController().signal, timeoutSeconds: 30 };
    const wanted = { name: 'unmasked', access: 'readWrite', schemas: ['app'], statementSeconds: 30 } as const;
    const planned = answered(await of.plainly.masking.planRole(context, wanted));
    const sql = planned.steps.flatMap(({ statements }) => statements).join('\n');
    expect(sql).toMatch(
      /GRANT SELECT \("id", "name", "city", [^)]*\), INSERT, UPDATE, DELETE\n {2}ON TABLE "app"."users"/,
    );
    expect(sql).not.toMatch(
      /user_mails|user_rows|kept_mails|over_mails|contacts|over_contacts|kept_contacts|DEFAULT PRIVILEGES/,
    );
    expect((await planned.make('not-a-secret')).kind).toBe('made');
    const asRole = openPostgres(endpointOf(server, { database: 'plainly', user: 'unmasked' }), portsOf('not-a-secret'));
    const ends = await asked(
      'postgres',
      asRole,
      [
        ...['select id, name from app.users', 'select count(*) from app.users', 'select * from app.orders'],
        ...[
          'select * from app.shown_mails',
          'select id from app.animals',
          "update app.users set email = 'y' where id = 7 returning id",
        ],
        ...['select email from app.users', 'select u from app.users u', 'select handle from app.users'],
        ...['select * from app.user_mails', 'select secret_payload from app.events_one', 'select ssn from app.staff'],
        'select chip from app.animals',
        ...['select app.mail_of(1)', 'select * from app.over_mails', 'select reset_token from app.accounts'],
        ...[
          'select contact from app.contacts',
          'select c from app.over_contacts',
          'select contact from app.kept_contacts',
        ],
      ].map(each => ({ sql: each })),
    );
    await asRole.close();
    expect((await planned.remove()).stays).toBeNull();
    expect(ends.map(({ end }) => /42501|success/.exec(end)?.[0])).toEqual([
      ...Array.from({ length: 6 }, () => 'success'),
      ...Array.from({ length: 13 }, () => '42501'),
    ]);
  });

  test('no wire opens', async () => {
    const context = { ...call, signal: new AbortController().signal, timeoutSeconds: 30 };
    expect((await of.plainly.masking.openWire?.(context))?.kind).toBe('unsupported');
  });
});
