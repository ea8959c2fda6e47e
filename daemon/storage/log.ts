/** The daemon's own log: one file of JSON lines in `logs/`. Never a secret, never the text of a statement. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';

export type Log = ReturnType<typeof openLog>;

export function openLog(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: join(folder, 'sallyportd.log'), mode: 0o600, sync: true }),
  );
}
