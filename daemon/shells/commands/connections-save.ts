/**
 * `connections.save`: makes or changes a connection and stores its secrets separately, in the
 * secret store. It dials nothing. The order of its steps keeps a password from reaching a place
 * that it wasn't given for.
 */

import { errorCodes } from '../../../shared/codes.ts';
import type { FieldRefused } from '../../../shared/control.ts';
import type { Connection } from '../../access/connection.ts';
import { atMost, narrowedTo } from '../../access/narrowed-access.ts';
import { NotKept } from '../../access/not-kept.ts';
import {
  awaitingId,
  type ConnectionSecretKind,
  connectionSecretKinds,
  hasSecret,
  type SecretRead,
} from '../../access/secret-store.ts';
import { say } from '../../guard/reason.ts';
import {
  type CommandContext,
  type CommandOutcome,
  command,
  controlError,
  done,
  invalid,
  invalidField,
  refused,
} from '../command.ts';
import { type ConnectionView, connectionView } from '../messages/connections.ts';
import type { CommandPorts } from '../ports.ts';
import { changeConnection } from './connection-change.ts';
import { type ConnectionSaveParams, connectionFields } from './connection-fields.ts';
import { standingOf, unknownConnection, viewOfConnection } from './connection-view.ts';
import { lookBeside, saveIncrease } from './connections-increase.ts';
import { type Held, heldTo, readNow } from './held-to.ts';

/**
 * The fields of a change of access alone. Such a change may be a brake; `privilegeIncrease` judges
 * whether it only takes access away.
 */
const accessFields: ReadonlySet<string> = new Set(['connection', 'externalClients', 'aiPolicy']);

function changesAccessAlone(asked: ConnectionSaveParams): boolean {
  return asked.connection !== undefined && Object.keys(asked).every(field => accessFields.has(field));
}

export const connectionsSave = command('connections.save', {
  shape: connectionFields,
  result: connectionView,
  brake: changesAccessAlone,
  privilegeIncrease: (asked, context) => {
    const judge = (held?: Held) => {
      const former = formerOf(asked, context);
      const isGone = former === null && asked.connection !== undefined;
      return isGone ? null : saveIncrease(former, asked, context.ports, context.at, held);
    };
    const file = asked.endpoint?.filePath ?? null;
    if (file !== null) return lookBeside(file, context.ports).then(() => judge());
    return readNow(namedIn(asked), context)?.then(judge) ?? judge();
  },
  records: {
    action: ({ connection }) => (connection === undefined ? 'connection.add' : 'connection.change'),
    done: ({ id, name }, { connection, ...changed }, ports) => ({
      connection: { id, name },
      ...standingOf(id, ports, connection === undefined ? '' : `changed: ${Object.keys(changed).join(', ')}; `),
    }),
  },
  // A change that would be refused is refused before anybody is asked to confirm it.
  refuses: async (asked, context) => {
    const checked = await checkedChange(asked, context);
    return checked.kind === 'refused' ? checked : null;
  },
  run: (asked, context) => {
    const judged = formerOf(asked, context);
    if (changesAccessAlone(asked)) return saveAccess(asked, context, judged);
    return context.changes(async () => {
      const { ports, testedDrafts, requester } = context;
      const saved = await saveConnection(asked, context, judged);
      const connection = saved.kind === 'done' ? ports.connections.find(saved.result.id) : null;
      if (connection === null) return saved;
      const shown = testedDrafts.take(requester, connection, secretsIn(asked));
      // If what the test showed can't be kept, the saved connection is one that nobody has tested.
      await ports.knownServers.take(shown, connection).catch(() => {});
      return done(viewOfConnection(connection, ports));
    });
  },
});

function formerOf({ connection }: ConnectionSaveParams, { ports }: Pick<CommandContext, 'ports'>): Connection | null {
  return connection === undefined ? null : ports.connections.find(connection);
}

/**
 * Saves a change of access alone. It doesn't wait for other changes, which may wait for a keychain
 * or a server. So it is judged again by what is saved at that moment.
 */
async function saveAccess(
  asked: ConnectionSaveParams,
  context: CommandContext,
  judged: Connection | null,
): Promise<CommandOutcome<ConnectionView>> {
  const { ports, at } = context;
  if (judged === null) return unknownConnection(asked.connection ?? '');
  const saved = await ports.connections.edit(judged.id, now => {
    const change = changeConnection(now, asked, now.id, at);
    return change.kind === 'refused' || isOvertaken(now, asked, context, judged) ? null : change.connection;
  });
  return saved.kind === 'saved' ? done(viewOfConnection(saved.connection, ports)) : changedMeanwhile(judged);
}

