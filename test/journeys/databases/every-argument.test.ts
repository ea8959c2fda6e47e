/**
 * Calls each tool on each engine with good, odd and bad arguments, one by one and combined.
 * Whatever a client sends, the answer matches the tool's own schema or says what is wrong, stays
 * within its limits, and is never a fault of ours.
 */

import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { errorCodes } from '../../../shared/codes.ts';
import { type Answer, legacy, modern, openSession, send } from '../../clients/http/wire.ts';
import { connectionNames, describeWithThreeEngines, type EngineName, engineNames } from './three-engines.ts';

type Arguments = Readonly<Record<string, unknown>>;

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
  readonly outputSchema: Parameters<AjvJsonSchemaValidator['getValidator']>[0];
}

const tables = `create table things (id int primary key, name varchar(40) not null, note text);
  insert into things values (1, 'one', 'x'), (2, 'two', null), (3, 'drei ß', '€');
  create view seen as select id, name from things`;

const schemaOf: Readonly<Record<EngineName, string>> = { postgres: 'public', mysql: 'shop', sqlite: 'main' };

/** The right arguments for each tool. */
function meant(engine: EngineName): Readonly<Record<string, Arguments>> {
  const connection = connectionNames[engine];
  return {
    list_connections: {},
    list_tables: { connection },
    describe_table: { connection, table: 'things' },
    execute_query: { connection, sql: 'select * from things' },
    fetch_rows: { cursor: 'AAAAAAAAAAAAAAAAAAAAAAAA.1' },
    export_data: { connection, table: 'things', format: 'csv' },
    search_query_history: {},
    preview_write: { connection, sql: "update things set name = 'x' where id = 1" },
    confirm_destructive_operation: { connection, sql: 'drop table things' },
    propose_changes: { connection, statements: ['drop table things'], reason: 'it is old' },
  };
}

const odd = [
  ...['', ' ', '0', 'x'.repeat(257), 'x'.repeat(20_000), '💥\u202e\u0000', '\ud800', "'; drop table things; --"],
  ...['__proto__', 'constructor', '../../etc/passwd', '%', '*', '(((', '"', 'a.b.c.d', 'Größe 数据', '2026-02-30'],
  ...[null, true, 0, -1, 1, 1.5, 1e308, 2 ** 53, [], {}, [null], [['a']], { a: { b: [] } }],
];

/** Right values of each argument, and values that only look right. */
function wordsFor(argument: string, engine: EngineName): readonly unknown[] {
  switch (argument) {
    case 'connection':
      return [connectionNames[engine].toLowerCase(), 'Nowhere'];
    case 'table':
      return ['things', 'seen', 'thinks', `${schemaOf[engine]}.things`, 'sqlite_master'];
    case 'tables':
      return [['things'], ['things', 'seen', 'thinks'], Array(11).fill('things'), Array(10).fill('seen')];
    case 'sql':
      return [
        ...[
          'select 1 as one',
          'select',
          'select * from thinks',
          'select nane from things',
          'begin',
          'select 1; select 2',
        ],
        ...["update things set note = 'y' where id = 2", 'delete from things', 'drop table seen', '/* */', 'select $1'],
        ...[
          "select 'a' union all select null",
          `select '${'y'.repeat(60_000)}'`,
          "insert into things values (1, 'z', null)",
        ],
      ];
    case 'statements':
      return [
        ['drop view seen', 'drop table things'],
        ['select 1'],
        ['begin'],
        ['x'],
        Array(31).fill('drop view seen'),
      ];
    case 'parameters':
      return [[1], ['a', null, true, 1.5], Array(70_000).fill(1)];
    case 'schema':
      return [schemaOf[engine], 'pubic'];
    case 'database':
      return ['shop', 'shopp', 'mysql', 'postgres'];
    case 'format':
      return ['rows', 'csv', 'markdown', 'json', 'ndjson', 'xml'];
    case 'kind':
      return ['table', 'view', 'tables'];
    case 'search':
      return ['thing', 'no such word', 'thig'];
    case 'file_name':
      return ['mine', 'mine.csv', '.hidden', 'a/b'];
    case 'since':
    case 'until':
      return ['2026-01-01T00:00:00Z', 'yesterday'];
    case 'query':
      return ['select', '"a phrase', 'AND OR NOT', 'select*'];
    case 'max_bytes':
      return [1024, 8 * 1024 * 1024, 1023];
    case 'max_rows':
    case 'limit':
      return [2, 1000, 10_001];
    case 'timeout_seconds':
      return [0.1, 300, 301];
    default:
      return [true, false];
  }
}

/** A seeded generator: a failure names its arguments and can be repeated. */
function pickFrom(seed: number): <Item>(items: readonly Item[]) => Item {
  let state = seed;
  return items => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return items[state % items.length] as (typeof items)[number];
  };
}

