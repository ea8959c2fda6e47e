/**
 * What a fault may not leave behind: secrets without an owner, unfinished files, sessions,
 * descriptors, memory.
 */

import { readdirSync, readFileSync } from 'node:fs';
import type { ControlCommands } from '../../../daemon/shells/commands.ts';
import { locationsIn } from '../../../shared/locations.ts';
import { until } from '../../waiting/until.ts';
import { descendantsOf, factsOf, type ProcessFacts } from '../process-facts.ts';
import type { World } from '../world.ts';

const filesOfAHome =
  /^(?:mcp-handshake\.json|control\.sock|daemon\.lock(?:-journal)?|sallyport\.db(?:-wal|-shm)?|secrets\.json|store\.json|reserve|unfinished|logs)$/;

/** Checked while the daemon runs. */
export async function nothingIsLeftBehind(world: World): Promise<string[]> {
  const stray = readdirSync(world.home.home).filter(name => !filesOfAHome.test(name));
  return [...stray.map(name => `the home has a file ${name}`), ...(await orphans(world))];
}

/** Compares names only. */
async function orphans({ home, owner }: World): Promise<string[]> {
  const { secrets } = JSON.parse(readFileSync(locationsIn(home.home).secrets, 'utf8')) as { secrets: object };
  const connections = new Set((await owner.ask('connections.list', {})).connections.map(({ id }) => id));
  // Removed connections keep theirs for seven days.
  for (let from: number | null = 0; from !== null; ) {
    const page: ControlCommands['connections.removed']['result'] = await owner.ask('connections.removed', { from });
    for (const { connection } of page.removed) connections.add(connection.id);
    from = page.next;
  }
  return Object.keys(secrets)
    .filter(account => account.startsWith('password/') && !connections.has(account.slice('password/'.length)))
    .map(account => `secrets.json has ${account}, and no connection belongs to it`);
}

/** Checked without a daemon: its sessions on the servers end with it. */
export async function sessionsAreGone(world: World): Promise<string[]> {
  try {
    await until(async () => (await sessionsOf(world)).length === 0, 'no session is left', 15);
    return [];
  } catch {
    return [`${(await sessionsOf(world)).length} sessions on database servers outlived the daemon`];
  }
}

/**
 * Sessions of a killed daemon; the next one may have its own. PostgreSQL ends them by itself; a write
 * on MariaDB runs to its own end, with its locks, and those of the load are short.
 */
export async function theseAreGone(world: World, sessions: readonly string[]): Promise<string[]> {
  const left = async () => (await sessionsOf(world)).filter(each => sessions.includes(each));
  try {
    await until(async () => (await left()).length === 0, 'no session of the killed daemon is left', 10);
    return [];
  } catch {
    return [`sessions of the killed daemon outlived the next start by 10 s: ${(await left()).join(', ')}`];
  }
}

/** Each session by an id that is never reused. */
export async function sessionsOf({ postgres, mariadb }: World): Promise<string[]> {
  const ofPostgres = await postgres.psql(
    "select 'PostgreSQL ' || pid || ' since ' || backend_start from pg_stat_activity where backend_type = 'client backend' and application_name like 'Sallyport%'",
  );
  const ofMariadb = await mariadb.ask(
    "select concat('MariaDB ', id) from information_schema.processlist where id <> connection_id() and user not in ('system user', 'event_scheduler') and host like '127.0.0.1%'",
  );
  return `${ofPostgres}\n${ofMariadb}`.split('\n').filter(line => line.trim() !== '');
}

/** Pools keep sessions for a while, and Node keeps memory for reuse. */
const more = { descriptors: 48, megabytes: 260, processes: 16 };

/** For the same daemon, once its clients have gone. */
export async function isBackToBase(pid: number, base: ProcessFacts): Promise<string[]> {
  const now = () => ({ ...factsOf(pid), processes: descendantsOf(pid).length });
  const isBase = () => {
    const { descriptors, megabytes, processes } = now();
    return (
      descriptors <= base.descriptors + more.descriptors &&
      megabytes <= base.megabytes + more.megabytes &&
      processes <= more.processes
    );
  };
  try {
    await until(isBase, 'back to base', 15);
    return [];
  } catch {
    const { descriptors, megabytes, processes } = now();
    return [
      `the daemon came from ${base.descriptors} descriptors and ${base.megabytes} MB to ${descriptors} and ${megabytes} MB, with ${processes} processes of its own`,
    ];
  }
}
