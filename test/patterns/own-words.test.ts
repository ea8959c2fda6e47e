/** The check for programs that read our own sentences; check.mjs runs it over each source. */

import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { ownWordsIn } from './own-words.ts';

const constants = new Map([
  ['taken', 'port is taken'],
  ['lowerCase', '^[a-z]+$'],
]);

function foundIn(code: string): string | null {
  const [statement] = parseSync(code, { syntax: 'typescript' }).body;
  if (statement?.type !== 'ExpressionStatement') throw new Error('an expression is expected');
  const { expression: read } = statement;
  return ownWordsIn((read.type === 'OptionalChainingExpression' ? read.base : read) as never, constants);
}

test.each([
  ["note.startsWith('Port ')", 'Port '],
  ["error.message.includes('its tunnel command')", 'its tunnel command'],
  ["problem?.endsWith('does not exist')", 'does not exist'],
  ["said.split(' The database said: ')", ' The database said: '],
  ['sentence.includes(`nobody has confirmed it`)', 'nobody has confirmed it'],
  ['/the CA file /.test(tested.problem)', 'the CA file '],
  ['/SSH could not sign in/.exec(message)', 'SSH could not sign in'],
  ['taken.test(message)', 'port is taken'],
  ['known.words.test(problem)', 'patterns'],
])('%s reads a sentence', (expression, words) => {
  expect(foundIn(expression)).toBe(words);
});

test.each([
  "note.code === 'port_taken'",
  "message.split('\\n')",
  "path.startsWith('My Files')",
  "text.includes('://')",
  'lowerCase.test(message)',
  'known.test(line)',
  "sentence.trim('a b')",
])('%s reads none', expression => {
  expect(foundIn(expression)).toBeNull();
});
