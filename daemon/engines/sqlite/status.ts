/** What `get_connection_status` says about an SQLite file. */

import { basename } from 'node:path';
import { answering } from '../answering.ts';
import type { Answer, ServerStatus } from '../engine.ts';
import { type LookUp, text } from './look-up.ts';

export function status(lookUp: LookUp, filePath: string | null, now: () => number): Promise<Answer<ServerStatus>> {
  return answering(async () => {
    const started = now();
    const [row] = await lookUp('select sqlite_version()');
    return {
      serverVersion: `SQLite ${text(row?.[0])}`,
      currentUser: null,
      currentDatabase: filePath === null ? null : basename(filePath),
      currentSchema: 'main',
      latencyMilliseconds: now() - started,
      warnings: [],
      // The session enforces that; a file has no roles.
      mayWrite: false,
      isReadWallMissing: false,
      readWallSaid: null,
    };
  });
}
