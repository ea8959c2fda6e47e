/** What one side is to get goes as one packet, in its order, and nothing of it is lost at an end. */

import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { gathered } from '../../../daemon/clients/wire/gathered.ts';

function recorder() {
  const packets: Buffer[] = [];
  const line = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      packets.push(chunk);
      done();
    },
  });
  return { line, packets };
}

test('what is added behind promises of the same turn is in the same packet', async () => {
  const { line, packets } = recorder();
  let written = 0;
  const out = gathered(line, () => {
    written += 1;
  });
  out.add(Buffer.from('a'));
  await Promise.resolve();
  out.add(Buffer.from('b'));
  await (async () => await Promise.resolve())();
  out.add(Buffer.from('c'));
  expect(packets).toEqual([]);
  await nextTurn();
  expect(packets.map(String)).toEqual(['abc']);
  out.add(Buffer.from('d'));
  await nextTurn();
  expect(packets.map(String)).toEqual(['abc', 'd']);
  expect(written).toBe(2);
});

test('a flush writes at once, and nothing twice', async () => {
  const { line, packets } = recorder();
  const out = gathered(line);
  out.add(Buffer.from('a'));
  out.flush();
  line.end();
  await nextTurn();
  out.add(Buffer.from('too late'));
  await nextTurn();
  expect(packets.map(String)).toEqual(['a']);
});

test('large pieces keep their order', async () => {
  const { line, packets } = recorder();
  const out = gathered(line);
  for (const letter of ['a', 'b', 'c']) out.add(Buffer.alloc(40_000, letter));
  await nextTurn();
  const whole = Buffer.concat(packets).toString();
  expect(whole).toBe('a'.repeat(40_000) + 'b'.repeat(40_000) + 'c'.repeat(40_000));
});
