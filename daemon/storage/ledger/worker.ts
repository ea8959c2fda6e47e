/**
 * A thread of the store: one connection, one job after another. The writing one lives as long as
 * the daemon.
 */

import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { errorCode } from '../../disk-fault.ts';
import { openSqliteFile } from '../../sqlite/open-file.ts';
import { prepareForReading, prepareForWriting } from './connection.ts';
import { jobs } from './jobs.ts';
import { type Question, type Reply, withBuffers } from './messages.ts';

export interface WorkerData {
  readonly path: string;
  readonly mode: 'write' | 'read';
}

const { path, mode } = workerData as WorkerData;
const byName: Record<string, (database: DatabaseSync, ...given: never[]) => unknown> = jobs;
let connection: DatabaseSync | null = null;

/** Opens at the first question, so a failure to open is that question's answer. */
function opened(): DatabaseSync {
  if (connection !== null) return connection;
  const database = openSqliteFile(path, { access: mode });
  (mode === 'write' ? prepareForWriting : prepareForReading)(database);
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
