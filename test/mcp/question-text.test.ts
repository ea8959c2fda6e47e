/** What a client shows to its user for a question (spec §12): nothing in the statement passes for ours, or hides the rest. */

import { expect, test } from '@jest/globals';
import { questionForm } from '../../daemon/mcp/question-text.ts';

test('blank lines push nothing out of sight, and no blank passes for a space', () => {
  const text = `select 1;${'\n \t'.repeat(900)}\n\n~ … 9 blank lines\n\ndrop\u00a0table orders`;
  const { message } = questionForm(
    {
      kind: 'destructive_statement',
      client: 'Editor',
      means: 'Once.',
      connection: { id: 'c', name: 'shop', tags: [], colour: null },
      statement: { text, class: 'destructive', reason: 'It drops.', tables: ['orders'] },
    },
    'laptop',
  );
  expect(message.split('\n').slice(-5)).toEqual([
    '> select 1;',
    '~ … 901 blank lines',
    '> ~ … 9 blank lines',
    '> ',
    '> drop\\u{a0}table orders',
  ]);
});
