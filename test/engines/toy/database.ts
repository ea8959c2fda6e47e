/**
 * An engine for a folder of CSV files, one table each: small, real, and opened as a fourth engine
 * would be.
 */

import type { Database } from '../../../daemon/engines/engine.ts';
import type { OpenEngine } from '../../../daemon/engines/open-database.ts';
import { count, holdRun } from './count.ts';
import { describeTables, listTables } from './describe.ts';
import { dial } from './dial.ts';
import { dialect } from './dialect.ts';
import { follow } from './follow.ts';
import { planPreview } from './preview.ts';
import { rehearse } from './rehearse.ts';
import { planRole } from './role.ts';
import { run } from './run.ts';

export const openToy: OpenEngine = endpoint => {
  const database: Database = {
    dialect,
    follow: (_classifier, _context, sql) => follow(sql),
    planPreview,
    count: counting => count({ ...counting, database }),
    holdRun,
    planRole,
    rights: async () => ({ kind: 'done', value: null }),
    run: async (request, sink) => run(dial(endpoint), request, sink),
    rehearse: (_context, work) => rehearse(dial(endpoint), work),
    status: async ({ database: currentDatabase }) => ({
      kind: 'done',
      value: {
        serverVersion: 'Toy 1.0',
        currentUser: null,
        currentDatabase,
        currentSchema: null,
        latencyMilliseconds: 0,
        warnings: [],
        mayWrite: true,
        isReadWallMissing: false,
        readWallSaid: null,
      },
    }),
    listTables: async () => listTables(dial(endpoint)),
    listSchemas: async () => ({ kind: 'done', value: { schemas: [], databases: [] } }),
    catalogTexts: async () => ({ kind: 'done', value: [] }),
    describeTables: async (_context, names) => describeTables(dial(endpoint), names),
    describeObjects: async () => ({ kind: 'done', value: [] }),
    async close() {},
  };
  return database;
};
