/** A thread of the store: one connection, one job after the other. The one that writes lives as long as the daemon does. */

import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { errorCode } from '../../disk-fault.ts';
import { keepFewPages, prepareForWriting } from './connection.ts';
import { jobs } from './jobs.ts';
import { type Question, type Reply, withBuffers } from './messages.ts';

export interface WorkerData {
  readonly path: string;
  readonly mode: 'write' | 'read';
}

const { path, mode } = workerData as WorkerData;
const byName: Record<string, (database: Database, ...given: never[]) => unknown> = jobs;
let connection: Database | null = null;

/** Not before it is asked: what keeps it from being opened is then the answer. */
function opened(): Database {
  if (connection !== null) return connection;
  const database = new BetterSqlite3(path, { readonly: mode === 'read', fileMustExist: true });
  (mode === 'write' ? prepareForWriting : keepFewPages)(database);
  connection = database;
  return database;
}

function answer({ name, given }: Question): Reply {
  try {
    const job = byName[name];
    if (job === undefined) throw new Error(`there is no job ${name}`);
    return { kind: 'answered', value: job(opened(), ...(withBuffers(given) as never[])) };
  } catch (error) {
    return {
      kind: 'threw',
      message: error instanceof Error ? error.message : String(error),
      code: errorCode(error),
    };
  }
}

parentPort?.on('message', (question: Question) => {
  if (question.name !== 'close') return parentPort?.postMessage(answer(question));
  connection?.close();
  return parentPort?.close();
});
