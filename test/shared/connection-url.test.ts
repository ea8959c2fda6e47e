/**
 * Connections as people write and paste them, and what is read of each: one table, texts-read.json,
 * of a text and either what differs from a connection to nowhere, or the name of the refusal.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { guessSentence, ignoredSentence } from '../../shared/url-parts.ts';
import { refusalNamed, refusalNames } from './url-refusals.ts';

const base = { cwd: '/srv/here', home: '/home/anna' };
const parse = (url: string) => parseConnectionUrl(url, base);

function parsed(url: string) {
  const result = parse(url);
  if (result.kind === 'refused') throw new Error(result.problem);
  return result;
}

const texts: readonly (readonly [text: string, read: string | object])[] = JSON.parse(
  readFileSync(new URL('texts-read.json', import.meta.url), 'utf8'),
);

const without = (each: object, left: unknown) =>
  Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined && value !== left));

/** @returns what the table has beside a text. */
function readOf(text: string): string | object {
  const now = parse(text);
  // The parts of passwords in the table that no other word of it has.
  if (now.kind === 'refused') return /hun|ter2|Pw1|p@ss|pa.ss/.test(now.problem) ? text : refusalNamed(now.problem);
  const { kind: _, endpoint, tls, ignored, ...more } = now;
  const safety = without(tls, null);
  return {
    ...without({ ...endpoint, ...more }, null),
    ...(ignored.length > 0 && { ignored }),
    ...(Object.keys(safety).length > 0 && { tls: safety }),
  };
}

test('each text is read or refused as the table says, and no refusal repeats its password', () => {
  expect(texts.map(([text]) => [text, readOf(text)])).toEqual(texts);
});

test('the table has every refusal', () => {
  const met = new Set(texts.map(([, expected]) => (typeof expected === 'string' ? expected.split(' ')[0] : '')));
  expect(refusalNames.filter(name => !met.has(name))).toEqual([]);
});

/** Each has `hun` in a piece of a password. */
test.each([
  'postgres://u@h/d?password=a&hunter=2',
  'postgres://u@h/d?password=a&hunter=2&hunterer=3',
  'jdbc:postgresql://h/d?user=u&password=pw&hunter=x&ssl=true',
  'postgres://u@h/d?password=a&hunter2',
  'postgres://u:hun?ter=2@h/d',
  'host=h password=a hunter=2',
  'sqlite:a.db?hunter2',
  'u:hunter2@tcp(h)/d?x y=1',
  'jdbc:postgresql://h/d?x=hunter@2',
  'postgres://h/d?password=hunter@2',
])('%s: a piece of a password is never repeated', text => {
  const result = parse(text);
  const told = result.kind === 'refused' ? result.problem : (ignoredSentence(result) ?? '');
  expect(told).not.toMatch(/hun/);
  expect(told).not.toBe('');
});

test('what is left out is told in one line', () => {
  expect(ignoredSentence(parsed('postgres://u@h/d?application_name=a&env=b&name=c'))).toBe(
    'application_name, env and name in the URL have no effect here.',
  );
});

test.each([
  ['Host=h;Username=me;Password=Pw1', 'PostgreSQL'],
  ['Server=h;Uid=me;Pwd=Pw1', 'MySQL'],
  ['Host=h;Username=me;Port=5432', null],
  ['Driver={PostgreSQL Unicode};Server=h;Uid=me', null],
])('%s: whose it is was guessed: %s', (text, taken) => {
  const said = guessSentence(parsed(text));
  if (taken === null) expect(said).toBeNull();
  else expect(said).toContain(`it is taken for ${taken}'s; if it is`);
});

test('a password in single quotes stays as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), password => {
      fc.pre(!/\p{Cc}|\p{Cs}/u.test(password));
      const quoted = password.replace(/['\\]/g, String.raw`\$&`);
      expect(parsed(`host=h password='${quoted}' dbname=d`)).toMatchObject({ password, endpoint: { database: 'd' } });
    }),
  );
});

test('no sentence repeats a password, in any spelling', () => {
  const secret = fc.string({ minLength: 6, maxLength: 20, unit: fc.constantFrom(...'Q9Z7:/?#[]@%&=+ ') });
  fc.assert(
    fc.property(secret, fc.constantFrom('postgres', 'mysql', 'mariadb', 'oracle', 'x'), (password, scheme) => {
      fc.pre(/[Q9Z7]{3}/.test(password));
      const result = parse(`${scheme}://user:${password}@host/db`);
      if (result.kind === 'parsed') return;
      for (const [piece] of password.matchAll(/[Q9Z7]{3,}/g)) expect(result.problem).not.toContain(piece);
    }),
    { numRuns: 500 },
  );
});

test('each encoded password comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), password => {
      fc.pre(!/\p{Cc}|\p{Cs}/u.test(password));
      expect(parsed(`postgres://u:${encodeURIComponent(password)}@h/d`).password).toBe(password);
    }),
  );
});
