/**
 * An SQLite file behind the `Database` port. Statements run in child processes (worker.ts), because the driver blocks
 * its process and only a process can be stopped; nothing is started or opened before the first call.
 */

import { setMaxListeners } from 'node:events';
import type { Endpoint } from '../../access/connection.ts';
import type {
  Answer,
  CallContext,
  Database,
  DatabasePorts,
  Rehearsal,
  RowSink,
  StatementRequest,
} from '../../query/database.ts';
import { startChild, type WorkerCommand } from './child.ts';
import { identifyFile, type RefuseFile } from './file.ts';
import { type LookUp, lookUpWith } from './look-up.ts';
import { openPool, type PoolLimits } from './pool.ts';
import { rehearseOn } from './rehearsal.ts';
import { runOn } from './run.ts';
import { describeTable, listTables } from './schema.ts';
import { status } from './status.ts';
import { watchFor } from './watch.ts';
import { workerFile } from './worker-file.ts';

export interface SqlitePorts extends DatabasePorts {
  readonly refuseFile: RefuseFile;
  /** Null: this process's own Node executable and the compiled worker beside this file. */
  readonly workerCommand: WorkerCommand | null;
}

/** An idle child still has the file open, which in WAL mode keeps other programs from leaving that mode. */
const poolLimits: PoolLimits = { most: 4, idleMilliseconds: 20_000 };

export function openSqlite(endpoint: Endpoint, ports: SqlitePorts): Database {
  const command = ports.workerCommand ?? { executable: process.execPath, file: workerFile() };
  const pool = openPool(() => startChild(command), poolLimits);
  const closing = new AbortController();
  // One listener a statement, taken off at its end: any number is right.
  setMaxListeners(0, closing.signal);

  const run = async (request: StatementRequest, sink: RowSink) => {
    const elsewhere = otherPlace(request, endpoint.filePath);
    if (elsewhere !== null) return { kind: 'unsupported', message: elsewhere } as const;
    const watch = watchFor(request, closing.signal);
    try {
      for (let tries = 1; ; tries += 1) {
        const file = await identifyFile(endpoint.filePath, ports.refuseFile);
        if (file.kind !== 'done') return file;
        const child = await pool.acquire(watch.signal);
        if (child === null) return watch.failure();
        const worn = child.uses > 0;
        const { sql, parameters, session, limits } = request;
        const line = { kind: 'run', file: file.value, sql, parameters, session, limits } as const;
        const ran = await runOn(child, line, sink, watch, reusable => {
          if (reusable) pool.release(child);
        });
        // A child that died while idle is met here; a read has lost nothing by it.
        if (!(ran.silentEnd && worn && session === 'read' && tries === 1)) return ran.outcome;
      }
    } finally {
      watch.clear();
    }
  };

  const rehearse = async <T>(context: CallContext, work: (rehearsal: Rehearsal) => Promise<T>): Promise<Answer<T>> => {
    const elsewhere = otherPlace(context, endpoint.filePath);
    if (elsewhere !== null) return { kind: 'unsupported', message: elsewhere };
    const watch = watchFor(context, closing.signal);
    try {
      for (let tries = 1; ; tries += 1) {
        const file = await identifyFile(endpoint.filePath, ports.refuseFile);
        if (file.kind !== 'done') return file;
        const child = await pool.acquire(watch.signal);
        if (child === null) return watch.failure();
        const worn = child.uses > 0;
        const ended = await rehearseOn(child, file.value, watch, () => pool.release(child), work);
        if (ended.kind !== 'silent_end') return ended;
        if (!worn || tries > 1) return ended.failure;
      }
    } finally {
      watch.clear();
    }
  };

  const lookUp = (context: CallContext): LookUp => lookUpWith(run, context);
  return {
    engine: 'sqlite',
    run,
    rehearse,
    status: context => status(lookUp(context), endpoint.filePath, ports.now),
    listTables: context => listTables(lookUp(context), context.schema),
    describeTable: (context, table) => describeTable(lookUp(context), context.schema, table),
    async close() {
      closing.abort();
      await pool.close();
    },
  };
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
