/**
 * One saved PostgreSQL connection as a Database: a pool per database on the server, dialled when
 * first needed.
 */

import type { Endpoint } from '../../access/connection.ts';
import type { CallContext, Database, DatabaseFailure, DatabasePorts } from '../engine.ts';
import { withReadWall } from '../read-wall-status.ts';
import { ServersInTurn } from '../servers-in-turn.ts';
import { mostSessions } from '../session-turns.ts';
import { type SessionsInTurn, sessionsInTurn } from '../sessions-in-turn.ts';
import { catalogTexts } from './catalog-texts.ts';
import { holdRun } from './count/held-run.ts';
import { count } from './count.ts';
import { describeObjects } from './describe/objects.ts';
import { describeTables } from './describe.ts';
import { databaseOf } from './dial.ts';
import { valueInFromWarning } from './dialect/values-in-from.ts';
import { dialect } from './dialect.ts';
import { follow } from './follow.ts';
import { ask } from './look-up.ts';
import { Pool } from './pool.ts';
import { planPreview } from './preview.ts';
import { rehearse } from './rehearse.ts';
import { planRole } from './role.ts';
import { endLeft } from './run/cancel.ts';
import { run } from './run.ts';
import { listSchemas, listTables } from './schema.ts';
import { status } from './status.ts';
import { type TypeNames, typeNames } from './wire/type-names.ts';

/**
 * Sessions per database that one client may hold: as many as it may have requests running. A small
 * server allows 100.
 */
const shared = 8;
/**
 * A separate session looks up names of user-defined types, so statements that wait for a name can't
 * block each other.
 */
const lookUpSize = { shared: 1, most: 1 };

interface OneDatabase {
  /** The queue for the pool's sessions. */
  readonly turns: SessionsInTurn;
  readonly pool: Pool;
  /**
   * Apart from the pool, since statements wait for it while they hold one of the pool's sessions.
   */
  readonly lookUps: Pool;
  readonly names: TypeNames;
}

/** Opens nothing: the first call loads the driver and dials. */
export function openPostgres(endpoint: Endpoint, ports: DatabasePorts): Database {
  const servers = new ServersInTurn(endpoint);
  const opened = new Map<string, OneDatabase>();
  let closed = false;

  function openDatabase(database: string): OneDatabase {
    const lookUps = new Pool(servers, database, lookUpSize, ports);
    return {
      turns: sessionsInTurn(shared),
      pool: new Pool(servers, database, { shared, most: mostSessions(shared) }, ports),
      lookUps,
      names: typeNames((oids, modifiers) => askTypeNames(lookUps, oids, modifiers)),
    };
  }

  function databaseFor(context: CallContext): OneDatabase | DatabaseFailure {
    const own = databaseOf(endpoint);
    const database = context.database ?? own;
    if (closed) return { kind: 'not_connected', message: 'This connection was closed.' };
    if (database.includes('\0')) return { kind: 'unsupported', message: 'A database name cannot contain NUL.' };
    if (endpoint.databases === 'own' && database !== own) {
      return {
        kind: 'unsupported',
        message: `This connection reaches the database ${own} only; leave the database out.`,
      };
    }
    const known = opened.get(database) ?? openDatabase(database);
    opened.set(database, known);
    return known;
  }

  async function using<T>(context: CallContext, call: (one: OneDatabase) => Promise<T>): Promise<T | DatabaseFailure> {
    const one = databaseFor(context);
    return 'kind' in one ? one : one.turns.within(context, () => call(one));
  }

  const database: Database = {
    dialect,
    run: (request, sink) => using(request, ({ pool, names }) => run(pool, names, request, sink)),
    rehearse: (context, work) =>
      using(context, ({ pool, names, lookUps }) => rehearse(pool, names, lookUps, context, work)),
    follow: (classifier, context, sql, facts) => follow(database, classifier, context, sql, facts),
    planPreview: (classifier, planning) => planPreview(classifier, { ...planning, database }),
    count: counting => count({ ...counting, database }),
    holdRun: (counting, shown, excess) => holdRun(counting, shown, excess),
    misreading: async (context, sql, use) => (use === 'run' ? valueInFromWarning(database, context, sql) : null),
    planRole: (context, wanted) => planRole(database, context, wanted, endpoint.databases === 'all'),
    status: async context =>
      withReadWall(database, servers.readWall, context, await using(context, ({ pool }) => status(pool, context))),
    listTables: (context, rowCounts = true) => using(context, ({ pool }) => listTables(pool, context, rowCounts)),
    listSchemas: context => using(context, ({ pool }) => listSchemas(pool, context, endpoint.databases)),
    catalogTexts: (context, words) => using(context, ({ pool }) => catalogTexts(pool, context, words)),
    describeTables: (context, names, withDdl) =>
      using(context, ({ pool }) => describeTables(pool, context, names, withDdl)),
    describeObjects: (context, name) => using(context, ({ pool }) => describeObjects(pool, context, name)),
    endLeft: notes => endLeft(servers.inTurn, notes),
    async close() {
      closed = true;
      for (const { turns } of opened.values()) turns.close();
      const all = [...opened.values()].flatMap(({ pool, lookUps }) => [pool.close(), lookUps.close()]);
      opened.clear();
      await Promise.all(all);
    },
  };
  return database;
}

const typeNamesSql = `SELECT pg_catalog.format_type((CAST($1 AS pg_catalog.oid[]))[place], (CAST($2 AS pg_catalog.int4[]))[place])
FROM pg_catalog.generate_subscripts(CAST($1 AS pg_catalog.oid[]), 1) AS place ORDER BY place`;

const lookUpSeconds = 10;

async function askTypeNames(
  pool: Pool,
  oids: readonly number[],
  modifiers: readonly number[],
): Promise<readonly string[] | null> {
  const context = {
    principal: null,
    client: 'types',
    database: null,
    schema: null,
    timeoutSeconds: lookUpSeconds,
    signal: new AbortController().signal,
  };
  const answer = await ask(pool, context, typeNamesSql, [`{${oids.join(',')}}`, `{${modifiers.join(',')}}`]);
  return answer.kind === 'done' ? answer.value : null;
}
