/**
 * One saved MySQL or MariaDB connection as a `Database`. This only puts the parts together; nothing
 * is dialled or loaded before the first call.
 */

import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Endpoint } from '../../access/connection.ts';
import type { Answer, CallContext, Database, DatabaseFailure, DatabasePorts, SessionKind } from '../engine.ts';
import type { InTime } from '../in-time.ts';
import { Made } from '../made.ts';
import { withTrials } from '../read-wall-status.ts';
import { ServersInTurn } from '../servers-in-turn.ts';
import { SessionRoom } from '../session-room.ts';
import { sessionsInTurn } from '../sessions-in-turn.ts';
import { catalogTexts } from './catalog-texts.ts';
import { holdRun } from './count/held-run.ts';
import { count } from './count.ts';
import { hiddenTables } from './describe/hidden-tables.ts';
import { describeObjects } from './describe/objects.ts';
import { describeTables } from './describe.ts';
import { dialer } from './dial.ts';
import { timeZoneWarning } from './dialect/time-zone-names.ts';
import { dialect } from './dialect.ts';
import { PlainTables } from './follow/plain-tables.ts';
import { follow } from './follow.ts';
import { type LookUp, lookingUp } from './look-up.ts';
import { counting, openPool, poolLimits } from './pool.ts';
import { planPreview } from './preview.ts';
import { rehearse } from './rehearse.ts';
import { rights } from './rights.ts';
import { planRole } from './role.ts';
import { openCanceller } from './run/cancel.ts';
import { type Destination, destinationOf } from './run/destination.ts';
import { knownTables } from './run/made-tables.ts';
import type { Runner } from './run/stage.ts';
import { tryStops } from './run/stopping.ts';
import { run } from './run.ts';
import { listSchemas, listTables } from './schema.ts';
import { status } from './status.ts';

/** How long a close waits for running writes to be stopped and undone, or committed. */
const closeMilliseconds = 4_000;

export function openMysql(endpoint: Endpoint, ports: DatabasePorts): Database {
  const servers = new ServersInTurn(endpoint);
  const dial = dialer(servers, ports);
  const room = new SessionRoom(ports.now);
  const closing = new AbortController();
  // Every running call listens to this signal, and there may be any number of calls.
  setMaxListeners(0, closing.signal);
  const runner: Runner = {
    pool: openPool(counting(dial, room), room),
    canceller: openCanceller(counting(dial, room), room),
    made: new Made(ports.now),
    readWall: servers.readWall,
    closing: closing.signal,
    now: ports.now,
  };

  /** Running writes. Each learns how it ended before its session is closed. */
  const writes = new Set<Promise<unknown>>();
  const tracked = <T>(session: SessionKind, ran: Promise<T>): Promise<T> => {
    if (session === 'read' || session === 'rollback') return ran;
    const settled: Promise<unknown> = ran.then(
      () => writes.delete(settled),
      () => writes.delete(settled),
    );
    writes.add(settled);
    return ran;
  };

  const turns = sessionsInTurn(poolLimits.shared, ports.now, room);

  const using = async <Context extends CallContext, T>(
    context: Context,
    call: (to: Destination, asked: InTime<Context>) => Promise<T | DatabaseFailure>,
  ): Promise<T | DatabaseFailure> => {
    const to = destinationOf(endpoint, context);
    return to.kind === 'done' ? turns.within(context, asked => call({ ...to.value, clock: asked.clock }, asked)) : to;
  };
  const withLookUp = <T>(
    context: CallContext,
    call: (lookUp: LookUp, to: Destination) => Promise<T>,
  ): Promise<Answer<T>> => using(context, (to, asked) => lookingUp(runner, asked, to, lookUp => call(lookUp, to)));

  const plain = new PlainTables(ports.now);
  const own = endpoint.databases === 'own' && endpoint.database !== null ? [endpoint.database] : null;
  const database: Database = {
    dialect,
    run: (request, sink) => using(request, (to, asked) => tracked(request.session, run(runner, asked, to, sink))),
    rehearse: (context, work) => using(context, (to, asked) => rehearse(runner, asked, to, work)),
    follow: (classifier, context, sql, facts) =>
      follow(database, endpoint.database, classifier, context, sql, facts, knownTables(runner.made), plain),
    planPreview: (classifier, planning) => planPreview(classifier, { ...planning, database }),
    count: counting => count({ ...counting, database }),
    holdRun: (counting, shown, excess) => holdRun({ ...counting, database }, shown, excess),
    misreading: (context, sql) => timeZoneWarning(database, context, sql),
    // A role for a connection to one database needs no rights in others.
    planRole: (context, wanted) => planRole(database, context, { ...wanted, schemas: wanted.schemas ?? own }),
    rights: context => rights(database, context),
    status: async context =>
      withTrials(
        database,
        servers.readWall,
        context,
        await withLookUp(context, lookUp => status(lookUp, ports.now)),
        () => using(context, (to, asked) => tryStops(runner, asked, to)),
      ),
    lacksReadWall: () => servers.readWall.isMissing,
    listTables: (context, rowCounts = true, where) =>
      // A database is a schema here, and nothing can be asked within one that doesn't exist.
      withLookUp(where === 'everywhere' ? { ...context, database: null } : context, (lookUp, to) =>
        listTables(lookUp, where === 'everywhere' && endpoint.databases === 'all' ? null : to.database, rowCounts),
      ),
    listSchemas: context => withLookUp(context, (lookUp, to) => listSchemas(lookUp, to.database, endpoint.databases)),
    catalogTexts: (context, words) =>
      withLookUp(context, (lookUp, to) =>
        // If no database is named, a search covers each that it may reach.
        catalogTexts(lookUp, isNamed(context) || endpoint.databases === 'own' ? to.database : null, words),
      ),
    describeTables: (context, names, withDdl) =>
      withLookUp(context, (lookUp, to) => describeTables(lookUp, to.database, names, withDdl)),
    describeObjects: (context, name) => withLookUp(context, (lookUp, to) => describeObjects(lookUp, to.database, name)),
    hiddenTables: context =>
      withLookUp({ ...context, database: null, schema: null }, lookUp => hiddenTables(lookUp, context.sight)),
    close: async () => {
      turns.close();
      closing.abort();
      await Promise.race([Promise.all(writes), wait(closeMilliseconds, undefined, { ref: false })]);
      runner.pool.close();
      await runner.canceller.close();
    },
  };
  return database;
}

function isNamed({ database, schema }: CallContext): boolean {
  return database !== null || schema !== null;
}
