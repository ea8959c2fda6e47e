/**
 * A program with the owner's files edits the log while nothing runs: the edit is reported, and
 * revoked tokens stay revoked.
 */

import { copyFileSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { locationsIn } from '../../../shared/locations.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { DidNotStart } from '../daemon.ts';
import type { Fault, Strike } from '../fault.ts';
import { Known } from '../known.ts';

const edits: Readonly<Record<string, (store: SqliteFile) => void>> = {
  'the last rows are cut': store => {
    store.exec('delete from activity where number > (select max(number) from activity) - 5');
  },
  'the last rows are cut, and the head with them': store => {
    store.exec('delete from activity where number > (select max(number) from activity) - 5; delete from activity_head');
  },
  'a row is edited': store => {
    store.exec('update activity set count = count + 1 where number = (select max(number) - 7 from activity)');
  },
  'a row is taken out': store => {
    store.exec('delete from activity where number = (select max(number) - 7 from activity)');
  },
};

export const editedLog: Fault = {
  name: 'edited-log',
  title: 'the log is edited while nothing runs; an old `secrets.json` is put back',
  async strike(strike) {
    const { world, load, chance } = strike;
    const { secrets } = locationsIn(world.home.home);
    const oldSecrets = join(world.home.folder, 'old-secrets.json');
    await load.stop();
    const terms = { scope: 'readOnly', connections: 'all', expires: 'never', confirmInClient: false } as const;
    const { id, name, token } = await world.owner.ask('tokens.mint', { name: `revoked ${chance.word(8)}`, ...terms });
    copyFileSync(secrets, oldSecrets);
    await world.owner.ask('tokens.revoke', { id });
    world.ledger.tokens.set(id, { id, name, plaintext: token, state: new Known('revoked') });
    await world.daemon.end('SIGTERM');
    const [what = '', edit = () => {}] = chance.pick(Object.entries(edits));
    await named(strike, what, () => {
      const store = new SqliteFile(locationsIn(world.home.home).store);
      edit(store);
      store.close();
    });
    await named(
      strike,
      'an old secrets.json is put back',
      () => copyFileSync(oldSecrets, secrets),
      async () => {
        const { status } = await send(world.url, modern(token, 'tools/list'));
        if (status === 200) strike.wrong('an old secrets.json brings a revoked token back');
      },
    );
    rmSync(oldSecrets);
  },
};

/** Edits, starts, verifies, and restores the home. */
async function named(
  { world, wrong, saw }: Strike,
  what: string,
  edit: () => void,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  const { home, daemon, owner } = world;
  const before = join(home.folder, 'before');
  cpSync(home.home, before, { recursive: true, filter: path => !path.endsWith('.sock') });
  edit();
  try {
    await daemon.start();
    const { intact } = await owner.ask('activity.verify', {});
    if (intact) wrong(`${what}, and activity verify says intact`);
    else saw('activity verify', 'edits named');
    await look();
  } catch (error) {
    // A daemon that refuses such a home says why; that counts as a report too.
    if (!(error instanceof DidNotStart)) throw error;
    saw('start', 'refused');
  } finally {
    owner.close();
    await daemon.end('SIGKILL');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${locationsIn(home.home).store}${suffix}`, { force: true });
    cpSync(before, home.home, { recursive: true, preserveTimestamps: true });
    rmSync(before, { recursive: true });
  }
}
