/** Roles that may have two sessions, and a pooler of three: calls wait for one, and none fails. */

import type { EndpointView } from '../../../shared/control-commands.ts';
import { pgbouncerUnavailable, startPgbouncer } from '../../servers/pgbouncer.ts';
import { askedText } from '../asked.ts';
import type { Fault } from '../fault.ts';

const atOnce = 16;
const password = 'test-only';
const callSeconds = 60;

export const fewSessions: Fault = {
  name: 'few-sessions',
  title: `${atOnce} calls at once for a role of two sessions on PostgreSQL, on MariaDB, and for a pooler of three`,
  missing: () => pgbouncerUnavailable(),
  async strike({ world, chance, wrong, saw }) {
    const { postgres, mariadb, postgresEndpoint } = world;
    const user = `few_${chance.word(8)}`;
    await postgres.psql(`create role ${user} login password '${password}' connection limit 2`);
    await mariadb.client(`create user ${user} identified by '${password}' with max_user_connections 2;
      grant all on shop.* to ${user}`);
    const mode = chance.pick(['session', 'transaction']);
    const pooler = await startPgbouncer(postgres, [`pool_mode = ${mode}`, 'default_pool_size = 3']);
    const few: Readonly<Record<string, EndpointView>> = {
      PostgreSQL: { ...postgresEndpoint, user },
      MariaDB: { ...postgresEndpoint, engine: 'mysql', port: mariadb.port, user },
      [`PgBouncer by ${mode}`]: { ...postgresEndpoint, port: pooler.port },
    };
    for (const [who, endpoint] of Object.entries(few)) {
      const { id } = await world.owner.ask('connections.save', {
        name: `${who} ${user}`,
        endpoint,
        password: { kind: 'stored', value: password },
        externalClients: { level: 'readWrite' },
      });
      // As a person does: this pooler lets in without a proof.
      await world.owner.ask('connections.test', { connection: id });
      const asked = Array.from({ length: atOnce }, (_, at) => askedText(world, id, `select ${at} as one`, callSeconds));
      const said = await Promise.all(asked);
      const lost = said.filter((text, at) => !text.includes(`"rows":[[${at}`));
      saw(who, lost.length === 0 ? 'answered' : 'a call failed');
      for (const text of lost) wrong(`${who} lets us have few sessions, and a call ended so: ${text.slice(0, 300)}`);
      await world.owner.ask('connections.delete', { connection: id });
    }
    await pooler.stop();
  },
};
