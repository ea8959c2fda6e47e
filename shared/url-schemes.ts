/**
 * The beginning of a pasted URL: which engine it means, or which database that Sallyport doesn't
 * support.
 */

import type { Engine } from './engine.ts';
import { type RefusedUrl, refusedUrl } from './url-parts.ts';

/**
 * As written by PostgreSQL, Rails, Django (also django-environ), Laravel, Doctrine, SQLAlchemy and
 * Prisma.
 */
const engines: Readonly<Record<string, Engine>> = {
  ...engineNamed(
    'postgres',
    'postgres postgresql pg psql pgsql pdo-pgsql postgis cockroach cockroachdb timescale timescaledb timescalegis',
  ),
  ...engineNamed('mysql', 'mysql mysql2 mysqli mariadb pdo-mysql mysqlgis mysql-connector trilogy'),
  ...engineNamed('sqlite', 'sqlite sqlite3 pdo-sqlite spatialite file'),
};

/**
 * SQLAlchemy's drivers after a +, and TablePlus's word for no socket. Any other word there changes
 * where the URL leads: a tunnel, a proxy, a name server.
 */
const drivers = new Set(
  `psycopg psycopg2 psycopg2cffi psycopgasync psycopg3 asyncpg aiopg pg8000 pygresql pypostgresql
   pymysql mysqldb mysqlconnector mariadbconnector aiomysql asyncmy cymysql oursql pyodbc aiosqlite pysqlite
   mysqlclient mariadb pgx tcp`.split(/\s+/),
);

const unsupported: Readonly<Record<string, string>> = {
  mongodb: 'MongoDB',
  mongo: 'MongoDB',
  redis: 'Redis',
  rediss: 'Redis',
  valkey: 'Valkey',
  memcached: 'Memcached',
  mssql: 'SQL Server',
  sqlserver: 'SQL Server',
  oracle: 'Oracle',
  'oracle:thin': 'Oracle',
  db2: 'Db2',
  clickhouse: 'ClickHouse',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
  redshift: 'Redshift',
  duckdb: 'DuckDB',
  cassandra: 'Cassandra',
  scylladb: 'ScyllaDB',
  couchdb: 'CouchDB',
  dynamodb: 'DynamoDB',
  libsql: 'libSQL',
  neo4j: 'Neo4j',
  bolt: 'Neo4j',
  elasticsearch: 'Elasticsearch',
  trino: 'Trino',
  presto: 'Presto',
  databricks: 'Databricks',
  firebird: 'Firebird',
  h2: 'H2',
  prisma: 'Prisma Accelerate',
  mysqlx: "MySQL's X protocol (port 33060)",
};

export interface Scheme {
  readonly engine: Engine;
  /** The text after the scheme and its colon. */
  readonly rest: string;
}

/** @returns null if the text has no scheme, `unknown` if the scheme isn't known. */
export function schemeOf(text: string): Scheme | RefusedUrl | 'unknown' | null {
  const [whole, typed, driver] = /^(?:jdbc:)?([a-z][a-z0-9._-]*)(?:\+([a-z0-9_-]+))?:/i.exec(text) ?? [];
  if (whole === undefined || typed === undefined) return null;
  const scheme = typed.toLowerCase().replaceAll('_', '-');
  const other = unsupportedDatabase(scheme);
  if (other !== null) return refusedUrl(`That is not a URL that Sallyport knows: ${notSupported(other)}`);
  const engine = Object.hasOwn(engines, scheme) ? engines[scheme] : undefined;
  if (engine === undefined) return 'unknown';
  if (driver?.toLowerCase() === 'ssh') {
    return refusedUrl('That URL has an SSH tunnel, which is not read here; `sallyport connections add` reads it.');
  }
  if (driver !== undefined && !drivers.has(driver.toLowerCase().replaceAll('_', ''))) {
    return refusedUrl("Sallyport doesn't know the driver after the + of the URL; leave it out.");
  }
  return { engine, rest: text.slice(whole.length) };
}

/** The name of a database that Sallyport doesn't support; null for any other word. */
export function unsupportedDatabase(word: string): string | null {
  return Object.hasOwn(unsupported, word) ? (unsupported[word] ?? null) : null;
}

export function notSupported(database: string): string {
  return `${database} is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.`;
}

function engineNamed(engine: Engine, names: string): Readonly<Record<string, Engine>> {
  return Object.fromEntries(names.split(' ').map(name => [name, engine]));
}