/**
 * True if a change may no longer be saved, because access was taken away after it was judged. The
 * same change would give more now, and a confirmation from before a brake must not undo the brake.
 * @param judged the connection as it was judged; left out if what is asked gives no access back.
 */
function isOvertaken(
  now: Connection | null,
  asked: ConnectionSaveParams,
  { ports, at, confirmedBy }: Pick<CommandContext, 'ports' | 'at' | 'confirmedBy'>,
  judged?: Connection | null,
): boolean {
  if (confirmedBy === null) return saveIncrease(now, asked, ports, at) !== null;
  return judged !== undefined && now !== judged;
}

function changedMeanwhile({ name }: Connection): CommandOutcome<never> {
  return refused(
    'changed_since',
    say('The connection %@ has changed meanwhile, so nothing was saved; try again.', JSON.stringify(name)),
  );
}

/** Saves for a command that already runs alone. @param judged as in `isOvertaken`. */
export async function saveConnection(
  asked: ConnectionSaveParams,
  context: Pick<CommandContext, 'ports' | 'at' | 'confirmedBy' | 'authorityDigest' | 'sshConfiguration'>,
  judged?: Connection | null,
): Promise<CommandOutcome<ConnectionView>> {
  const { ports } = context;
  const checked = await checkedChange(asked, context);
  if (checked.kind === 'refused') return checked;
  const { former, connection: checkedOne } = checked.result;
  if (isOvertaken(former, asked, context, judged)) return changedMeanwhile(checkedOne);
  const connection = await heldToFiles(checkedOne, context);
  const holder = ports.connections.find(connection.name);
  if (holder !== null && holder.id !== connection.id) return nameTaken(holder);
  if (asked.create === true && connection.filePath !== null) {
    const problem = await ports.makeSqliteFile(connection.filePath);
    if (problem !== null) return refused('file_refused', problem, { path: connection.filePath });
  }
  const saved = await store(former, connection, secretsIn(asked), ports);
  return saved.kind === 'done' ? done(viewOfConnection(saved.result, ports)) : saved;
}

/**
 * The connection with the digests of what its CA file and ~/.ssh/config say now. A digest that it
 * has already stays.
 */
export async function heldToFiles(connection: Connection, context: ReadsFiles): Promise<Connection> {
  const { tls, tunnel, sshConfigurationDigest } = connection;
  const caFile = tls.caFileDigest === undefined ? tls.caFile : null;
  const unheld = sshConfigurationDigest === undefined ? tunnel : undefined;
  return heldTo(connection, (await readNow({ caFile, tunnel: unheld }, context)) ?? undefined);
}

type ReadsFiles = Pick<CommandContext, 'authorityDigest' | 'sshConfiguration'>;

/** The CA file and the tunnel that a change names, each null if it names none. */
export const namedIn = ({ tls, tunnel }: ConnectionSaveParams) => ({
  caFile: tls?.caFile ?? null,
  tunnel: tunnel ?? null,
});

/** The connection as it would be saved, or the refusal. */
export async function checkedChange(
  asked: ConnectionSaveParams,
  { ports, at }: Pick<CommandContext, 'ports' | 'at'>,
): Promise<CommandOutcome<{ readonly former: Connection | null; readonly connection: Connection }>> {
  const former = asked.connection === undefined ? null : ports.connections.find(asked.connection);
  if (former === null && asked.connection !== undefined) return unknownConnection(asked.connection);
  const change = changeConnection(former, asked, ports.newId(), at);
  if (change.kind === 'refused') {
    const { field, why } = change.fault;
    return field === null ? invalid('invalid_parameters', `${why}.`) : invalidField({ field, why });
  }
  const { connection } = change;

  const { filePath } = connection;
  // A file that is unavailable for now, on another disk say, must not prevent other changes; each
  // dial looks at it again.
  if (filePath !== null && (asked.endpoint !== undefined || asked.create === true)) {
    if ((await lookBeside(filePath, ports)).has(filePath))
      return refused(
        'file_refused',
        "That file can't be looked at: its disk, or another that is looked at, doesn't answer. Try again once it does.",
        { path: filePath },
      );
    const ownFile = ports.ownFileProblem(filePath);
    if (ownFile !== null) return refused('file_refused', ownFile, { path: filePath });
    const problem = await ports.sqliteFileProblem(filePath, asked.create === true);
    if (problem !== null) return refused('file_refused', problem, { path: filePath });
  }
  return done({ former, connection });
}

