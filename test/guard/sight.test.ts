/** Which names a person's patterns hide, and what counts as showing more. */

import { describe, expect, test } from '@jest/globals';
import {
  isHidden,
  isHiddenAmong,
  isSchemaHidden,
  mayName,
  patternOf,
  patternProblem,
  type Sight,
  wholeSight,
  widenings,
} from '../../daemon/guard/sight.ts';

const hiding: Sight = { hide: ['audit.*', '*_secret'], only: [], show: ['audit.public_*'] };
const listing: Sight = { hide: ['shop.pay*'], only: ['shop.*', 'orders'], show: [] };

describe('tables in sight', () => {
  test.each([
    [hiding, 'audit', 'log', true],
    [hiding, 'AUDIT', 'Log', true],
    [hiding, 'app', 'log', false],
    [hiding, 'app', 'LOGIN_SECRET', true],
    [hiding, 'app', 'login_secrets', false],
    [hiding, 'audit', 'public_log', false],
    // Nobody knows the schema.
    [hiding, null, 'log', true],
    [hiding, null, 'public_log', true],
    [hiding, 'app', 'audit.log', true],
    [listing, 'shop', 'items', false],
    [listing, 'shop', 'payments', true],
    [listing, 'other', 'orders', false],
    [listing, 'other', 'items', true],
    [listing, null, 'items', true],
    [{ hide: ['straße'], only: [], show: [] }, 'a', 'STRASSE', true],
    [{ hide: ['invoices'], only: [], show: [] }, 'a', 'İNVOıCES', true],
    [{ hide: ['a*b*c'], only: [], show: [] }, 'a', 'axxbxxc', true],
    [{ hide: ['a*b*c'], only: [], show: [] }, 'a', 'acb', false],
    [{ hide: ['ab*ba'], only: [], show: [] }, 'a', 'aba', false],
    [wholeSight, null, 'anything', false],
  ] as const)('%j: %s.%s', (sight, schema, name, hidden) => {
    expect(isHidden(sight, schema, name)).toBe(hidden);
  });

  test('a part is met, hidden and shown with its table', () => {
    const among = (sight: Sight, ...names: string[]) =>
      isHiddenAmong(
        sight,
        names.map(name => ({ schema: name.split('.')[0] ?? null, name: name.split('.')[1] ?? '' })),
      );
    expect(among(listing, 'parts.one', 'other.orders')).toBe(false);
    expect(among(listing, 'parts.one', 'other.items')).toBe(true);
    expect(among(hiding, 'app.whole_one', 'audit.whole')).toBe(true);
    expect(among(hiding, 'app.public_one', 'audit.public_all')).toBe(false);
  });

  test.each([
    ['app', 'parts'],
    ['app', 'a.b'],
    ['a.b', 'parts'],
    ['app', 'a.b.c'],
    ['app', '*'],
  ])('the pattern of the table %s %s hides it', (schema, name) => {
    expect(isHidden({ hide: [patternOf({ schema, name })], only: [], show: [] }, schema, name)).toBe(true);
  });

  test('schemas', () => {
    expect(isSchemaHidden({ ...hiding, show: [] }, 'audit')).toBe(true);
    expect(isSchemaHidden(hiding, 'audit')).toBe(false);
    expect(isSchemaHidden(hiding, 'app')).toBe(false);
    expect(isSchemaHidden({ hide: [], only: ['shop.*'], show: [] }, 'app')).toBe(true);
  });

  test.each(['audit.*', '*_secret', 'Orders 2024', 'größe', '*'])('%s is a pattern', pattern => {
    expect(patternProblem(pattern)).toBeNull();
  });
  test.each(['', ' a', 'a.b.c', 'a.', '"a"', 'a%', 'a?', '/x/', 'a,b', `${'a'.repeat(131)}`, 'a\u200bb'])(
    '%j is none',
    pattern => {
      expect(patternProblem(pattern)).not.toBeNull();
    },
  );

  test('a pattern with many stars takes no time', () => {
    const sight = { hide: [`${'*a'.repeat(60)}b`], only: [], show: [] };
    const start = performance.now();
    expect(isHidden(sight, 'a', 'a'.repeat(5_000))).toBe(false);
    expect(performance.now() - start).toBeLessThan(200);
  });

  test('what shows more', () => {
    expect(widenings(wholeSight, hiding)).toEqual(['shows audit.public_*']);
    expect(widenings(hiding, { ...hiding, show: [], hide: [...hiding.hide, 'x'] })).toEqual([]);
    expect(widenings(hiding, { ...hiding, hide: ['audit.*'] })).toEqual(['no longer hides *_secret']);
    expect(widenings(listing, { ...listing, only: [] })).toEqual(['no longer shows only some']);
    expect(widenings(listing, { ...listing, only: ['shop.*'] })).toEqual([]);
    expect(widenings(listing, { ...listing, only: [...listing.only, 'b.*'] })).toEqual(['shows b.* too']);
  });

  test.each([
    [hiding, 'select * from audit.log', true],
    [hiding, 'select * from "Audit" . "log"', true],
    [hiding, 'select * from customers c join login_secret s on true', true],
    [hiding, 'select name, note from app.customers', false],
    [listing, 'select id, note from shop.items i, orders o where a = b', false],
    [listing, 'select id, note from shop.items i, people p', true],
    [listing, 'insert into people values (1)', true],
    [listing, 'select 1', false],
    [listing, 'copy audit.log to stdout', true],
    [listing, 'truncate audit.log', true],
    [listing, 'select * from(audit.log)', true],
    [listing, 'insert into"audit".log values (1)', true],
    [listing, "select pg_relation_size('audit.log')", true],
    [listing, 'select i.id from shop.items as i where i.note is null', false],
    [hiding, 'select * from U&"\\0061udit".log', true],
    [hiding, `select '"' from audit.log where a = '"'`, true],
    [{ hide: ['*'], only: [], show: [] }, 'select 1', true],
    [{ hide: ['my log'], only: [], show: [] }, 'select * from "my log"', true],
  ] as const)('of the history: %j, %s', (sight, statement, named) => {
    expect(mayName(sight, statement)).toBe(named);
  });
});
