/**
 * What a model pays on a schema that it has never seen: how many of 34 plain words find their table
 * among the first five, and what 14 questions cost in calls and in tokens (of o200k_base, the
 * encoding of gpt-tokenizer; the text or the structure, whichever is longer).
 */

import { beforeAll, expect, test } from '@jest/globals';
import { encode } from 'gpt-tokenizer';
import { plainWords, plainWordsSchema } from './plain-words-schema.ts';
import { connectionNames, describeWithThreeEngines, type ToolResult } from './three-engines.ts';

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const found = (search: string, tables: readonly string[], sql: string): readonly Call[] => [
  ['list_tables', { search }],
  ['describe_table', { tables }],
  ['execute_query', { sql }],
];

/** The calls that answer each, and the rows of the last, if it reads. */
const questions: readonly (readonly [asks: string, calls: readonly Call[], rows?: unknown])[] = [
  ['which databases there are', [['list_connections', {}]]],
  [
    'what is unpaid, by customer',
    found(
      'customer invoice',
      ['crm.cust', 'fin.inv_hdr'],
      "select c.nm, sum(i.tot) from fin.inv_hdr i join crm.cust c on c.id = i.cust_id where i.st = 'open' group by c.nm order by c.nm",
    ),
    [
      ['Aster', '70.00'],
      ['Cedar', '50.00'],
    ],
  ],
  [
    'the highest salary of each department',
    [
      ['list_tables', { search: 'salary department' }],
      ['describe_table', { tables: ['hr.emp_sal', 'hr.dept'] }],
      [
        'execute_query',
        {
          sql: 'select d.nm, max(s.sal) from hr.emp_sal s join hr.emp e on s.emp_id = e.id join hr.dept d on e.dept_id = d.id group by d.nm order by d.nm',
        },
      ],
    ],
    [
      ['Plant', '50000.00'],
      ['Sales', '90000.00'],
    ],
  ],
  [
    'who drives which car',
    found(
      'vehicles',
      ['fleet.veh'],
      'select v.plate, e.nm from fleet.veh v join hr.emp e on e.id = v.emp_id order by 1',
    ),
    [
      ['B-AB 12', 'Bob'],
      ['B-CD 34', 'Cy'],
    ],
  ],
  [
    'cars that failed inspection',
    found(
      'vehicle inspection',
      ['fleet.veh_insp'],
      'select v.plate from fleet.veh_insp i join fleet.veh v on v.id = i.veh_id where not i.ok',
    ),
    [['B-CD 34']],
  ],
  [
    'days of holiday taken in 2026',
    found('holidays', ['hr.absence'], "select sum(til - frm + 1) from hr.absence where kind = 'holiday'"),
    [['14']],
  ],
  [
    'what was ordered from each supplier',
    found(
      'supplier purchase order',
      ['tbl_supplier', 'tbl_purchase_order'],
      'select s.name, sum(o.total) from tbl_purchase_order o join tbl_supplier s on s.id = o.supplier_id group by s.name order by s.name',
    ),
    [
      ['Oak', '500.00'],
      ['Pine', '50.00'],
    ],
  ],
  [
    'what is out of stock',
    found('stock', ['lager.bestand'], 'select artikel_nr from lager.bestand where menge = 0'),
    [[8]],
  ],
  [
    'offene Rechnungen je Kunde',
    found(
      'Rechnungen Kunden',
      ['verkauf.rechnung', 'verkauf.kunde'],
      'select k.name, sum(r.betrag) from verkauf.rechnung r join verkauf.kunde k on k.nr = r.kunde_nr where not r.bezahlt group by k.name',
    ),
    [['Ulme', '50.00']],
  ],
  [
    'how many urgent tickets are open',
    found('tickets', ['sup.tkt'], 'select count(*) from sup.tkt where prio = 1 and closed is null'),
    [['1']],
  ],
  [
    'why goods come back most',
    found(
      'returns',
      ['shop."orderReturn"'],
      'select reason, count(*) from shop."orderReturn" group by reason order by 2 desc limit 1',
    ),
    [['broken', '2']],
  ],
  [
    'the suppliers as a file',
    [
      ['list_tables', { search: 'supplier' }],
      ['export_data', { table: 'tbl_supplier', format: 'csv' }],
    ],
  ],
  [
    'what closing all old tickets would change',
    [
      ['list_tables', { search: 'tickets' }],
      ['describe_table', { tables: ['sup.tkt'] }],
      ['preview_write', { sql: "update sup.tkt set closed = now() where closed is null and opened < '2026-09-04'" }],
    ],
  ],
  ['what was asked of vehicles before', [['search_query_history', { query: 'veh', limit: 3 }]]],
];

describeWithThreeEngines(
  'a schema of 300 tables that nobody has seen',
  three => {
    let token: string;
    beforeAll(async () => {
      await three.postgres.psql(plainWordsSchema(), 'shop');
      await three.here(['connections', 'set', 'Pg', '--external-clients', 'read-write']);
      await three.here(['settings', 'set', 'limits.requestsPerMinute', '0']);
      token = (await three.mint('--scope', 'read-write')).token;
    }, 120_000);

    const ask = async (tool: string, given: Readonly<Record<string, unknown>>) => {
      const where = ['list_connections', 'search_query_history'].includes(tool)
        ? {}
        : { connection: connectionNames.postgres };
      const { json } = await three.call(token, tool, { ...where, ...given });
      const { isError = false, content, structuredContent } = (json.result ?? {}) as ToolResult;
      const text = content?.[0]?.text ?? '';
      expect({ text, isError }).toEqual({ text, isError: false });
      return {
        text,
        structuredContent,
        tokens: Math.max(encode(text).length, encode(JSON.stringify(structuredContent)).length),
      };
    };

    test('of 34 plain words 24 find their table among the first five', async () => {
      expect(plainWords).toHaveLength(34);
      const missed: string[] = [];
      for (const [search, table] of plainWords) {
        const { structuredContent } = await ask('list_tables', { search });
        const names = Object.keys((structuredContent?.matches ?? {}) as object).slice(0, 5);
        if (!names.some(name => name === table || name === `public.${table}`))
          missed.push(`${search}: ${names.join(' ')}`);
      }
      expect({ missed, isEnough: plainWords.length - missed.length >= 24 }).toEqual({ missed, isEnough: true });
    });

    test('14 questions cost at most 38 calls and 4,500 tokens', async () => {
      let calls = 0;
      let tokens = 0;
      for (const [asks, path, rows] of questions) {
        let last: Awaited<ReturnType<typeof ask>> | undefined;
        for (const [tool, args] of path) {
          last = await ask(tool, args);
          calls += 1;
          tokens += last.tokens;
        }
        if (rows !== undefined) expect([asks, last?.structuredContent?.rows]).toEqual([asks, rows]);
      }
      expect(questions).toHaveLength(14);
      expect({ calls, isFew: calls <= 38, tokens, isCheap: tokens <= 4_500 }).toEqual({
        calls,
        isFew: true,
        tokens,
        isCheap: true,
      });
    });
  },
  { exports: 'at home' },
);
