/**
 * MCP servers that reach databases, by the names of their packages, images and programs: a line
 * each. Data, and the look-up; touches nothing.
 */

import { engineMeant } from '../setup/parts.ts';

/** `any`: what stands in the entry says which engine. */
type Reaches = 'postgres' | 'mysql' | 'sqlite' | 'any';

export interface Product {
  /** For people: the package's own name. */
  readonly name: string;
  readonly reaches: Reaches | { readonly cloud: string } | { readonly unsupported: string };
}

/**
 * Packages by their names without a version. A name with a slash is matched whole, others by their
 * last part; `*` is any text. What isn't here and has an engine's name in its own is that engine's
 * server, as the many forks are.
 */
const known: readonly (readonly [names: string, reaches: Product['reaches']])[] = [
  ['server-postgres mcp/postgres postgres-context-server', 'postgres'],
  ['postgres-mcp postgres-mcp-pro crystaldba/postgres-mcp pg-mcp pg-mcp-server pgmcp mcp-pg', 'postgres'],
  ['mcp-server-mysql mysql-mcp-server mcp-mysql mcp-mysql-server mysql-mcp mcp/mysql', 'mysql'],
  ['mcp-server-sqlite mcp-sqlite sqlite-mcp mcp-server-sqlite-npx mcp/sqlite', 'sqlite'],
  ['dbhub mcp-alchemy mcp-dbutils db-mcp-server mcp-database-server', 'any'],
  ['toolbox genai-toolbox mcp-toolbox @toolbox-sdk/server', 'any'],
  ['@executeautomation/database-server database-server mcp-server-jdbc sqlcl', 'any'],
  ['@dbx-app/mcp-server dbx-mcp dbx-mcp-server', 'any'],
  ['mcp-server-supabase supabase-mcp-server supabase-mcp', { cloud: 'Supabase' }],
  ['mcp-server-neon', { cloud: 'Neon' }],
  ['prisma', { cloud: 'Prisma' }],
  ['pscale', { cloud: 'PlanetScale' }],
  ['tiger', { cloud: 'Tiger Cloud' }],
  ['awslabs.*postgres* awslabs.*mysql* awslabs.*dsql* awslabs.*aurora*', { cloud: 'Amazon RDS' }],
  ['awslabs.*dynamodb*', { unsupported: 'DynamoDB' }],
  ['mongodb-mcp-server mcp-mongo-server mcp/mongodb', { unsupported: 'MongoDB' }],
  ['mcp-redis redis-mcp-server mcp/redis server-redis', { unsupported: 'Redis' }],
  ['mssql-mcp mssql-mcp-server mcp-mssql', { unsupported: 'SQL Server' }],
  ['mcp-clickhouse mcp/clickhouse', { unsupported: 'ClickHouse' }],
  ['mcp-snowflake-server snowflake-labs-mcp', { unsupported: 'Snowflake' }],
  ['mcp-server-motherduck', { unsupported: 'DuckDB' }],
  ['mcp-server-bigquery', { unsupported: 'BigQuery' }],
];

/** A server on the internet, by the end of its host. */
const hosts: Readonly<Record<string, string>> = {
  'supabase.com': 'Supabase',
  'neon.tech': 'Neon',
  'prisma.io': 'Prisma',
  'pscale.dev': 'PlanetScale',
  'planetscale.com': 'PlanetScale',
  'tigerdata.com': 'Tiger Cloud',
  'xata.io': 'Xata',
  'turso.tech': 'Turso',
};

/** @param program a package, an image, or the path of a program. */
export function productNamed(program: string): Product | null {
  const whole = plainName(program);
  const name = whole.split('/').at(-1) ?? whole;
  for (const [names, reaches] of known) {
    const found = names.split(' ').some(one => isNamed(one, one.includes('/') ? whole : name));
    if (found) return { name, reaches };
  }
  const engine = /mcp|server/.test(whole) ? engineMeant(name.replaceAll('-', ' ')) : null;
  return engine === null ? null : { name, reaches: engine };
}

/** @returns null if no database is known to be behind it. */
export function cloudAt(host: string): string | null {
  return Object.entries(hosts).find(([end]) => host === end || host.endsWith(`.${end}`))?.[1] ?? null;
}

/** `@Scope/server_x@1.2` and `registry.io/scope/server-x:tag` without their versions. */
function plainName(program: string): string {
  let name = program.toLowerCase().replace(/^(?:npm:|git\+https?:\/\/|https?:\/\/)/, '');
  for (const mark of ['==', '>=', '<=', '~=', '[']) name = before(name, name.indexOf(mark));
  const folder = name.lastIndexOf('/');
  for (const mark of ['@', ':']) name = before(name, name.indexOf(mark, folder + 2));
  return name.replace(/\.(?:exe|cmd|py|js|mjs|git)$/, '').replaceAll('_', '-');
}

function before(name: string, at: number): string {
  return at === -1 ? name : name.slice(0, at);
}

function isNamed(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === name || `@${pattern}` === name;
  let at = 0;
  return parts.every((part, index) => {
    const found = name.indexOf(part, at);
    at = found + part.length;
    return found !== -1 && (index > 0 || found === 0);
  });
}
