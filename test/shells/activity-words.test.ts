import { expect, test } from '@jest/globals';
import { allTools } from '../../daemon/clients/mcp/tools/index.ts';
import { actionWords } from '../../daemon/shells/activity-words.ts';

test('a call is called as its tool calls itself', () => {
  // The list is made of the tools alone.
  for (const { name, title } of allTools({} as Parameters<typeof allTools>[0])) expect(actionWords(name)).toBe(title);
});

test('an action has words of its own, and one that nobody has written down is read without its marks', () => {
  expect(actionWords('connection.change')).toBe('Change a connection');
  expect(actionWords('explain_schema')).toBe('Explain schema');
  expect(actionWords('constructor')).toBe('Constructor');
  expect(actionWords('')).toBe('');
});
