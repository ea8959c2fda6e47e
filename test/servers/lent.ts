/**
 * Servers that a Jest worker keeps for its later suites: starting MariaDB takes most of a second of
 * processor time, renewing one a tenth of that. A borrowed server is in the state after its start.
 * One that can't be renewed is stopped, and another one starts.
 */

import { type MariadbServer, startMariadb } from './mariadb.ts';
import { findPostgres, type PostgresServer, startPostgres } from './postgres.ts';
import { renewMariadb, stateOfMariadb } from './renewed-mariadb.ts';
import { renewPostgres, stateOfPostgres } from './renewed-postgres.ts';

interface Server {
  stop(): Promise<void>;
}

interface Kept<Lent extends Server> {
  readonly server: Lent;
  /** What `renew` must restore. */
  readonly state: string;
  isLent: boolean;
}

interface Kind<Lent extends Server> {
  start(): Promise<Lent>;
  state(server: Lent): Promise<string>;
  renew(server: Lent): Promise<void>;
  /** Methods after which renewing isn't worth a try. */
  readonly changing: readonly (keyof Lent)[];
  /** Leaves nothing that keeps the process from ending. */
  rest(server: Lent): Promise<void>;
}

/** Each suite loads this file anew, so the process stores the servers. */
const place = Symbol.for('sallyport.kept-servers');
const holder = globalThis as { [place]?: Map<string, Kept<Server>> };
holder[place] ??= new Map();
const keptServers = holder[place];

/** `stop` gives it back. If another one is lent out already, this is a new server. */
export function lendPostgres(): Promise<PostgresServer> {
  return lend('postgres', {
    start() {
      const found = findPostgres();
      if ('unavailable' in found) throw new Error(found.unavailable);
      return startPostgres(found);
    },
    state: stateOfPostgres,
    renew: renewPostgres,
    changing: ['restart', 'crash', 'pause', 'serveCertificate'],
    rest: server => server.endSessions(),
  });
}

/** `stop` gives it back. If another one is lent out already, this is a new server. */
export function lendMariadb(): Promise<MariadbServer> {
  return lend('mariadb', {
    start: startMariadb,
    state: stateOfMariadb,
    renew: renewMariadb,
    changing: ['restart', 'pause'],
    rest: async () => {},
  });
}

async function lend<Lent extends Server>(name: string, kind: Kind<Lent>): Promise<Lent> {
  let kept = keptServers.get(name) as Kept<Lent> | undefined;
  if (kept?.isLent) return kind.start();
  // From here on: renewing it ends the sessions of whoever would get it meanwhile.
  if (kept !== undefined) kept.isLent = true;
  if (kept !== undefined && !(await isAsNew(kept, kind))) {
    keptServers.delete(name);
    await kept.server.stop();
    kept = undefined;
  }
  if (kept === undefined) {
    kept = await startKept(kind);
    keptServers.set(name, kept);
  }
  kept.isLent = true;
  return lent(name, kept, kind);
}

async function startKept<Lent extends Server>(kind: Kind<Lent>): Promise<Kept<Lent>> {
  const server = await kind.start();
  try {
    return { server, state: await kind.state(server), isLent: false };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function isAsNew<Lent extends Server>({ server, state }: Kept<Lent>, kind: Kind<Lent>): Promise<boolean> {
  try {
    await kind.renew(server);
    return (await kind.state(server)) === state;
  } catch {
    // A prepared transaction, a tablespace, or something unforeseen.
    return false;
  }
}

function lent<Lent extends Server>(name: string, kept: Kept<Lent>, kind: Kind<Lent>): Lent {
  let isChanged = false;
  let isBack = false;
  const own: Partial<Lent> = {};
  for (const method of kind.changing) {
    const change = kept.server[method] as (...given: unknown[]) => unknown;
    Object.assign(own, {
      [method](...given: unknown[]) {
        isChanged = true;
        return change(...given);
      },
    });
  }
  // Includes its getters, since its process id may change.
  const whole: Lent = Object.create(null, Object.getOwnPropertyDescriptors(kept.server));
  return Object.assign(whole, own, {
    async stop() {
      // Another suite may have it by now.
      if (isBack) return;
      isBack = true;
      if (!isChanged) {
        await kind.rest(kept.server);
        kept.isLent = false;
        return;
      }
      keptServers.delete(name);
      await kept.server.stop();
    },
  });
}
