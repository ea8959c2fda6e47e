/**
 * A removed record is deleted for good with its secrets once its days are over, at the start and
 * while the daemon runs.
 */

import { expect, test } from '@jest/globals';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import { deleteExpiredRemovals } from '../../daemon/storage/expired-removals.ts';
import { connectionWith } from '../access/principals.ts';
import { until } from '../waiting/until.ts';

const day = 86_400_000;

async function world() {
  const rows = new Set(['old', 'young']);
  const secrets = new Set(['password/old', 'keyPassphrase/old', 'password/young', 'password/in-use']);
  const removedAt = { old: 0, young: day };
  const connections = await loadConnectionRegister({
    load: async () => [connectionWith({ id: 'in-use' })],
    removed: () =>
      (['old', 'young'] as const).map(id => {
        return { id, name: id, removedAt: removedAt[id], connection: id === 'old' ? null : connectionWith({ id }) };
      }),
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async id => void rows.delete(id),
  });
  const faults: unknown[] = [];
  const world = { now: 7 * day - 1, isLocked: false };
  const start = (everyMilliseconds = 3_600_000) =>
    deleteExpiredRemovals({
      connections,
      everyMilliseconds,
      retentionNow: () => world.now,
      report: error => void faults.push(error),
      secrets: {
        async delete(kind, id) {
          if (world.isLocked) throw new Error('the keychain is locked');
          secrets.delete(`${kind}/${id}`);
        },
      },
    });
  return Object.assign(world, { rows, secrets, faults, connections, start });
}

test('at the start: only those whose time is over', async () => {
  const it = await world();
  await (await it.start())();
  expect([...it.rows]).toEqual(['old', 'young']);
  it.now += 1;
  await (await it.start())();
  expect([...it.rows]).toEqual(['young']);
  expect([...it.secrets]).toEqual(['password/young', 'password/in-use']);
  expect(it.connections.removed().map(({ id }) => id)).toEqual(['young']);
});

test('while it runs, and not before its secrets could be deleted', async () => {
  const it = await world();
  const stop = await it.start(5);
  it.isLocked = true;
  it.now += day + 1;
  await until(() => it.faults.length >= 2, 'it is tried again');
  expect([...it.rows]).toEqual(['old', 'young']);
  it.isLocked = false;
  await until(() => it.rows.size === 0, 'both are gone');
  await stop();
  expect([...it.secrets]).toEqual(['password/in-use']);
});
