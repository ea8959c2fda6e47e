/**
 * Holds up each write for a moment, so a fault meets some in the middle: alone they take a
 * thousandth of a second.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { SqliteFile } from '../sqlite-file.ts';
import type { World } from './world.ts';

const reachedMilliseconds = 250;

/**
 * Resolves once clients have had time to reach it. The hold ends by itself after `milliseconds`, or
 * with its server.
 */
export async function holdWrites({ postgres, mariadb, sqliteFile }: World, milliseconds: number): Promise<void> {
  const seconds = milliseconds / 1000;
  const sqlite = new SqliteFile(sqliteFile);
  sqlite.exec('begin immediate');
  setTimeout(() => sqlite.close(), milliseconds);
  const held = [
    postgres.psql(`begin; lock table kept; select pg_sleep(${seconds}); commit`, 'shop'),
    mariadb.client(`lock tables kept write; do sleep(${seconds}); unlock tables`, { database: 'shop' }),
  ];
  // A server that is killed meanwhile takes its hold with it.
  for (const hold of held) void hold.catch(() => {});
  await pause(reachedMilliseconds);
}
