/** Tunnels freeze while statements run through them: what is said is so, and calls go on later. */

import { setTimeout as pause } from 'node:timers/promises';
import type { EndpointView } from '../../../shared/control-commands.ts';
import { missingPrograms } from '../../missing-programs.ts';
import { processesOf } from '../../servers/processes-with.ts';
import { until } from '../../waiting/until.ts';
import { askedOnce, askedText, isOfPause, textOf } from '../asked.ts';
import type { Fault, Strike } from '../fault.ts';
import type { EngineName } from '../ledger.ts';
import { ofResult, ofThrown } from '../outcomes.ts';

const callSeconds = 3;
/** Of calls that are under way when it freezes: they get there on a busy machine, too. */
const heldSeconds = 5;
/** A statement that would run on. */
const runningSeconds = 30;

interface Through {
  readonly engine: Exclude<EngineName, 'sqlite'>;
  readonly connection: string;
  /** `from …`, which takes its time. */
  readonly slow: string;
  /** How often such a statement runs. */
  running(): Promise<number>;
}

export const frozenTunnels: Fault = {
  name: 'frozen-tunnels',
  title: 'tunnels to PostgreSQL and MariaDB freeze (SIGSTOP) in a read and a write, and go on',
  missing: () => missingPrograms(['socat'], 'apt-get install socat'),
  async strike(strike) {
    const { world, chance, wrong } = strike;
    const { postgres, mariadb, postgresEndpoint } = world;
    const word = chance.word(8);
    const ports = [postgres.port, mariadb.port];
    const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
      for (const pid of ports.flatMap(port => processesOf('socat', `TCP:127.0.0.1:${port}`))) process.kill(pid, name);
    };
    const slow = `pg_sleep(${runningSeconds})`;
    const tunnels: readonly Through[] = [
      {
        engine: 'postgres',
        connection: await tunnelled(strike, `Tunnel ${word}`, postgresEndpoint, postgres.password),
        slow,
        running: async () =>
          Number(
            await postgres.ask(
              `select count(*) from pg_stat_activity where state = 'active' and query like '%${word}%${slow}'`,
            ),
          ),
      },
      {
        engine: 'mysql',
        connection: await tunnelled(
          strike,
          `Tunnel of MariaDB ${word}`,
          { ...postgresEndpoint, engine: 'mysql', port: mariadb.port, user: mariadb.user },
          mariadb.password,
        ),
        slow: `(select sleep(${runningSeconds})) as held`,
        running: async () =>
          Number(
            await mariadb.ask(
              `select count(*) from information_schema.processlist where state = 'User sleep' and info like '%${word}%'`,
            ),
          ),
      },
    ];
    const answers = (): Promise<unknown> =>
      Promise.all(
        tunnels.map(({ connection }) =>
          until(
            async () => (await askedText(world, connection, 'select 40 + 2', callSeconds)).includes('[[42]]'),
            'it answers',
          ),
        ),
      );
    await answers();
    try {
      const under = tunnels.map(tunnel => underWay(strike, tunnel, word));
      const ended = Promise.all(under.map(({ answers }) => answers));
      // A pause may end them before, or their time, if the machine is busy.
      await Promise.race([ended, Promise.all(under.map(({ run }) => run)).catch(() => {})]);
      const frozenAt = performance.now();
      signal('SIGSTOP');
      for (const { answer, endedAt, mayStay } of (await ended).flat())
        if (endedAt > frozenAt && !isOfPause(answer) && !(mayStay && unseen.test(textOf(answer))))
          sayIfNot(strike, textOf(answer), neitherAnswers, 'frozen tunnel');
      if (chance.below(3) === 0) {
        // It fails if a tunnel outlives it.
        await world.daemon.end('SIGKILL');
      } else {
        const texts = tunnels.map(({ connection }) => askedText(world, connection, 'select 1', callSeconds));
        for (const text of await Promise.all(texts)) sayIfNot(strike, text, nothingRan, 'frozen tunnel, later');
      }
    } finally {
      signal('SIGCONT');
    }
    await pause(200);
    await answers().catch(() => wrong('a tunnel goes on, and calls through it still fail'));
    for (const { connection } of tunnels) await world.owner.ask('connections.delete', { connection });
  },
};

const neitherAnswers = /^not_connected: .* neither its tunnel nor the server behind it has answered for [\d.]+ s\./;
/** Or those of the calls before, which wait for the same tunnel, have yet to end. */
const nothingRan =
  /^(?:not_connected: .* nothing ran: neither its tunnel nor the server behind it has answered for|busy: Nothing ran: sessions of earlier calls of .* did not end within) [\d.]+ s\./;
/** What MariaDB takes back of a write is only known once it says so. */
const unseen = /^outcome_unknown: .* it may have taken effect\./;

/** A read and a write, whose row the ledger knows. */
function underWay({ world, chance }: Strike, { engine, connection, slow, running }: Through, word: string) {
  const asked = async (sql: string, mayStay: boolean) => {
    const answer = await askedOnce(world, connection, sql, heldSeconds);
    return { answer, mayStay, endedAt: performance.now() };
  };
  const read = asked(`select '${word}' from ${slow}`, false);
  const key = `${word}${chance.word(8)}`;
  const sql = `insert into kept (k) select '${key}' from ${slow}`;
  const call = world.ledger.begin('write', engine, key, sql, 'through a tunnel');
  const write = asked(sql, engine === 'mysql').then(
    ended => {
      Object.assign(call, ofResult(ended.answer.json.result ?? {}), { endedAt: ended.endedAt });
      return ended;
    },
    (error: unknown) => {
      Object.assign(call, ofThrown(error), { endedAt: performance.now() });
      throw error;
    },
  );
  const run = until(async () => (await running()) === 2, 'both statements run', heldSeconds);
  return { answers: Promise.all([read, write]), run };
}

function sayIfNot({ saw, wrong }: Strike, text: string, expected: RegExp, who: string): void {
  const isTold = expected.test(text);
  saw(who, isTold ? 'told' : 'something else');
  if (!isTold) wrong(`a tunnel was frozen, and a call was told: ${text.slice(0, 300)}`);
}

async function tunnelled({ world }: Strike, name: string, endpoint: EndpointView, password: string): Promise<string> {
  const command = `socat UNIX-LISTEN:{socket},fork,backlog=32 TCP:127.0.0.1:${endpoint.port}`;
  const { id } = await world.owner.ask('connections.save', {
    name,
    endpoint: { ...endpoint, host: 'localhost' },
    tunnel: { kind: 'command', command },
    password: { kind: 'stored', value: password },
    externalClients: { level: 'readWrite' },
  });
  return id;
}
