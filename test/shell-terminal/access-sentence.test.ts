/** The sentence after each change of a connection: what it lets AI clients do. */

import { expect, test } from '@jest/globals';
import { accessSentence } from '../../shell-terminal/access-sentence.ts';

const now = Date.parse('2026-11-20T12:00:00');
const level = (word: 'blocked' | 'readOnly' | 'readWrite', writeUntil: string | null = null) => ({
  level: word,
  writeUntil,
  now: word,
});

test.each([
  [level('blocked'), 'always', "AI clients don't see it."],
  [level('readWrite'), 'never', "AI clients don't see it."],
  [level('readOnly'), 'always', 'AI clients may read it, and write nothing.'],
  [level('readOnly'), 'askEachTime', 'AI clients may read it once you approve each; none may write.'],
  [level('readWrite'), 'always', 'AI clients may read it and write in it, until you say otherwise.'],
  [
    level('readWrite', new Date(now + 3_600_000).toISOString()),
    'always',
    'AI clients may read it and write in it, until 13:00.',
  ],
] as const)('%j, %s', (externalClients, aiPolicy, sentence) => {
  expect(accessSentence({ externalClients, aiPolicy }, now)).toBe(sentence);
});
