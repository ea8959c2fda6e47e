/**
 * The door in the test's own process, over a database that the test opened, so that one of its walls
 * can be taken away and the other has to hold alone.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { accessInUse } from '../../../daemon/access/access-in-use.ts';
import type { Connection } from '../../../daemon/access/connection.ts';
import { loadConnectionRegister } from '../../../daemon/access/connection-register.ts';
import { openWireDoor } from '../../../daemon/clients/wire/door.ts';
import type { Classifier } from '../../../daemon/engines/classifier.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { lazyQuestions } from '../../../daemon/guard/index.ts';
import type { ClientStatement } from '../../../daemon/guard/postgres/wire/client-statements.ts';
import type { Classification } from '../../../daemon/guard/types.ts';
import { defaultQueryLimits } from '../../../daemon/statement/query-limits.ts';
import { unrecorded } from '../../activity/unrecorded.ts';
import { judgingInThread } from '../../statement/classifier-in-thread.ts';
import type { Entrance } from './play.ts';

/** What is left of the guard: all of it, its rules for a session alone, or nothing. */
export type Guard = 'on' | 'only its rules for sessions' | 'off';

export interface DoorInProcess {
  readonly entrance: Entrance;
  /** What the door recorded as refused. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

export async function openInProcess(database: Database, connection: Connection, guard: Guard): Promise<DoorInProcess> {
  const connections = await loadConnectionRegister({
    load: async () => [connection],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  const record = {
    kind: 'box',
    id: 'box',
    name: 'box',
    connections: 'all',
    scope: 'readOnly',
  };
  const refused: string[] = [];
  const unwatched = accessInUse({ connections, principalNow: principal => principal, now: Date.now });
  const door = openWireDoor({
    tokens: {
      verifyBox: () => ({ kind: 'valid', record, isBridge: false }) as never,
      onEnded: () => () => {},
    },
    connections,
    databases: { of: () => database, forget: async () => {}, close: async () => {} },
    uses: { used: () => {} },
    clients: { begin: () => ({ saw: () => {}, end: () => {} }) } as never,
    isPaused: () => false,
    isServed: () => true,
    mayUse: () => true,
    classifier: guard === 'on' ? judgingInThread() : allowing(guard),
    accessInUse: unwatched,
    limits: () => defaultQueryLimits,
    activity: {
      record(entry: { outcome: string }) {
        if (entry.outcome !== 'success') refused.push(entry.outcome);
      },
      tally: () => {},
    } as never,
    history: unrecorded.history,
    accessRequests: { ask: async () => {} } as never,
    elapsed: () => performance.now(),
    now: Date.now,
    newId: () => 'id',
    report(error) {
      refused.push(String(error));
    },
  });
  const folder = mkdtempSync('/tmp/sallyport-wire-test-');
  const path = join(folder, '.s.PGSQL.5432');
  const server = createServer({ allowHalfOpen: true }, socket => door.serve(socket, 'box'));
  await new Promise<void>(resolve => server.listen(path, resolve));
  return {
    entrance: { path, user: 'anybody', database: connection.database ?? 'anybody' },
    refused,
    async stop() {
      door.close();
      await new Promise(resolve => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A database whose sessions for programs may write: only the guard is left. Our BEGIN keeps its
 * length, so the message that holds it does.
 */
export function withoutWall(database: Database): Database {
  return {
    ...database,
    async openWire(context) {
      const opened = await database.openWire?.(context);
      if (opened?.kind !== 'done') return opened ?? { kind: 'cancelled' };
      const { line } = opened.value;
      const write = line.write.bind(line);
      const mayWrite = (bytes: Buffer): Buffer =>
        Buffer.from(
          bytes
            .toString('latin1')
            .replace(/BEGIN TRANSACTION (.*?)READ ONLY/, (_, modes) => `BEGIN ${modes}READ WRITE${' '.repeat(11)}`),
          'latin1',
        );
      line.write = (bytes: Buffer) => write(mayWrite(bytes));
      return { kind: 'done', value: { ...opened.value, wall: 'SELECT 1' } };
    },
  };
}

const isRead = (by: Classification): Classification => ({ ...by, class: 'read', question: null }) as Classification;

/** Takes everything for a read; without the rules for sessions it passes on what they refuse. */
function allowing(guard: Exclude<Guard, 'on'>): Classifier {
  const questions = lazyQuestions();
  const some = questions.postgresClass();
  const allow = async (statement: ClientStatement): Promise<ClientStatement> => {
    const { does, sql } = statement;
    if ('by' in does && does.by !== null) return { sql, does: { ...does, by: isRead(does.by) as never } };
    if (does.kind !== 'refused' || guard !== 'off') return statement;
    const read = (await some)('select 1');
    return { sql, does: { kind: 'judged', by: isRead(read) as never } };
  };
  return {
    async ask(_context, name, ...given) {
      const answer: (...given: never[]) => unknown = await questions[name]();
      const value = answer(...(given as readonly unknown[] as never[]));
      if (name === 'postgresClientStatement')
        return { kind: 'done', value: (await allow(value as ClientStatement)) as never };
      if (name === 'postgresClientQuery')
        return { kind: 'done', value: (await Promise.all((value as ClientStatement[]).map(allow))) as never };
      return { kind: 'done', value: value as never };
    },
  };
}
