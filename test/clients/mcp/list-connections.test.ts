/** `list_connections` with a thousand connections: pages that hold each once and fit an answer. */

import { expect, test } from '@jest/globals';
import { loadConnectionRegister } from '../../../daemon/access/connection-register.ts';
import type { ToolCall } from '../../../daemon/clients/mcp/tool.ts';
import { listConnections } from '../../../daemon/clients/mcp/tools/list-connections.ts';
import type { ToolPorts } from '../../../daemon/clients/mcp/tools/tool-ports.ts';
import { jsonOfContent } from '../../../daemon/engines/row-text.ts';
import { connectionWith, principalWith } from '../../access/principals.ts';

const names = Array.from({ length: 1_000 }, (_, at) => `Shop ${at}${at % 2 === 0 ? ' even' : ''}`);
const idOf = (at: number): string => `6f7f6a1e-0000-4000-8000-${String(at).padStart(12, '0')}`;
const connections = await loadConnectionRegister({
  load: async () => names.map((name, at) => connectionWith({ id: idOf(at), name })),
  save: async () => {},
  remove: async () => {},
  restore: async () => {},
  delete: async () => {},
});

const maxAnswerBytes = 16 * 1024;
const ports = { connections, now: () => 0, limits: () => ({ maxAnswerBytes }) } as Partial<ToolPorts> as ToolPorts;
const tool = listConnections(ports);

interface Page {
  readonly total?: number;
  readonly next_cursor?: string;
  readonly connections: readonly { readonly name: string }[];
}

async function page(asked: { readonly search?: string; readonly cursor?: string }): Promise<Page | null> {
  const outcome = await tool.run({ principal: principalWith() } as Partial<ToolCall> as ToolCall, asked);
  if (outcome.kind !== 'success') return null;
  const text = jsonOfContent(outcome.structuredContent);
  expect(Buffer.byteLength(text)).toBeLessThan(maxAnswerBytes);
  return JSON.parse(text) as Page;
}

test.each([
  ['all', {}, names],
  ['those of a search', { search: 'even' }, names.filter(name => name.endsWith('even'))],
])('%s, each on one page', async (_what, asked, wanted) => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const one: Page | null = await page({ ...asked, ...(cursor !== undefined && { cursor }) });
    if (one === null) throw new Error('a page was refused');
    if (one.next_cursor !== undefined) expect(one.total).toBe(wanted.length);
    found.push(...one.connections.map(({ name }) => name));
    cursor = one.next_cursor;
  } while (cursor !== undefined);
  expect(found.toSorted()).toEqual(wanted.toSorted());
});

test('a cursor of another search, or of nobody, is refused', async () => {
  const cursor = (await page({}))?.next_cursor ?? '';
  expect(await page({ cursor })).not.toBeNull();
  expect(await page({ search: 'even', cursor })).toBeNull();
  expect(await page({ cursor: 'x' })).toBeNull();
});
