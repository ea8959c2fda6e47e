/** What fourteen questions about 300 unseen tables cost: tokens of all answers, and calls. */

import { beforeAll, expect, test } from '@jest/globals';
import { encode } from 'gpt-tokenizer';
import { questions, schemas, shop } from './fourteen-questions.ts';
import { connectionNames, describeWithThreeEngines, type ToolResult } from './three-engines.ts';

describeWithThreeEngines(
  'fourteen questions on 300 unseen tables',
  three => {
    let token: string;
    beforeAll(async () => {
      await three.postgres.psql(shop, 'shop');
      await three.here(['connections', 'set', 'Pg', '--external-clients', 'read-write']);
      token = (await three.mint('--scope', 'read-write')).token;
    }, 120_000);

    /** What a model reads of it: the text or the structure, whichever is longer. */
    const ask = async (tool: string, given: Readonly<Record<string, unknown>>) => {
      const where = tool === 'list_connections' ? {} : { connection: connectionNames.postgres };
      const { json } = await three.call(token, tool, { ...where, ...given });
      const { isError, content, structuredContent } = (json.result ?? {}) as ToolResult;
      const text = content?.[0]?.text ?? '';
      expect({ text, isError: isError ?? false }).toEqual({ text, isError: false });
      const tokens = Math.max(encode(text).length, encode(JSON.stringify(structuredContent)).length);
      return { text, structuredContent, tokens };
    };

    test('cost at most 4,000 tokens in 38 calls', async () => {
      let calls = 0;
      let tokens = 0;
      for (const { calls: path, rows } of questions) {
        const told: string[] = [];
        for (const [tool, args] of path) {
          const answer = await ask(tool, args);
          for (const name of String(args.sql ?? '').match(/\b[a-z]+\.[a-z_]+\b/g) ?? [])
            if (schemas.includes(name.split('.')[0] ?? '')) expect(told.join('\n')).toContain(name);
          told.push(answer.text);
          calls += 1;
          tokens += answer.tokens;
          if (rows !== undefined && tool === 'execute_query') expect(answer.structuredContent?.rows).toEqual(rows);
        }
      }
      expect(questions).toHaveLength(14);
      expect(calls).toBeLessThanOrEqual(38);
      expect(tokens).toBeGreaterThan(1_000);
      expect(tokens).toBeLessThanOrEqual(4_000);
    });

    test.each([
      ['execute_query', { sql: 'select count(*) from crm.cust_mst' }, 20],
      ['list_connections', {}, 80],
      ['export_data', { table: 'billing.bulk', format: 'csv' }, 110],
      ['preview_write', { sql: `update crm.prf set news = 0 where ctry = 'DE'` }, 95],
      ['describe_table', { table: 'ops.msr' }, 130],
      ['describe_table', { table: 'ops.evt', include_sample: true }, 280],
      ['execute_query', { sql: 'select * from billing.bulk' }, 4_300],
      ['list_tables', { search: 'sales products' }, 80],
    ] as const)('%s %j costs at most %d tokens', async (tool, args, most) => {
      const { tokens } = await ask(tool, args);
      expect(tokens).toBeLessThanOrEqual(most);
    });
  },
  { exports: 'at home' },
);
