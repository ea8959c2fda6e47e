import { expect, test } from '@jest/globals';
import { withoutOptimizersText } from '../../../daemon/engines/mysql/run.ts';
import { noCuts, type RowText } from '../../../daemon/engines/row-text.ts';

/** MySQL 9.7's answer to EXPLAIN FORMAT=JSON, with the row that it read while planning. */
const plan = `{
  "query": "/* select#1 */ select '1' AS \`id\`,'top-secret \\"x\\"' AS \`secret\` from \`said\`.\`hidden\` where true",
  "query_plan": {
    "operation": "Rows fetched before execution",
    "estimated_rows": 1.0
  },
  "query_type": "select",
  "json_schema_version": "2.0"
}`;

function shown(sql: string, columns: readonly string[], cells: readonly string[]): readonly unknown[] {
  const rows: RowText[] = [];
  const sink = withoutOptimizersText(sql, { columns: () => {}, row: row => rows.push(row) > 0 });
  sink.columns(columns.map(name => ({ name, type: 'varchar' })));
  sink.row({ json: JSON.stringify(cells), cuts: noCuts });
  return JSON.parse(rows[0]?.json ?? '');
}

test.each(['explain format=json select 1', 'DESC FORMAT=JSON select 1', '/*!80300 explain format=json select 1 */'])(
  'the optimizer’s statement is left out, and everything else stays: %s',
  sql => {
    const [without] = shown(sql, ['EXPLAIN'], [plan]);
    expect(without).toBe(plan.replace(/ {2}"query": .*\n/, ''));
    expect(JSON.parse(String(without))).toEqual({ ...JSON.parse(plan), query: undefined });
  },
);

test('so is the beginning of a cut plan', () => {
  expect(shown('explain format=json select 1', ['EXPLAIN'], [plan.slice(0, 60)])).toEqual(['{\n']);
});

test('a text that is no plan stays', () => {
  expect(shown('select explain from plans', ['explain'], [plan])).toEqual([plan]);
  expect(shown('describe plans', ['Field', 'Type'], [plan, plan])).toEqual([plan, plan]);
});
