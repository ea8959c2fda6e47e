/** Database servers freeze and die under load, and an administrator ends their sessions. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { holdWrites } from '../held-writes.ts';
import { mariadbOptions, type World } from '../world.ts';

export const frozenServers: Fault = {
  name: 'frozen-servers',
  title: 'PostgreSQL and MariaDB freeze (SIGSTOP) and go on',
  async strike({ world, chance }) {
    const frozen = chance.pick([[world.postgres], [world.mariadb], [world.postgres, world.mariadb]]);
    await holdWrites(world, 300);
    for (const server of frozen) server.pause();
    try {
      await pause(chance.between(2_000, 6_000));
      if (chance.below(3) === 0) await world.daemon.end('SIGKILL');
    } finally {
      for (const server of frozen) server.resume();
    }
    await pause(1_000);
  },
};

export const personsLocks: Fault = {
  name: 'locks',
  title: 'a person locks what is written, for longer than a call may take',
  async strike({ world, load, wrong }) {
    const isTold = (): boolean => load.tally.all().some(({ what }) => what === 'lock_timeout');
    // The owner's pause ends all calls that wait.
    for (let times = 0; times < 4 && !isTold(); times += 1) {
      await holdWrites(world, 7_000);
      await pause(8_000);
    }
    if (!isTold()) wrong('no call was told that it waited for a lock');
  },
};

export const killedServers: Fault = {
  name: 'killed-servers',
  title: 'PostgreSQL and MariaDB are killed (SIGKILL) and started again',
  async strike({ world, chance }) {
    const { postgres, mariadb } = world;
    await pause(chance.between(0, 500));
    await holdWrites(world, 400);
    process.kill(mariadb.processId, 'SIGKILL');
    await Promise.all([postgres.crash(), mariadb.restart(mariadbOptions)]);
    await pause(1_500);
  },
};

export const killedSessions: Fault = {
  name: 'killed-sessions',
  title: 'an administrator kills all sessions on PostgreSQL and MariaDB, four times',
  async strike({ world, chance }) {
    for (let times = 0; times < 4; times++) {
      await holdWrites(world, 400);
      await killSessions(world);
      await pause(chance.between(200, 500));
    }
  },
};

export const heldCommits: Fault = {
  name: 'held-commits',
  title: 'PostgreSQL holds each COMMIT for a standby that is not there; `kill -9` in between',
  async strike({ world: { postgres, daemon }, chance }) {
    const configure = async (change: string): Promise<void> => {
      await postgres.psql(`alter system ${change}`);
      await postgres.psql('select pg_reload_conf()');
    };
    await configure("set synchronous_standby_names = 'nobody'");
    try {
      await pause(chance.between(1_000, 7_000));
      if (chance.below(2) === 0) await daemon.end('SIGKILL');
    } finally {
      await configure('reset synchronous_standby_names');
    }
    await pause(2_000);
  },
};

async function killSessions({ postgres, mariadb }: World): Promise<void> {
  await postgres.psql(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'Sallyport%'",
  );
  const ids = await mariadb.ask(
    "select id from information_schema.processlist where id <> connection_id() and host like '127.0.0.1%'",
  );
  // A session that has ended meanwhile gives an error of its own.
  for (const id of ids.split('\n').filter(Boolean)) await mariadb.ask(`kill ${id}`).catch(() => {});
}
