/**
 * `connections.prove`: puts the published attacks to the guard, asks the server whether it refuses
 * writes in a session that only reads, and its catalog what the account may do. Changes nothing.
 */

import type { Connection } from '../../access/connection.ts';
import { levelNow } from '../../access/effective-access.ts';
import type { CallContext, Database, ServerStatus } from '../../engines/engine.ts';
import type { Right } from '../../engines/rights.ts';
import { attacksOf } from '../../guard/attacks/attacks.ts';
import { type Passed, passedRole, passedSession } from '../../guard/attacks/measured.ts';
import { attackNames } from '../../statement/attack-names.ts';
import { type PutAttacks, putAttacks } from '../../statement/put-attacks.ts';
import { type CommandContext, type CommandOutcome, command, done, looking, refused } from '../command.ts';
import type { ConnectionProof } from '../messages/proof.ts';
import { connectionProof } from '../messages/proof.ts';
import { unknownConnection } from './connection-view.ts';
import { problemOf } from './connections.ts';
import { namedConnection } from './shapes.ts';

/** A person waits. */
const wholeMilliseconds = 55_000;
const questionSeconds = 15;

export const connectionsProve = command('connections.prove', {
  shape: namedConnection,
  result: connectionProof,
  privilegeIncrease: 'never',
  records: {
    action: 'connection.test',
    done: ({ id, name }) => ({ connection: { id, name }, reason: 'proved' }),
  },
  run: ({ connection: asked }, context) => {
    const connection = context.ports.connections.find(asked);
    return connection === null ? unknownConnection(asked) : looking(prove(connection, context));
  },
});

async function prove(
  connection: Connection,
  { ports, signal, at }: CommandContext,
): Promise<CommandOutcome<ConnectionProof>> {
  const { id, name, engine } = connection;
  const context: CallContext = {
    principal: null,
    client: 'proof',
    database: null,
    schema: null,
    timeoutSeconds: questionSeconds,
    signal: AbortSignal.any([signal, AbortSignal.timeout(wholeMilliseconds)]),
  };
  ports.tunnels.retry(connection, null);
  const database: Database = ports.databases.of(connection);
  const failed = (failure: Parameters<typeof problemOf>[0]) =>
    refused('database_failed', problemOf(failure, connection), { connection: name });
  const status = await database.status(context);
  if (status.kind !== 'done') return failed(status);
  const rights = await database.rights(context);
  if (rights.kind !== 'done') return failed(rights);
  const { serverVersion, currentUser: user, currentDatabase } = status.value;
  const flavor = serverVersion.startsWith('MariaDB') ? 'mariadb' : 'mysql';
  const groups = attacksOf[engine].filter(group => group.flavor === undefined || group.flavor === flavor);
  const names = await attackNames(database, context, { role: user, database: currentDatabase });
  const put = await putAttacks({ database, classifier: ports.classifier, context, groups, names });
  const walls = wallsOf(engine, status.value, rights.value);
  return done({
    ...{ id, name, engine, serverVersion, user, level: levelNow(connection, at) },
    attacks: put.filter(({ tried, untried }) => tried + untried > 0).map(each => ({ ...each, ...walls(each) })),
    rights: rights.value,
  });
}

type Walls = Pick<ConnectionProof['attacks'][number], 'session' | 'account'>;

/** What was measured on our own servers, for an account like this one. */
function wallsOf(
  engine: Connection['engine'],
  status: ServerStatus,
  rights: readonly Right[] | null,
): (put: PutAttacks) => Walls {
  const role: Passed = engine === 'sqlite' ? {} : passedRole[engine];
  return ({ kind, tried, untried }) => {
    const of = tried + untried;
    const isOpen = rights?.some(({ opens }) => opens.includes(kind)) === true;
    const inSession = sessionOf(engine, status, rights ?? [], isOpen)[kind] ?? 0;
    return {
      session: status.isReadWallMissing ? null : { passed: Math.min(inSession, of), of },
      account: rights === null ? null : { passed: isOpen ? of : Math.min(role[kind] ?? 0, of), of },
    };
  };
}

/** The first PostgreSQL with the role `pg_read_all_data`, as which a superuser reads. */
const readerSince = 14;

/** @param isOpen the account has a right that opens this kind, as a superuser has. */
function sessionOf(
  engine: Connection['engine'],
  { serverVersion, currentUser }: ServerStatus,
  rights: readonly Right[],
  isOpen: boolean,
): Passed {
  if (engine === 'sqlite') return passedSession.sqlite.file;
  if (engine === 'mysql') return isOpen ? passedSession.mysql.privileged : passedSession.mysql.fitting;
  const { superuser, reader, owner, fitting } = passedSession.postgres;
  const has = (code: Right['code']): boolean => rights.some(right => right.code === code);
  const major = Number(/PostgreSQL (\d+)/.exec(serverVersion)?.[1] ?? 0);
  // Whoever may become a superuser reads as itself until it does.
  const isSuperuser = rights.some(({ code, on }) => code === 'everything' && on.includes(currentUser ?? ''));
  if (has('everything')) return isSuperuser && major >= readerSince ? reader : superuser;
  if (!isOpen) return fitting;
  const { other_writes: _, stored_code, ...reaching } = superuser;
  // Code that reaches a file or another server does so in a session that only reads, too.
  const reachesOut = has('definer_functions') || has('network_functions');
  return { ...reaching, ...(reachesOut && { stored_code }), ...(has('owns') && owner) };
}
