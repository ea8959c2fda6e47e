/** Password commands that hang, or print what is no password: none is sent, and the call's time holds. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EndpointView } from '../../../shared/control-commands.ts';
import { until } from '../../waiting/until.ts';
import { askedOnce, askedText } from '../asked.ts';
import type { Fault, Strike } from '../fault.ts';

const password = 'test-only';
const callSeconds = 3;
const atOnce = 4;

/** What a command prints, and what is said of it: the role's password is just that. */
const odd: readonly (readonly [printed: string, said: RegExp])[] = [
  ['one\ntwo', /printed more than one line/],
  ['{"password": "x', /printed JSON that is torn/],
  ['a\u0007b', /printed control characters/],
];

export const hangingPasswords: Fault = {
  name: 'hanging-passwords',
  title: 'password commands hang, and print two lines, torn JSON, control characters',
  async strike(strike) {
    const { world, chance, wrong, saw } = strike;
    const { postgres, mariadb, postgresEndpoint } = world;
    const user = `slow_${chance.word(8)}`;
    await postgres.psql(`create role ${user} login password '${password}'`);
    await mariadb.client(`create user ${user} identified by '${password}'; grant all on shop.* to ${user}`);
    const flag = join(world.home.folder, user);
    const command = `until [ -e '${flag}' ]; do sleep 0.1; done; printf ${password}`;
    const slow: Readonly<Record<string, EndpointView>> = {
      PostgreSQL: { ...postgresEndpoint, user },
      MariaDB: { ...postgresEndpoint, engine: 'mysql', port: mariadb.port, user },
    };
    const connections = await Promise.all(
      Object.entries(slow).map(([who, endpoint]) => withCommand(strike, `${who} ${user}`, endpoint, command)),
    );
    if (chance.below(3) === 0) {
      for (const id of connections) void askedOnce(world, id, 'select 1', callSeconds).catch(() => {});
      await pause(chance.between(100, 800));
      // It fails if a command outlives it.
      await world.daemon.end('SIGKILL');
    }
    const asked = connections.flatMap(id => Array.from({ length: atOnce }, () => id));
    for (const text of await Promise.all(asked.map(id => askedText(world, id, 'select 1', callSeconds)))) {
      const [, seconds] =
        /^not_connected: .* nothing ran: its password did not come within ([\d.]+) s\./.exec(text) ?? [];
      saw('hanging password command', seconds === undefined ? 'something else' : 'told');
      if (seconds === undefined || Number(seconds) > callSeconds)
        wrong(`a password command hung, and a call of ${callSeconds} s was told: ${text.slice(0, 300)}`);
    }
    const sessions = `${await postgres.ask(`select pid from pg_stat_activity where usename = '${user}'`)}${await mariadb.ask(`select id from information_schema.processlist where user = '${user}'`)}`;
    if (sessions !== '') wrong(`nothing ran without a password, and the servers have the sessions ${sessions}`);
    await printsNoPassword(strike, user);
    writeFileSync(flag, '');
    for (const id of connections)
      await until(
        async () => (await askedText(world, id, 'select 40 + 2', callSeconds)).includes('[[42]]'),
        'it answers',
      ).catch(() => wrong('a password command no longer hangs, and calls still fail'));
    for (const connection of connections) await world.owner.ask('connections.delete', { connection });
  },
};

async function printsNoPassword(strike: Strike, user: string): Promise<void> {
  const { world, wrong, saw } = strike;
  for (const [at, [printed, said]] of odd.entries()) {
    const role = `${user}_${at}`;
    await world.postgres.psql(`create role ${role} login password '${printed}'`);
    const endpoint = { ...world.postgresEndpoint, user: role };
    const file = join(world.home.folder, role);
    writeFileSync(file, printed);
    const id = await withCommand(strike, `odd ${role}`, endpoint, `cat '${file}'`);
    const text = await askedText(world, id, 'select 1', callSeconds);
    const isTold = said.test(text);
    saw('odd password command', isTold ? 'told' : 'something else');
    if (!isTold)
      wrong(`a password command printed ${JSON.stringify(printed)}, and a call was told: ${text.slice(0, 300)}`);
    await world.owner.ask('connections.delete', { connection: id });
  }
}

async function withCommand({ world }: Strike, name: string, endpoint: EndpointView, command: string): Promise<string> {
  const { id } = await world.owner.ask('connections.save', {
    name,
    endpoint,
    password: { kind: 'command', command },
    externalClients: { level: 'readWrite' },
  });
  return id;
}
