/**
 * Sentences name no tool that a client can't call: each such word is a tool's name or is listed
 * below.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { allTools } from '../../../daemon/clients/mcp/tools/index.ts';

const source = new URL('../../../daemon/', import.meta.url);
const files = readdirSync(source, { recursive: true }).filter(file =>
  /^((statement|guard|clients\/mcp)\/.*|engines\/([^/]+|(count|\w+\/(dialect|follow|preview|count|role))\b.*))\.ts$/.test(
    String(file),
  ),
);

const comments = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm;
/** A sentence is on one line. */
const literals = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g;
const sentence = /[a-z,;:] [a-z]+ .*[.;]/;
const word = /(?<![.\w$])[a-z]+(?:_[a-z]+)+(?![\w(])/g;

const others = new Set(
  'pg_catalog pg_roles postgres_fdw pg_stats pg_settings ts_rewrite information_schema timeout_seconds max_rows max_bytes rows_affected insert_id digest_text'.split(
    ' ',
  ),
);

test('each tool that a sentence names exists', () => {
  const tools = new Set(allTools({} as Parameters<typeof allTools>[0]).map(({ name }) => name));
  const unknown: string[] = [];
  let named = 0;
  for (const file of files) {
    const text = readFileSync(new URL(String(file), source), 'utf8').replace(comments, '');
    for (const [literal] of text.matchAll(literals)) {
      if (!sentence.test(literal)) continue;
      for (const [found] of literal.replace(/\$\{[^}]*\}/g, '').matchAll(word)) {
        if (tools.has(found)) named += 1;
        else if (!others.has(found)) unknown.push(`${file}: ${literal}`);
      }
    }
  }
  expect(named).toBeGreaterThan(10);
  expect(unknown).toEqual([]);
});
