import { expect, test } from '@jest/globals';
import { cleanClientName } from '../../../daemon/clients/mcp/client-name.ts';

test.each<[unknown, string | null]>([
  ['Claude Code', 'Claude Code'],
  ['  Zed ', 'Zed'],
  ['a\u0000b\n\u001b[31mc\u007f', 'ab[31mc'],
  ['pay\u202egnp.exe\u200b\u2066\ufeff', 'paygnp.exe'],
  ['line\u2028break\u2029', 'linebreak'],
  ['half a pair \ud83d', 'half a pair'],
  ['日本語 🚪', '日本語 🚪'],
  ['🚪'.repeat(100), '🚪'.repeat(64)],
  ['\u200b \n', null],
  ['', null],
  [7, null],
  [undefined, null],
])('%p becomes %p', (claimed, cleaned) => {
  expect(cleanClientName(claimed)).toBe(cleaned);
});
