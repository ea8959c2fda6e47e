import { expect, test } from '@jest/globals';
import { encode } from 'gpt-tokenizer';
import { buildCatalog } from '../../../daemon/clients/mcp/tool-catalog.ts';
import { allTools } from '../../../daemon/clients/mcp/tools/index.ts';

/** The list needs only the tools; no port is used before a call. */
const untouched = {} as Parameters<typeof allTools>[0];
const tools = allTools(untouched);
const bytesOf = (scope: 'readOnly' | 'readWrite' | 'fullAccess'): number =>
  Buffer.byteLength(JSON.stringify({ tools: buildCatalog(tools).listFor(scope) }));

test('the whole list stays within the size of spec §9', () => {
  expect(bytesOf('fullAccess')).toBeLessThan(16 * 1024);
});

test.each([
  ['readOnly', 900],
  ['readWrite', 1_400],
  ['fullAccess', 1_400],
] as const)('the list costs a model with %s in each conversation at most %d tokens', (scope, most) => {
  const paid = encode(JSON.stringify({ tools: buildCatalog(tools).listFor(scope) })).length;
  expect(paid).toBeGreaterThan(300);
  expect(paid).toBeLessThanOrEqual(most);
});

test('a read-only token is offered read-only tools, a writing one those that may destroy', () => {
  const hints = (scope: 'readOnly' | 'readWrite' | 'fullAccess') =>
    Object.fromEntries(
      buildCatalog(tools)
        .listFor(scope)
        .map(({ name, annotations }) => [name, [annotations?.readOnlyHint, annotations?.destructiveHint]]),
    );
  // It exports to a file of the user's, a new one at each call.
  const { export_data: exporting, ...reads } = hints('readOnly');
  expect(exporting).toEqual([false, false]);
  expect(new Set(Object.values(reads).map(String))).toEqual(new Set(['true,']));
  expect(hints('readWrite').execute_query).toEqual([false, true]);
  expect(hints('fullAccess').confirm_destructive_operation).toEqual([false, true]);
  const [reading, writing] = (['readOnly', 'readWrite'] as const).map(
    scope =>
      buildCatalog(tools)
        .listFor(scope)
        .find(({ name }) => name === 'execute_query')?.description,
  );
  expect(reading).not.toMatch(/write/);
  expect(writing).toMatch(/write/);
});

test('each scope sees what it may call, in one order', () => {
  const names = (scope: 'readOnly' | 'readWrite' | 'fullAccess') =>
    buildCatalog(tools)
      .listFor(scope)
      .map(tool => tool.name);
  expect(names('readOnly')).toEqual([
    'list_connections',
    'list_tables',
    'describe_table',
    'execute_query',
    'fetch_rows',
    'export_data',
    'search_query_history',
  ]);
  expect(names('readWrite')).toEqual([
    ...names('readOnly').slice(0, 6),
    'preview_write',
    'propose_changes',
    'search_query_history',
  ]);
  expect(names('fullAccess')).toEqual([
    ...names('readOnly').slice(0, 6),
    'preview_write',
    'confirm_destructive_operation',
    'propose_changes',
    'search_query_history',
  ]);
});
