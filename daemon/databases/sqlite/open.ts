/**
 * An SQLite file behind the `Database` port. Statements run in child processes (worker.ts), because the driver blocks
 * its process and only a process can be stopped; nothing is started or opened before the first call.
 */

import { setMaxListeners } from 'node:events';
import { programFile } from '../../../shared/programs.ts';
import type { Endpoint } from '../../access/connection.ts';
import type {
  Answer,
  CallContext,
  Database,
  DatabaseFailure,
  DatabasePorts,
  Rehearsal,
  RowSink,
  StatementOutcome,
  StatementRequest,
} from '../../query/database.ts';
import { mostSessions } from '../../query/session-turns.ts';
import { sessionsInTurn } from '../sessions-in-turn.ts';
import { catalogTexts } from './catalog-texts.ts';
import { startChild, type WorkerCommand } from './child.ts';
import { describeTables } from './describe.ts';
import { identifyFile, type RefuseFile } from './file.ts';
import { type LookUp, lookUpWith } from './look-up.ts';
import { openPool, type PoolLimits } from './pool.ts';
import { rehearseOn } from './rehearsal.ts';
import { runOn } from './run.ts';
import { listTables } from './schema.ts';
import { status } from './status.ts';
import { type Watch, watchFor } from './watch.ts';
import type { FileIdentity } from './worker-protocol.ts';

export interface SqlitePorts extends DatabasePorts {
  readonly refuseFile: RefuseFile;
  /** Null: this process's own Node executable and the compiled worker beside this file. */
  readonly workerCommand: WorkerCommand | null;
}

/** Children that one client may keep busy: each is a process. */
const sharedChildren = 4;
/** An idle child still has the file open, which in WAL mode keeps other programs from leaving that mode. */
const poolLimits: PoolLimits = { most: mostSessions(sharedChildren), idleMilliseconds: 20_000 };

export function openSqlite(endpoint: Endpoint, ports: SqlitePorts): Database {
  const command = ports.workerCommand ?? { executable: process.execPath, file: programFile('sqlite-worker') };
  const pool = openPool(() => startChild(command), poolLimits);
  const closing = new AbortController();
  // One listener a statement, taken off at its end: any number is right.
  setMaxListeners(0, closing.signal);

  const turns = sessionsInTurn(sharedChildren);

  const using = async <T>(
    context: CallContext,
    work: (file: FileIdentity) => Promise<T>,
  ): Promise<T | DatabaseFailure> => {
    const elsewhere = otherPlace(context, endpoint.filePath);
    if (elsewhere !== null) return { kind: 'unsupported', message: elsewhere };
    const file = await identifyFile(endpoint.filePath, ports.refuseFile);
    return file.kind === 'done' ? turns.within(context, () => work(file.value)) : file;
  };

  const runInTurn = async (request: StatementRequest, sink: RowSink, file: FileIdentity): Promise<StatementOutcome> => {
    const watch = watchFor(request, closing.signal);
    try {
      for (let tries = 1; ; tries += 1) {
        const child = await pool.acquire(watch.signal);
        if (child === null) return notBegun(watch);
        const worn = child.uses > 0;
        const { sql, parameters, session, limits, mayCommit } = request;
        const asks = session === 'write' && mayCommit !== undefined;
        const line = { kind: 'run', file, sql, parameters, session, limits, asks } as const;
        const settled = (reusable: boolean) => {
          if (reusable) pool.release(child);
        };
        const ran = await runOn(child, line, sink, watch, settled, mayCommit);
        // A child that died while idle is met here; a read has lost nothing by it.
        if (!(ran.silentEnd && worn && session === 'read' && tries === 1)) return ran.outcome;
      }
    } finally {
      watch.clear();
    }
  };

  const rehearseInTurn = async <T>(
    context: CallContext,
    work: (rehearsal: Rehearsal) => Promise<T>,
    file: FileIdentity,
  ): Promise<Answer<T>> => {
    const watch = watchFor(context, closing.signal);
    try {
      for (let tries = 1; ; tries += 1) {
        const child = await pool.acquire(watch.signal);
        if (child === null) return notBegun(watch);
        const worn = child.uses > 0;
        const ended = await rehearseOn(child, file, watch, () => pool.release(child), work);
        if (ended.kind !== 'silent_end') return ended;
        if (!worn || tries > 1) return ended.failure;
      }
    } finally {
      watch.clear();
    }
  };

  const run = (request: StatementRequest, sink: RowSink): Promise<StatementOutcome> =>
    using(request, file => runInTurn(request, sink, file));
  const lookUp = (context: CallContext): LookUp => lookUpWith(run, context);
  return {
    engine: 'sqlite',
    run,
    rehearse: (context, work) => using(context, file => rehearseInTurn(context, work, file)),
    status: context => status(lookUp(context), endpoint.filePath, ports.now),
    listTables: context => listTables(lookUp(context), context.schema),
    places: async () => ({ kind: 'done', value: { schemas: ['main'], databases: [] } }),
    catalogTexts: context => catalogTexts(lookUp(context), context.schema),
    describeTables: (context, names) => describeTables(lookUp(context), context.schema, names),
    // SQLite keeps no routines and no types.
    describeObjects: async () => ({ kind: 'done', value: [] }),
    async close() {
      turns.close();
      closing.abort();
      await pool.close();
    },
  };
}

/** Whoever comes to the pool had its turn: what keeps the room is a process that was killed and isn't gone yet. */
function notBegun(watch: Watch): DatabaseFailure {
  const failure = watch.failure();
  if (failure.kind !== 'timeout') return failure;
  const message = `Processes of earlier statements did not end within ${failure.seconds} s, so nothing ran.`;
  return { kind: 'not_connected', message };
}

/** @returns a sentence where the caller names another database or schema than the file has. */
function otherPlace(context: CallContext, filePath: string | null): string | null {
  const { database, schema } = context;
  if (schema !== null && schema !== 'main' && schema !== 'temp') {
    return `An SQLite connection has the schema main alone; ${JSON.stringify(schema)} does not exist. Leave the schema out.`;
  }
  if (database !== null && database !== 'main' && database !== filePath && database !== filePath?.split('/').at(-1)) {
    return 'An SQLite connection is one database file; leave the database out.';
  }
  return null;
}
