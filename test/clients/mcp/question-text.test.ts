/**
 * What a client shows its user for a question (spec §12): nothing in the statement looks like our
 * words or hides the rest.
 */

import { expect, test } from '@jest/globals';
import { questionForm } from '../../../daemon/clients/mcp/question-text.ts';

const laptop = { tokenName: 'laptop', isBox: false };

test('blank lines push nothing out of sight, and no blank passes for a space', () => {
  const text = `select 1;${'\n \t'.repeat(900)}\n\n~ … 9 blank lines\n\ndrop\u00a0table orders`;
  const { message } = questionForm(
    {
      kind: 'statement',
      client: 'Editor',
      means: 'Once.',
      connection: { id: 'c', name: 'shop', tags: [], colour: null },
      statement: { text, class: 'destructive', reason: 'It drops.', reasonParts: [], tables: ['orders'] },
    },
    laptop,
  );
  expect(message.split('\n').slice(-5)).toEqual([
    '> select 1;',
    '~ … 901 blank lines',
    '> ~ … 9 blank lines',
    '> ',
    '> drop\\u{a0}table orders',
  ]);
});

test.each([
  [
    '3,000 blanks',
    `delete from t where id = 1${' '.repeat(3000)}or true`,
    ['> delete from t where id = 1', '~ … 3000 blanks', ': or true'],
  ],
  [
    'tabs',
    `delete from t where id = 1\t\t\t\t\tor true`,
    ['> delete from t where id = 1', '~ … 5 blanks', ': or true'],
  ],
  ['twice', `a${' '.repeat(40)}b${' \t'.repeat(30)}c`, ['> a', '~ … 40 blanks', ': b', '~ … 60 blanks', ': c']],
  ['an indented line', `select 1,\n${' '.repeat(39)}2`, ['> select 1,', `> ${' '.repeat(39)}2`]],
  ['alone on its line', `a\n${' '.repeat(3_000)}\nb`, ['> a', '> ', '> b']],
  ['what looks like a count', `a\n~ … 40 blanks\n: or true`, ['> a', '> ~ … 40 blanks', '> : or true']],
])('many blanks hide nothing in a dialog that doesn’t wrap lines: %s', (_, text, rows) => {
  const { message } = questionForm(
    {
      kind: 'statement',
      client: 'Editor',
      means: 'Once.',
      connection: { id: 'c', name: 'shop', tags: [], colour: null },
      statement: { text, class: 'destructive', reason: 'It deletes.', reasonParts: [], tables: ['t'] },
    },
    laptop,
  );
  expect(message.split('\n').slice(-rows.length)).toEqual(rows);
});

test('who asks is named by its token, or by its box', () => {
  const content = {
    kind: 'first_use' as const,
    client: 'Editor',
    means: 'Read only.',
    statement: null,
    connection: { id: 'c', name: 'shop', tags: [], colour: null },
  };
  expect(questionForm(content, laptop).message).toContain('Asked by: Editor (as it calls itself), token laptop');
  expect(questionForm(content, { ...laptop, isBox: true }).message).toMatch(/^Asked by: .*, box laptop$/m);
});
