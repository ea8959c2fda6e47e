import { expect, test } from '@jest/globals';
import { allTools } from '../../daemon/clients/mcp/tools/index.ts';
import { actionWords, reasonWords } from '../../daemon/shells/activity-words.ts';

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

test.each([
  ['user_cancelled: the answer was no', 'The answer was no'],
  ['denied: nobody could be asked', 'Nobody could be asked'],
  ['outcome_unknown', 'Outcome unknown'],
  ['timeout', 'Timeout'],
  ['history.query: AI clients may not read "Payroll" unasked.', 'AI clients may not read "Payroll" unasked.'],
  ['changed: name, tls; reads', 'changed: name, tls; reads'],
  ['locked out', 'locked out'],
  ['denied_', 'denied_'],
  ['', ''],
])('the reason %j is read as %j', (reason, read) => {
  expect(reasonWords(reason)).toBe(read);
});
