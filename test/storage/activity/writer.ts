/**
 * The process that writes to an activity log until it is killed: `node writer.ts HOME`. It prints
 * on stdout what it was promised.
 */

import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openActivityLog } from '../../../daemon/storage/activity/log.ts';
import { openFileSecretStore } from '../../../daemon/storage/secrets/file-secret-store.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';

process.umask(0o077);
const [, , home = ''] = process.argv;
const store = await openStore(join(home, 'sallyport.db'));
const secrets = openFileSecretStore(join(home, 'secrets.json'), store.id);
const log = await openActivityLog({
  store,
  secrets,
  now: Date.now,
  retentionNow: Date.now,
  randomBytes,
  report: () => {},
});
const intent = { category: 'query', action: 'execute_query', principal: 'p', tokenName: 't' } as const;
writeSync(1, 'ready\n');

async function writes(): Promise<never> {
  for (;;) {
    const attempt = await log.attempt(intent);
    writeSync(1, `attempt ${attempt.number}\n`);
    await log.outcome(attempt, { outcome: 'success', rows: 1 });
    writeSync(1, `outcome ${attempt.number}\n`);
  }
}

async function reads(): Promise<never> {
  for (;;) {
    for (let turn = 0; turn < 20; turn++) {
      for (let times = 0; times < 20; times++) log.record({ ...intent, outcome: 'success', reason: 'x'.repeat(200) });
      await new Promise(resolve => setImmediate(resolve));
    }
    // A fast processor outruns the disk: the number of waiting rows is limited, and rows beyond it
    // are lost and counted.
    await log.outcome(await log.attempt(intent), { outcome: 'success', rows: 1 });
  }
}

for (let times = 0; times < 3; times++) void writes();
void reads();
