/**
 * A store, a secret store and an activity log in a folder of their own, with a table that tests can
 * tamper with.
 */

import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivityEntry, ActivityIntent } from '../../../daemon/activity.ts';
import { type ActivityLogPorts, openActivityLog } from '../../../daemon/storage/activity/log.ts';
import { activityLimits } from '../../../daemon/storage/activity/log-limits.ts';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { SqliteFile } from '../../sqlite-file.ts';

export type TestLog = Awaited<ReturnType<typeof openTestLog>>;

export function homeIn(folder: string): string {
  return mkdtempSync(join(folder, 'home-'));
}

export async function openTestLog(home: string, changes: Partial<ActivityLogPorts> = {}) {
  const path = join(home, 'sallyport.db');
  const store = await openStore(path);
  const secretsPath = join(home, 'secrets.json');
  const secrets = openFileSecretStore(secretsPath, store.id);
  const reported: unknown[] = [];
  const log = await openActivityLog({
    store,
    secrets,
    now: () => Date.now(),
    retentionNow: changes.now ?? Date.now,
    randomBytes,
    report: error => void reported.push(error),
    limits: { ...activityLimits, batchMilliseconds: 20 },
    ...changes,
  }).catch(async error => {
    await store.close();
    throw error;
  });
  return {
    path,
    secretsPath,
    store,
    secrets,
    log,
    reported,
    /** As another program of this user would. */
    tamper(...statements: string[]) {
      const database = new SqliteFile(path);
      for (const statement of statements) database.exec(statement);
      database.close();
    },
    async close() {
      await log.close();
      await store.close();
    },
  };
}

export const shop = { id: '6f7f6a1e-0000-4000-8000-000000000001', name: 'Shop' };

export function entryNumber(number: number, changes: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    category: 'query',
    action: 'execute_query',
    outcome: 'success',
    principal: 'token-1',
    tokenName: 'laptop',
    client: 'a client',
    connection: shop,
    statementHash: 'ab'.repeat(32),
    rows: number,
    durationMilliseconds: 1.5,
    requestId: `request-${number}`,
    ...changes,
  } as ActivityEntry;
}

export const writeIntent: ActivityIntent = {
  category: 'query',
  action: 'execute_query',
  principal: 'token-1',
  tokenName: 'laptop',
  connection: shop,
};

/** Makes a closed log of so many rows. */
export async function closedLogOf(home: string, rows: number): Promise<void> {
  const test = await openTestLog(home);
  for (let number = 1; number <= rows; number++) test.log.record(entryNumber(number));
  await test.close();
}
