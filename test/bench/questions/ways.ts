/**
 * How each server's model gets from a question to its answer: our calls, put into a rival's. None is
 * a detour: a search that finds nothing isn't made.
 */

import type { Call } from '../../journeys/databases/fourteen-questions.ts';

/** The calls in place of one of ours; null if nothing there does it. */
export type Way = (call: Call) => readonly Call[] | null;

/** Names and comments that hold a word, and the columns of the tables found: plain SQL. */
function inCatalog(sqlCall: (sql: string) => Call): Way {
  return ([tool, args]) => {
    if (tool === 'list_tables') return [sqlCall(args.kind === undefined ? findingSql(String(args.search)) : viewsSql)];
    if (tool === 'describe_table') return [sqlCall(columnsSql(tablesOf(args))), ...sample(args, sqlCall)];
    return statement(tool, args, sqlCall);
  };
}

const viewsSql = 'select schemaname, matviewname from pg_matviews';

function findingSql(search: string): string {
  const words = search.split(' ').map(word => `'%${word}%'`);
  return `select distinct c.oid::regclass as "table", obj_description(c.oid, 'pg_class') as comment
    from pg_class c left join pg_description d on d.objoid = c.oid where c.relkind in ('r', 'p', 'v', 'm')
    and (c.relname ilike any (array[${words}]) or d.description ilike any (array[${words}]))`;
}

function columnsSql(tables: readonly string[]): string {
  const named = tables.map(table => `'${table}'::regclass`);
  return `select attrelid::regclass as "table", attname, format_type(atttypid, atttypmod) as type,
    col_description(attrelid, attnum) as comment from pg_attribute
    where attrelid in (${named}) and attnum > 0 order by attrelid, attnum`;
}

function tablesOf({ tables, table }: Call[1]): readonly string[] {
  return (tables ?? [table]) as readonly string[];
}

/** A document's members are in its rows alone. */
function sample(args: Call[1], sqlCall: (sql: string) => Call): readonly Call[] {
  if (args.include_sample !== true) return [];
  return tablesOf(args).map(table => sqlCall(`select * from ${table} limit 1`));
}

function statement(tool: string, { sql }: Call[1], sqlCall: (sql: string) => Call): readonly Call[] | null {
  if (tool === 'execute_query') return [sqlCall(String(sql))];
  // What an update would change can at least be counted.
  const update = /^update (\S+) set .*? where (.*)$/.exec(String(sql));
  if (tool === 'preview_write' && update !== null)
    return [sqlCall(`select count(*) from ${update[1]} where ${update[2]}`)];
  return null;
}

const executeSql = (sql: string): Call => ['execute_sql', { sql }];

/** dbhub searches for a part of a name; what only a comment says is in a schema's summary. */
const dbhubSearches: Readonly<Record<string, readonly Call[1][]>> = {
  customers: [{ object_type: 'table', pattern: '%cust%' }],
  'customer invoice': [
    { object_type: 'table', pattern: '%cust%' },
    { object_type: 'table', pattern: '%inv%' },
  ],
  parcels: summaryOf('logistics'),
  salary: [{ object_type: 'column', pattern: '%sal%' }],
  tickets: summaryOf('support'),
  'events partner': [{ object_type: 'table', pattern: '%ev%' }],
  sensors: [{ object_type: 'column', pattern: '%sensor%' }],
  newsletter: [{ object_type: 'column', pattern: '%news%' }],
  'hr manager': [{ object_type: 'column', pattern: '%mgr%' }],
  'sales products': [{ object_type: 'table', pattern: '%prod%' }],
};

function summaryOf(schema: string): readonly Call[1][] {
  return [{ object_type: 'schema' }, { object_type: 'table', schema, detail_level: 'summary' }];
}

const search = (args: Call[1]): Call => ['search_objects', args];

export const ways = {
  ours: call => [call],
  dbhub: ([tool, args]) => {
    if (tool === 'list_tables')
      return args.kind === undefined ? (dbhubSearches[String(args.search)] ?? []).map(search) : [executeSql(viewsSql)];
    if (tool !== 'describe_table') return statement(tool, args, executeSql);
    const described = tablesOf(args).map(table => {
      const [schema, pattern] = table.split('.');
      return search({ object_type: 'table', schema, pattern, detail_level: 'full' });
    });
    return [...described, ...sample(args, executeSql)];
  },
  dbhubCatalog: inCatalog(executeSql),
  toolbox: ([tool, args]) => {
    if (tool === 'list_tables')
      return [args.kind === undefined ? ['list_tables', { output_format: 'simple' }] : executeSql(viewsSql)];
    if (tool !== 'describe_table') return statement(tool, args, executeSql);
    const names = tablesOf(args).map(table => table.split('.')[1]);
    return [['list_tables', { table_names: names.join(',') }], ...sample(args, executeSql)];
  },
  serverPostgres: inCatalog(sql => ['query', { sql }]),
} satisfies Record<string, Way>;
