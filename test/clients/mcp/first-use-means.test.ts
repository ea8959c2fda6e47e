import { expect, test } from '@jest/globals';
import { meansOf } from '../../../daemon/clients/mcp/tools/first-use-means.ts';

const now = Date.parse('2026-01-01T08:00:00Z');

test.each([
  ['readOnly', null, 8, 'Read only, for 8 hours.'],
  ['readOnly', null, 1, 'Read only, for an hour.'],
  ['readOnly', null, 0, 'Read only, for this call.'],
  ['readWrite', null, 8, 'Read and write, for 8 hours.'],
  ['readWrite', null, 0, 'Read and write, for this call.'],
  ['readWrite', '2026-01-01T16:00:00Z', 8, 'Read and write, for 8 hours.'],
  ['readWrite', '2026-01-01T08:00:10Z', 0, 'Read and write, for this call.'],
  ['readWrite', '2026-01-01T15:59:59Z', 8, 'Read for 8 hours, and write for the first 7 hours of it.'],
  ['readWrite', '2026-01-01T08:55:30Z', 8, 'Read for 8 hours, and write for the first 55 minutes of it.'],
  ['readWrite', '2026-01-01T08:00:30Z', 1, 'Read for an hour, and write for the first minute of it.'],
] as const)('%s, writing until %s, remembered for %d hours', (level, writeUntil, hours, sentence) => {
  const connection = { externalClients: { level, writeUntil } };
  expect(meansOf({ level }, connection, hours, now)).toBe(sentence);
  const said = `${sentence} What it reads is held by one wall where the server is none.`;
  expect(meansOf({ level }, { ...connection, walls: 'one' }, hours, now)).toBe(said);
});
