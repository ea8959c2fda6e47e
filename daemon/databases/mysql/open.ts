/** The MySQL/MariaDB adapter: one saved connection as a `Database`. Only wiring; nothing is dialled or loaded before the first call. */

import { setMaxListeners } from 'node:events';
import type { Endpoint } from '../../access/connection.ts';
import type { Answer, CallContext, Database, DatabasePorts } from '../../query/database.ts';
import { openCanceller } from './cancel.ts';
import { describeTable } from './describe.ts';
import { type Destination, destinationOf } from './destination.ts';
import { dialer } from './dial.ts';
import { type LookUp, lookingUp } from './look-up.ts';
import { openPool } from './pool.ts';
import { rehearse } from './rehearse.ts';
import { run } from './run.ts';
import { listTables } from './schema.ts';
import type { Runner } from './stage.ts';
import { status } from './status.ts';

export function openMysql(endpoint: Endpoint, ports: DatabasePorts): Database {
  const dial = dialer(endpoint, ports);
  const closing = new AbortController();
  // Every call under way listens to it, and there may be any number of them.
  setMaxListeners(0, closing.signal);
  const runner: Runner = {
    pool: openPool(dial),
    canceller: openCanceller(dial),
    closing: closing.signal,
    now: ports.now,
  };

  const withLookUp = async <T>(
    context: CallContext,
    call: (lookUp: LookUp, to: Destination) => Promise<Answer<T>>,
  ): Promise<Answer<T>> => {
    const to = destinationOf(endpoint, context);
    if (to.kind !== 'done') return to;
    return lookingUp(runner, context, to.value, lookUp => call(lookUp, to.value));
  };

  return {
    engine: 'mysql',
    run: async (request, sink) => {
      const to = destinationOf(endpoint, request);
      return to.kind === 'done' ? run(runner, request, to.value, sink) : to;
    },
    rehearse: async (context, work) => {
      const to = destinationOf(endpoint, context);
      return to.kind === 'done' ? rehearse(runner, context, to.value, work) : to;
    },
    status: context => withLookUp(context, lookUp => status(lookUp, ports.now)),
    listTables: context => withLookUp(context, (lookUp, to) => listTables(lookUp, to.database)),
    describeTable: (context, table) => withLookUp(context, (lookUp, to) => describeTable(lookUp, to.database, table)),
    close: async () => {
      closing.abort();
      runner.pool.close();
      await runner.canceller.close();
    },
  };
}