function* argumentsOf(tool: ListedTool, engine: EngineName): Generator<Arguments> {
  const base = meant(engine)[tool.name];
  if (base === undefined) throw new Error(`${tool.name} is new; say above how it is called.`);
  const names = Object.keys(tool.inputSchema.properties ?? {});
  yield base;
  yield {};
  yield { ...base, nonsense: 1 };
  for (const name of names) {
    for (const value of [...wordsFor(name, engine), ...odd]) yield { ...base, [name]: value };
  }
  const pick = pickFrom(tool.name.length);
  for (let round = 0; round < 15 && names.length > 1; round += 1) {
    const several = Array.from({ length: 3 }, () => pick(names));
    const values = several.map(name => [name, pick([...wordsFor(name, engine), ...wordsFor(name, engine), ...odd])]);
    yield { ...base, ...Object.fromEntries(values) };
  }
}

/** More than any default answer: 24 KiB of rows, their description, and all of it again as text. */
const mostBytes = 2 * 40 * 1024;

describeWithThreeEngines(
  'each tool, each engine, each argument',
  three => {
    let token: string;
    let tools: readonly ListedTool[];
    const validators = new AjvJsonSchemaValidator();

    beforeAll(async () => {
      await three.postgres.psql(tables, 'shop');
      await three.mariadb.client(tables, { database: 'shop' });
      three.executeOnFile(tables);
      await three.here(['settings', 'set', 'limits.requestsPerMinute', '0']);
      for (const name of Object.values(connectionNames))
        await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
      token = (await three.mint('--scope', 'full-access')).token;
      const { json } = await send(three.url, modern(token, 'tools/list'));
      tools = json.result?.tools as unknown as readonly ListedTool[];
    }, 60_000);

    function problemOf(tool: ListedTool, args: Arguments, { json, text }: Answer): string | null {
      if (json.error !== undefined) {
        const { code, message } = json.error;
        if (code === errorCodes.internal || code === -32_603) return `a fault of ours: ${message}`;
        return typeof message === 'string' && /^[A-Z"`a-z].{10,}/s.test(message) ? null : `no sentence: ${message}`;
      }
      const { result } = json;
      const said = result?.content?.[0]?.text ?? '';
      if (result?.isError === true) {
        if (/internal|undefined|\[object|TypeError/.test(said)) return `a fault of ours: ${said}`;
        return said.length > 10 ? null : `no sentence: ${said}`;
      }
      const valid = validators.getValidator(tool.outputSchema)(result?.structuredContent);
      if (!valid.valid) return `not of its schema: ${valid.errorMessage}`;
      if (said === '') return 'no text';
      return args.max_bytes === undefined && text.length > mostBytes ? `${text.length} bytes` : null;
    }

    /** Only so many plans may wait at once. */
    async function refusePlans(): Promise<void> {
      const { stdout } = await three.here(['allow', '--json']);
      for (const { id } of JSON.parse(stdout) as readonly { id: string }[]) await three.here(['allow', 'no', id]);
    }

    describe.each(engineNames)('%s', engine => {
      afterEach(refusePlans, 60_000);

      test('2026-07-28', async () => {
        const problems: unknown[] = [];
        const answered = new Map<string, number>();
        for (const tool of tools) {
          for (const args of argumentsOf(tool, engine)) {
            const answer = await three.call(token, tool.name, args);
            const problem = problemOf(tool, args, answer);
            if (problem !== null) problems.push([tool.name, shown(args), problem.slice(0, 300)]);
            const isAnswered = answer.json.result?.isError !== true && answer.json.error === undefined;
            if (isAnswered) answered.set(tool.name, (answered.get(tool.name) ?? 0) + 1);
          }
        }
        expect(problems).toEqual([]);
        // The good calls succeed, except a cursor that was never given, and questions and plans
        // that nobody approves.
        const never = ['fetch_rows', 'confirm_destructive_operation', 'propose_changes'];
        expect(tools.map(({ name }) => name).filter(name => (answered.get(name) ?? 0) < 2)).toEqual(never);
      }, 300_000);

      test('2025-11-25: a wrong argument is the tool’s answer, for a model to read', async () => {
        const session = await openSession(three.url, token);
        const problems: unknown[] = [];
        for (const tool of tools) {
          for (const args of [...argumentsOf(tool, engine)].filter((_, index) => index % 11 === 0)) {
            const params = { name: tool.name, arguments: args };
            const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
            const answer = await send(three.url, legacy(token, message, session));
            const problem =
              answer.json.error?.code === errorCodes.invalidParams
                ? `a protocol error: ${answer.json.error.message}`
                : problemOf(tool, args, answer);
            if (problem !== null) problems.push([tool.name, shown(args), problem.slice(0, 300)]);
          }
        }
        expect(problems).toEqual([]);
      }, 300_000);
    });
  },
  { exports: 'at home' },
);

const shown = (args: Arguments): string => JSON.stringify(args).slice(0, 200);
