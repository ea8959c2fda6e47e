/** A real shell's connection to a daemon in this process, for tests of commands. */

import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type ControlClient, connectToDaemon } from '../../shell-terminal/control-client.ts';
import { executeOn } from '../sqlite-file.ts';
import type { DaemonInProcess } from './daemon-in-process.ts';

export async function shellOf(daemon: DaemonInProcess, shell = 'terminal'): Promise<ControlClient> {
  const connecting = await connectToDaemon({
    controlSocket: daemon.socketPath,
    controlSocketFolder: dirname(daemon.socketPath),
    shellSecret: String(daemon.secrets.get('shell/secret')),
    shell,
    proofMilliseconds: 5_000,
  });
  if (connecting.kind !== 'connected') throw new Error(JSON.stringify(connecting));
  return connecting.client;
}

export const postgresAt = (host: string, port: number | null = null) => ({
  engine: 'postgres' as const,
  host,
  port,
  socketPath: null,
  filePath: null,
  database: 'shop',
  user: 'anna',
});

export const sqliteAt = (filePath: string) => ({
  engine: 'sqlite' as const,
  host: null,
  port: null,
  socketPath: null,
  filePath,
  database: null,
  user: null,
});

/**
 * @returns a function that makes an SQLite file and returns its path; all files are removed after
 *   the tests of a file.
 */
export function sqliteFiles(): (name: string) => string {
  const folder = mkdtempSync('/tmp/sallyport-files-');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return name => {
    executeOn(join(folder, name), 'pragma user_version = 0');
    return join(folder, name);
  };
}
