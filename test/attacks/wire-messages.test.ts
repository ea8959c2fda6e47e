/**
 * Messages and start-up packets at the door for PostgreSQL's clients that no client's library would
 * send: nothing is written, the door serves on, and what it can't read ends the session at once.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenDoor, openDoor } from '../journeys/wire/door.ts';
import { needs } from '../needs.ts';
import { findPostgres } from '../servers/postgres.ts';
import { comments, framing, marks, prepared, type RawAttack, twoReadings } from './wire/messages.ts';
import { throwAt } from './wire/play.ts';
import { extended, query, RawClient, startUp, sync } from './wire/raw-client.ts';
import { startUps } from './wire/start-ups.ts';

const found = findPostgres();
const patienceMilliseconds = 240_000;
const insert = query("insert into m values ('x')");
/** A length that no message has: the rest of the line means nothing. */
const unreadable = [
  'a negative length',
  'the least length',
  'length 0',
  'length 2',
  'length 3',
  'the most length',
  'a GB announced',
  'length 2 of a Sync',
];

needs('unavailable' in found ? found.unavailable : null).describe('the door', () => {
  describe.each(['postgres', 'shopper'] as const)('as %s', account => {
    let door: OpenDoor;
    let before: string;
    const entrance = () => ({ path: door.path, user: 'anybody', database: 'shop' });
    beforeAll(async () => {
      if ('unavailable' in found) return;
      door = await openDoor(found, account);
      before = await door.shop.state();
    }, patienceMilliseconds);
    afterAll(() => door?.stop());

    async function nothingWritten(): Promise<void> {
      expect(await door.shop.state()).toBe(before);
      const next = await RawClient.open(door.path, entrance());
      expect((await next.ask(query('select 1'))).rows).toEqual([['1']]);
      next.end();
    }

    const kinds: readonly (readonly [string, readonly RawAttack[]])[] = [
      ['texts with two readings', twoReadings],
      ['comments and strings', comments],
      ['frames', framing],
      ['prepared statements and paths', prepared],
      ['marks', marks],
    ];
    describe.each(kinds)('%s', (_, attacks) => {
      test.each(attacks.map(attack => [attack.name, attack] as const))(
        '%s',
        async (name, { sent, readies }) => {
          const heard = await throwAt(entrance(), sent, readies);
          if (unreadable.includes(name)) expect(heard.end).toBe('closed');
          // What waits for more bytes is silent; nothing that waits has been answered.
          if (heard.end === 'silent') expect(heard.rows).toEqual([]);
          // What the server and we say of a mark never shows how it is made.
          expect(
            heard.errors.filter(({ text }) => /refused_|sallyport_/.test(text) && !name.startsWith('a mark')),
          ).toEqual([]);
          await nothingWritten();
        },
        patienceMilliseconds,
      );
    });

    test.each(startUps.map(attack => [attack.name, attack] as const))(
      'start-up: %s',
      async (_, { parameters, version }) => {
        const client = await RawClient.dial(door.path);
        const named = new Map<string, string>([
          ['user', 'anybody'],
          ['database', 'shop'],
        ]);
        for (const [name] of parameters) named.delete(name);
        client.send(startUp([...named, ...parameters], version));
        const begun = await client.hear();
        if (begun.end === 'answered' && begun.states === 'I') {
          const settings =
            'select current_setting(n) from unnest(array[$$transaction_read_only$$, $$client_encoding$$, $$standard_conforming_strings$$, $$backslash_quote$$]) n';
          const shown = await client.ask(query(settings));
          expect(shown.rows).toEqual([['on'], ['UTF8'], ['on'], ['safe_encoding']]);
          const whose = await client.ask(query('select session_user, current_database()'));
          expect(whose.rows).toEqual([[account, 'shop']]);
          const refused = await client.ask(insert);
          expect(refused.errors).toMatchObject([{ code: '25006' }]);
          const cycle = await client.ask(Buffer.concat([extended("insert into m values ('x')"), sync]));
          expect(cycle.errors).toMatchObject([{ code: '25006' }]);
        } else expect(begun.end).toBe('closed');
        client.end();
        await nothingWritten();
      },
      patienceMilliseconds,
    );

    test.each([
      ['nothing', Buffer.alloc(0)],
      ['zeros', Buffer.alloc(64)],
      ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
      ['length 0', Buffer.from([0, 0, 0, 0, 0, 3, 0, 0])],
      ['length 4', Buffer.from([0, 0, 0, 4, 0, 3, 0, 0])],
      ['length 7', Buffer.from([0, 0, 0, 7, 0, 3, 0, 0])],
      ['a negative length', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 3, 0, 0])],
      ['a length of 2 GB', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0])],
      ['TLS of the first byte on', Buffer.from('1603010200010001fc0303', 'hex')],
      ['a cancel cut short', Buffer.from([0, 0, 0, 8, 4, 210, 22, 46])],
      ['a cancel without key', Buffer.from([0, 0, 0, 12, 4, 210, 22, 46, 0, 0, 0, 1])],
      ['names without end', Buffer.concat([Buffer.from([0, 0, 0, 20, 0, 3, 0, 0]), Buffer.from('user\0anybody')])],
      ['a query before the start-up', insert],
    ])(
      'first bytes: %s',
      async (_, bytes) => {
        const client = await RawClient.dial(door.path);
        client.send(bytes);
        client.socket.end();
        expect(await client.hear(1, 3_000)).toMatchObject({ end: 'closed', rows: [] });
        await nothingWritten();
      },
      patienceMilliseconds,
    );

    test('TLS and GSSAPI are answered N, and a query in the same packet isn’t read as one that came after', async () => {
      for (const code of [80877103, 80877104]) {
        const client = await RawClient.dial(door.path);
        const asked = Buffer.alloc(8);
        asked.writeInt32BE(8, 0);
        asked.writeInt32BE(code, 4);
        const answer = new Promise<string>(resolve => client.socket.once('data', bytes => resolve(bytes.toString())));
        client.send(asked);
        expect(await answer).toBe('N');
        client.end();
      }
      await nothingWritten();
    });
  });
});