interface GivenSecret {
  readonly kind: ConnectionSecretKind;
  readonly value: string;
}

/** The secrets that a change brings, in the order of their kinds. */
export function secretsIn({ password, tls, sshPassphrase, sshPassword }: ConnectionSaveParams): readonly GivenSecret[] {
  const given: Readonly<Record<ConnectionSecretKind, string | undefined>> = {
    password: password?.kind === 'stored' ? password.value : undefined,
    keyPassphrase: tls?.keyPassphrase,
    sshPassphrase,
    sshPassword,
  };
  return connectionSecretKinds.flatMap(kind => {
    const value = given[kind];
    return value === undefined ? [] : [{ kind, value }];
  });
}

/**
 * Saves the connection and its secrets completely or not at all: half of it could send a password
 * to a place that it wasn't given for.
 */
async function store(
  former: Connection | null,
  connection: Connection,
  given: readonly GivenSecret[],
  ports: CommandPorts,
): Promise<CommandOutcome<Connection>> {
  const known: FormerSecret[] = [];
  for (const { kind } of given) known.push({ kind, read: await ports.secrets.read(kind, connection.id) });
  try {
    const changed = await change(former, connection, given, ports);
    if (changed.kind === 'refused') await deleteAwaiting(connection, given, ports);
    return changed;
  } catch (error) {
    if (!(error instanceof NotKept)) await takeBack(former, connection, known, ports).catch(() => {});
    throw error;
  }
}

interface FormerSecret {
  readonly kind: GivenSecret['kind'];
  readonly read: SecretRead;
}

/**
 * Undoes a change that failed: first the secrets, then the connection that uses them.
 * @param known the secrets that were to change, as they were.
 */
async function takeBack(
  former: Connection | null,
  connection: Connection,
  known: readonly FormerSecret[],
  ports: CommandPorts,
): Promise<void> {
  const { connections, secrets } = ports;
  const { id } = connection;
  const removed = connections.removed().find(row => row.id === id)?.connection;
  const isElsewhere = connections.find(id) === null && removed !== former;
  for (const { kind, read } of known) {
    // If the connection was removed meanwhile, its record may have the new place already.
    if (read.kind === 'found' && !isElsewhere) await secrets.write(kind, id, read.value);
    else if (read.kind !== 'unavailable') await secrets.delete(kind, id);
  }
  // A change that took access away meanwhile stays.
  if (former !== null) await connections.edit(id, now => (now === former ? null : atMost(former, narrowedTo(now))));
  // Until here the new secrets wait for the new place, so that the old ones are not sent there.
  await deleteAwaiting(connection, known, ports);
}

async function deleteAwaiting(
  connection: Connection,
  given: readonly Pick<GivenSecret, 'kind'>[],
  { secrets }: CommandPorts,
): Promise<void> {
  for (const { kind } of given) await secrets.delete(kind, awaitingId(connection));
}

/**
 * Makes the change. The moment at which the connection is saved decides: before it nothing new
 * counts, afterwards everything does, and earlier sessions are ended.
 */
async function change(
  former: Connection | null,
  connection: Connection,
  given: readonly GivenSecret[],
  ports: CommandPorts,
): Promise<CommandOutcome<Connection>> {
  const { id } = connection;
  for (const { kind, value } of given) await ports.secrets.write(kind, awaitingId(connection), value);
  const saved = await ports.connections.save(connection, former);
  if (saved.kind === 'name_taken') return nameTaken(saved.by);
  if (saved.kind === 'left') return changedMeanwhile(connection);
  if (former !== null && former.revision !== connection.revision) await ports.databases.forget(id);
  for (const { kind, value } of given) await ports.secrets.write(kind, id, value);
  await deleteAwaiting(connection, given, ports);
  for (const kind of connectionSecretKinds) {
    if (former !== null && hasSecret(kind, former) && !hasSecret(kind, connection))
      await ports.secrets.delete(kind, id);
  }
  return done(connection);
}

function nameTaken(by: Connection): CommandOutcome<never> {
  const clause = `is already a connection ${JSON.stringify(by.name)}; choose another name`;
  const data: FieldRefused = { field: 'name', why: `there ${clause}` };
  const values = { connection: by.name };
  return {
    kind: 'refused',
    error: controlError(errorCodes.forbidden, 'name_taken', `There ${clause}.`, [values], data),
  };
}
