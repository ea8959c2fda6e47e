/** Masks by name alone: what a person's patterns take, and what they refuse. */

import { describe, expect, test } from '@jest/globals';
import { isMasked, maskPatternProblem, mayHaveMasked, unmaskings } from '../../daemon/guard/masks.ts';

describe('a pattern of columns', () => {
  test.each<[string, string | null, string | null, string, boolean]>([
    ['users.email', 'public', 'users', 'email', true],
    ['users.email', null, 'Users', 'EMAIL', true],
    ['users.email', 'public', null, 'email', true],
    ['users.email', 'public', 'orders', 'email', false],
    ['users.email', 'public', 'users', 'name', false],
    ['shop.users.email', 'shop', 'users', 'email', true],
    ['shop.users.email', 'public', 'users', 'email', false],
    ['shop.users.email', null, 'users', 'email', true],
    ['shop.users.email', 'public', 'shop.users', 'email', true],
    ['*.ssn', 'public', 'people', 'ssn', true],
    ['*.ssn', null, null, 'ssn', true],
    ['*.*_hash', 'public', 'people', 'pass_hash', true],
    ['/password|secret|token/', 'public', 'people', 'reset_token_sent', true],
    ['/password|secret|token/', 'public', 'people', 'name', false],
    ['/^pin$/', 'public', 'people', 'pin', true],
    ['/^pin$/', 'public', 'people', 'shipping', false],
    ['/^pin/', 'public', 'people', 'pin_code', true],
    ['/pin$/', 'public', 'people', 'pin_code', false],
    ['/token/', 'public', 'people', 'TOKEN', true],
  ])('%s takes %s.%s.%s: %s', (pattern, schema, table, column, isTaken) => {
    expect(isMasked([pattern], schema, table, column)).toBe(isTaken);
    if (isTaken && table !== null) expect(mayHaveMasked([pattern], schema, table)).toBe(true);
  });

  test.each([
    'email',
    'a.b.c.d',
    'users.',
    '.email',
    'users."email"',
    '/a(b|c)*/',
    '/a',
    '//',
    '/a|/',
    ' users.email',
    'users.em%',
  ])('%p is refused with a clause', pattern => {
    expect(maskPatternProblem(pattern)).toEqual(expect.any(String));
  });

  test.each(['users.email', '*.ssn', 'shop.*.token_*', '/password|secret|token/', '/^pin$/', '/schlüssel/'])(
    '%p is taken',
    pattern => {
      expect(maskPatternProblem(pattern)).toBeNull();
    },
  );

  test('a table that no pattern names has nothing masked', () => {
    expect(mayHaveMasked(['users.email'], 'public', 'orders')).toBe(false);
    expect(mayHaveMasked(['shop.users.email'], 'public', 'users')).toBe(false);
  });

  test('what goes is told, what comes and another case is not', () => {
    expect(unmaskings(['users.email', '*.ssn'], ['USERS.email', '*.pin'])).toEqual(['no longer masks *.ssn']);
  });
});
