/** What a program may say before its first statement, and how much of it. */

import { expect, test } from '@jest/globals';
import { MalformedMessage, MessageReader } from '../../../daemon/clients/wire/messages.ts';
import { readStartUp } from '../../../daemon/clients/wire/start-up.ts';

function packet(pairs: Readonly<Record<string, string>>, version = 196_608, raw = Buffer.alloc(0)): Buffer {
  const texts = Object.entries(pairs).flat();
  const body = Buffer.concat([Buffer.from(`${texts.map(text => `${text}\0`).join('')}`), raw, Buffer.alloc(1)]);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(version, 4);
  return Buffer.concat([head, body]);
}

test('names on the list pass, PGOPTIONS too', () => {
  const said = readStartUp(
    packet({
      user: 'me',
      database: 'Shop',
      application_name: 'psql',
      client_encoding: "'utf-8'",
      replication: 'false',
      options: '-c statement_timeout=5s --search-path=a\\ b',
    }),
  );
  expect(said).toMatchObject({ kind: 'session', user: 'me', database: 'Shop', application: 'psql', negotiation: null });
  expect(said.kind === 'session' && said.settings).toEqual([
    ['application_name', 'psql'],
    ['client_encoding', 'UTF8'],
    ['statement_timeout', '5s'],
    ['search_path', 'a b'],
  ]);
});

test.each([
  [{ default_transaction_read_only: 'off' }],
  [{ role: 'postgres' }],
  [{ session_authorization: 'postgres' }],
  [{ replication: 'database' }],
  [{ client_encoding: 'SJIS' }],
  [{ standard_conforming_strings: 'off' }],
  [{ session_preload_libraries: 'a' }],
  [{ options: '-c role=postgres' }],
  [{ options: '-d 5' }],
  [{ options: '-c search_path=a -csession_replication_role=replica' }],
])('%j is refused', pairs => {
  expect(readStartUp(packet({ user: 'me', ...pairs })).kind).toBe('refused');
});

test('a name that comes twice, invalid UTF-8 and another version are refused', () => {
  const twice = packet({ user: 'me' }, 196_608, Buffer.from('user\0you\0'));
  expect(readStartUp(twice).kind).toBe('refused');
  expect(readStartUp(packet({}, 196_608, Buffer.from([0x61, 0, 0xff, 0]))).kind).toBe('refused');
  expect(readStartUp(packet({ user: 'me' }, 131_072)).kind).toBe('refused');
  expect(() => readStartUp(packet({}, 196_608, Buffer.from('user\0me')))).not.toThrow();
});

test('a program that wants a newer protocol is told which there is', () => {
  const said = readStartUp(packet({ user: 'me', '_pq_.new': '1' }, 196_610));
  const negotiation = said.kind === 'session' ? said.negotiation : null;
  expect(negotiation?.toString('latin1')).toMatch(/^v.*_pq_\.new\0$/s);
  // Both halves, as libpq reads it: a 0 is a downgrade to version 0.
  expect([negotiation?.readInt32BE(5), negotiation?.readInt32BE(9)]).toEqual([196_608, 1]);
});

test.each([-1, 0, 3, 0x7fffffff, 101])('a message of length %d ends the conversation', length => {
  const reader = new MessageReader(100);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(length, 1);
  reader.add(head);
  expect(() => reader.next()).toThrow(MalformedMessage);
});

test('messages are cut alike, however they arrive', () => {
  const whole = Buffer.concat([Buffer.from('Q\0\0\0\x06a\0'), Buffer.from('S\0\0\0\x04'), Buffer.from('X\0\0\0\x04')]);
  for (const size of [1, 2, 3, 5, 100]) {
    const reader = new MessageReader(100);
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size) {
      reader.add(whole.subarray(at, at + size));
      for (let message = reader.next(); message !== null; message = reader.next()) found.push(message.toString());
    }
    expect(found).toEqual(['Q\0\0\0\x06a\0', 'S\0\0\0\x04', 'X\0\0\0\x04']);
  }
});
