/** How many walls a proof counts: what an honest guard never shows is planted here. */

import { expect, test } from '@jest/globals';
import type { ConnectionProof } from '../../shared/control-commands.ts';
import { wallsOf } from '../../shell-terminal/proof/walls.ts';

type Attack = ConnectionProof['attacks'][number];

function attack(changes: Partial<Attack>): Attack {
  const none = { passed: 0, of: 4 };
  return {
    kind: 'server_control',
    tried: 4,
    statements: [],
    untried: 0,
    writes: 0,
    passed: [],
    session: none,
    account: none,
    ...changes,
  };
}
const passed = [{ sql: 'TRUNCATE goods', class: 'write' as const }];
const open = { passed: 4, of: 4 };

test.each([
  ['three walls', {}, 'readOnly', 3],
  ['an open account', { account: open }, 'readOnly', 2],
  ['an engine without accounts', { account: null }, 'readOnly', 2],
  ['a server without its wall', { session: null, account: open }, 'readOnly', 1],
  ['one that passed the guard', { passed, account: open }, 'readOnly', 1],
  ['nothing tried', { tried: 0, untried: 4, account: open }, 'readOnly', 1],
  ['what the level mostly allows', { writes: 3, account: open }, 'readWrite', null],
  ['the same that the account may not', { writes: 3 }, 'readWrite', null],
  ['what it allows one of', { writes: 1, account: open }, 'readWrite', 2],
  ['one that passed where writes are allowed', { writes: 3, passed, account: open }, 'readWrite', 0],
] as const)('%s', (_what, changes, level, walls) => {
  expect(wallsOf(attack(changes), level)).toBe(walls);
});
