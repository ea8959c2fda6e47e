import { expect, test } from '@jest/globals';
import { ServerMessages } from '../../daemon/engines/server-messages.ts';
import { processorMilliseconds } from '../processor-time.ts';

function told(messages: readonly string[], unread = 0): readonly string[] {
  const said = new ServerMessages();
  for (const message of messages) said.add(message);
  if (unread > 0) said.count(unread);
  return said.sentences();
}

test('ten different ones are shown, and later ones are counted', () => {
  const eleven = Array.from({ length: 11 }, (_, at) => `NOTICE: ${at}`);
  expect(told(eleven.slice(0, 10))).toEqual(eleven.slice(0, 10));
  expect(told(eleven)).toEqual([...eleven.slice(0, 10), 'The database said 1 more, which is left out.']);
  expect(told(['WARNING: a'], 7)).toEqual(['WARNING: a', 'The database said 7 more, which are left out.']);
});

test('the end of a server’s own count is shown as the least number', () => {
  const said = new ServerMessages();
  said.add('Warning 1: a');
  said.count(65_534, true);
  expect(said.sentences().at(-1)).toBe('The database said at least 65534 more, which are left out.');
});

test('a repeated one is shown once, with how often', () => {
  expect(told(['a', 'b', 'a', 'a'])).toEqual(['a (3 times)', 'b']);
});

test('a long one is shown by its beginning, and all of them within 2 KB', () => {
  const [only = ''] = told(['x'.repeat(100_000)]);
  expect(only).toBe(`${'x'.repeat(500)}…`);
  for (const character of ['x', 'é', '€', '😀']) {
    const many = told(Array.from({ length: 10 }, (_, at) => `${at}${character.repeat(600)}`));
    const shown = many.slice(0, -1);
    expect(shown.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(shown.join(''))).toBeLessThanOrEqual(2_048);
    expect(many.at(-1)).toBe(`The database said ${10 - shown.length} more, which are left out.`);
    for (const message of shown) expect(message.isWellFormed()).toBe(true);
  }
});

test('a million cost little memory and time', () => {
  const said = new ServerMessages();
  const spent = processorMilliseconds(() => {
    for (let at = 0; at < 1_000_000; at += 1)
      if (said.isFull) said.count(1);
      else said.add(`NOTICE: ${at}`);
  });
  expect(said.sentences().at(-1)).toBe('The database said 999990 more, which are left out.');
  expect(spent).toBeLessThan(1_000);
});
