/** The floor: what no gateway in Node can go below (floor-server.ts). */

import { join } from 'node:path';
import { root } from '../../../torture/root.ts';
import type { Database } from '../databases.ts';
import { type Rows, rowsOfObjects } from '../workloads.ts';
import { freePort, startServer } from './server-process.ts';
import type { Target, Undo } from './target.ts';

export const floorNames = { plain: 'node:http and the driver', readOnly: 'the same, in a read-only transaction' };

export async function startFloors(database: Database, undo: Undo): Promise<Target[]> {
  const port = await freePort();
  const program = [process.execPath, join(root, 'build', 'bench', 'floor-server.mjs')];
  const pid = await startServer(program, port, { FLOOR: JSON.stringify({ port, database }) }, undo);
  const floor = (name: string, tool: string): Target => ({
    name,
    engine: database.engine,
    era: 'none',
    port,
    path: '/',
    tokens: [],
    pid,
    call: ({ sql }) => ({ tool, args: { sql } }),
    rowsOf: result => rowsOf(result.content?.[0]?.text),
  });
  return [floor(floorNames.plain, 'plain'), floor(floorNames.readOnly, 'read_only')];
}

function rowsOf(text = '{ "rows": [] }'): Rows {
  return rowsOfObjects(JSON.parse(text).rows);
}
