/**
 * One saved PostgreSQL connection as a Database: a pool per database on the server, dialled when
 * first needed.
 */

import type { Endpoint } from '../../access/connection.ts';
import { wholeSight } from '../../guard/sight.ts';
import type { CallContext, Database, DatabaseFailure, DatabasePorts } from '../engine.ts';
import type { InTime } from '../in-time.ts';
import { withTrials } from '../read-wall-status.ts';
import { ServersInTurn } from '../servers-in-turn.ts';
import { SessionRoom } from '../session-room.ts';
import { mostSessions } from '../session-turns.ts';
import { sessionsInTurn } from '../sessions-in-turn.ts';
import { catalogTexts } from './catalog-texts.ts';
import { holdRun } from './count/held-run.ts';
import { countSteps } from './count/steps.ts';
import { count } from './count.ts';
import { hiddenTables } from './describe/hidden-tables.ts';
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
import { rights } from './rights.ts';
import { planRole } from './role.ts';
import { fateOf } from './run/fate.ts';
import { lockSeen } from './run/lock-seen.ts';
import { tryStops } from './run/stopping.ts';
import { run } from './run.ts';
import { listSchemas, listTables } from './schema.ts';
import { status } from './status.ts';
import { openWire } from './wire/open-wire.ts';
import { type AskNames, type TypeNames, typeNames } from './wire/type-names.ts';

/** Sessions that one client may hold: as many as it may have requests running. */
const shared = 8;

interface OneDatabase {
  readonly pool: Pool;
  readonly names: TypeNames;
}

/** Opens nothing: the first call loads the driver and dials. */
export function openPostgres(endpoint: Endpoint, ports: DatabasePorts): Database {
  const servers = new ServersInTurn(endpoint);
  const room = new SessionRoom(ports.now);
  const turns = sessionsInTurn(shared, ports.now, room);
  const opened = new Map<string, OneDatabase>();
  let closed = false;

  function openDatabase(database: string): OneDatabase {
    const pool = new Pool(servers, room, database, { shared, most: mostSessions(shared) }, ports);
    pool.lockSeen = (signal, process) => lockSeen(pool, signal, process);
    const beside: AskNames = (oids, modifiers) => askTypeNames(pool, lookUpContext, oids, modifiers, true);
    // If the server allows no second session, types are asked for in a turn of their own, after the
    // statement that needs their names.
    const later: AskNames = async (oids, modifiers) => {
      const names = await turns.within(lookUpContext, asked => askTypeNames(pool, asked, oids, modifiers, false));
      return names === null || 'kind' in names ? null : names;
    };
    return { pool, names: typeNames(beside, later) };
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

  async function using<Context extends CallContext, T>(
    context: Context,
    call: (one: OneDatabase, inTime: InTime<Context>) => Promise<T | DatabaseFailure>,
  ): Promise<T | DatabaseFailure> {
    const one = databaseFor(context);
    return 'kind' in one ? one : turns.within(context, inTime => call(one, inTime));
  }

  const database: Database = {
    dialect,
    run: (request, sink) => using(request, ({ pool, names }, asked) => run(pool, names, asked, sink)),
    rehearse: (context, work) => using(context, ({ pool, names }, asked) => rehearse(pool, names, asked, work)),
    follow: (classifier, context, sql, facts) => follow(database, classifier, context, sql, facts),
    planPreview: (classifier, planning) => planPreview(classifier, { ...planning, database }),
    count: counting => count({ ...counting, database }),
    holdRun,
    countSteps: holds => countSteps(database, holds),
    misreading: async (context, sql, use) => (use === 'run' ? valueInFromWarning(database, context, sql) : null),
    planRole: (context, wanted) => planRole(database, context, wanted, endpoint.databases === 'all'),
    rights: context => rights(database, context),
    fateOf: (context, trace) => using(context, ({ pool }, asked) => fateOf(pool, asked, trace)),
    status: async context =>
      withTrials(
        database,
        servers.readWall,
        context,
        await using(context, ({ pool }, asked) => status(pool, asked)),
        () => using(context, ({ pool }, asked) => tryStops(pool, asked)),
      ),
    lacksReadWall: () => servers.readWall.isMissing,
    listTables: (context, rowCounts = true) => using(context, ({ pool }, asked) => listTables(pool, asked, rowCounts)),
    listSchemas: context => using(context, ({ pool }, asked) => listSchemas(pool, asked, endpoint.databases)),
    catalogTexts: (context, words) => using(context, ({ pool }, asked) => catalogTexts(pool, asked, words)),
    describeTables: (context, names, withDdl) =>
      using(context, ({ pool }, asked) => describeTables(pool, asked, names, withDdl)),
    describeObjects: (context, name) => using(context, ({ pool }, asked) => describeObjects(pool, asked, name)),
    // A turn would last as long as the program is connected, so none is taken.
    async openWire(context) {
      const one = databaseFor(context);
      return 'kind' in one ? one : openWire(one.pool, context);
    },
    hiddenTables: context =>
      using(context, ({ pool }, asked) => hiddenTables(pool, asked, context.sight ?? wholeSight)),
    async close() {
      closed = true;
      turns.close();
      const all = [...opened.values()].map(({ pool }) => pool.close());
      opened.clear();
      await Promise.all(all);
    },
  };
  return database;
}

const typeNamesSql = `SELECT pg_catalog.format_type((CAST($1 AS pg_catalog.oid[]))[place], (CAST($2 AS pg_catalog.int4[]))[place])
FROM pg_catalog.generate_subscripts(CAST($1 AS pg_catalog.oid[]), 1) AS place ORDER BY place`;

const lookUpContext = {
  principal: null,
  client: 'types',
  database: null,
  schema: null,
  timeoutSeconds: 10,
  signal: new AbortController().signal,
};

async function askTypeNames(
  pool: Pool,
  context: CallContext,
  oids: readonly number[],
  modifiers: readonly number[],
  isBeside: boolean,
): Promise<readonly string[] | null> {
  const parameters = [`{${oids.join(',')}}`, `{${modifiers.join(',')}}`];
  const answer = await ask(pool, context, typeNamesSql, parameters, isBeside);
  return answer.kind === 'done' ? answer.value : null;
}
