/**
 * What stands of the grants that nobody confirmed (spec §11): which command gave what to which
 * subject, in words, and taken back. Asks nobody.
 */

import type { Connection } from '../access/connection.ts';
import { untilMilliseconds } from '../access/effective-access.ts';
import { levelRank, policyRank } from '../access/privilege-increases/client-use.ts';
import type { ConnectionBefore, Grant } from '../access/privilege-increases/grants.ts';
import { instantWords } from '../access/privilege-increases/increase-words.ts';
import { settingIncrease } from '../access/privilege-increases/setting-increase.ts';
import { isSettingKey, type SettingKey, type Settings } from '../access/settings/settings.ts';
import type { AnyCommand, CommandContext } from './command.ts';
import type { CommandPorts } from './ports.ts';
import { takingBack } from './taking-back.ts';

type Subject = Pick<Grant, 'kind' | 'id'>;

/** What a command has changed for good; null for what ends with it (`resume`, an answer). */
export function subjectOf(
  { name, records }: Pick<AnyCommand, 'name' | 'records'>,
  result: unknown,
  asked: object,
  ports: CommandPorts,
): Subject | null {
  if (name === 'settings.set' && 'key' in asked) return { kind: 'setting', id: String(asked.key) };
  if (name === 'desk.decide') {
    const { token } = result as { readonly token: string | null };
    return token === null ? null : { kind: 'token', id: token };
  }
  if (typeof records !== 'object') return null;
  const { connection, principal } = records.done?.(result, asked, ports) ?? {};
  if (connection != null) return { kind: 'connection', id: connection.id };
  return typeof principal === 'string' ? { kind: 'token', id: principal } : null;
}

/** What the command is about to change, as it is before the command runs. */
export function beforeOf(about: Connection | null, asked: object, { settings }: CommandPorts): Grant['before'] {
  if (about !== null) {
    const { externalClients, aiPolicy, databases, writeRowLimit, revision } = about;
    return { externalClients, aiPolicy, databases, writeRowLimit, revision };
  }
  const key = 'key' in asked ? String(asked.key) : '';
  return isSettingKey(key) ? settings.current()[key] : null;
}

type GrantPorts = Pick<CommandPorts, 'grants' | 'connections' | 'tokens'>;

/** The unconfirmed grants whose subject is still there. */
export function standing({ grants, connections, tokens }: GrantPorts): readonly Grant[] {
  return grants.unconfirmed().filter(({ kind, id }) => {
    if (kind === 'setting') return true;
    if (kind === 'connection') return connections.list().some(connection => connection.id === id);
    return tokens.list().some(token => token.id === id && token.revokedAt === null);
  });
}

/** `2026-11-28 10:00: lets clients write to "Shop"`. */
export function grantLine({ at, phrases }: Grant): string {
  return `${instantWords(at)}: ${phrases.join('; ')}`;
}

/** Connections as clients could use them before, at most; tokens revoked; settings as they were. */
export async function takeBackGrants(context: CommandContext): Promise<void> {
  const { grants, connections, knownServers, settings, now } = context.ports;
  const taking = await takingBack(context);
  // A connection without a limit of its own has the setting's.
  const settingsFirst = standing(context.ports).toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const given of settingsFirst) {
    const { kind, id, before } = given;
    if (kind === 'connection') {
      const connection = connections.list().find(each => each.id === id);
      if (connection === undefined) continue;
      const byDefault = settings.current()['writes.maxRows'];
      await taking.lower(id, one => asBefore(one, before as ConnectionBefore | null, byDefault, now()));
      if (isElsewhere(connection, before as ConnectionBefore | null)) await knownServers.forget(connection);
    } else if (kind === 'token') await taking.revoke(id);
    else if (isSettingKey(id) && isMoreThan(before, id, settings.current())) await taking.set(id, before);
    await grants.forget([given]);
  }
  await taking.done();
}

function rankOf({ kind }: Grant): number {
  return kind === 'setting' ? 0 : 1;
}

/** False if its person has lowered it since. */
function isMoreThan(before: Grant['before'], key: SettingKey, now: Settings): boolean {
  return settingIncrease(key, { ...now, [key]: before }, now) !== null;
}

/** True also if another server was trusted at its place. */
function isElsewhere(connection: Connection, before: ConnectionBefore | null): boolean {
  return before === null || before.revision !== connection.revision;
}

/** Blocked if it was made meanwhile, or leads elsewhere now. Never more than now. */
function asBefore(
  connection: Connection,
  before: ConnectionBefore | null,
  rowsByDefault: number,
  at: number,
): Connection {
  if (before === null || isElsewhere(connection, before))
    return { ...connection, externalClients: { level: 'blocked', writeUntil: null } };
  const former: Connection = { ...connection, ...before };
  const until = (one: Connection): number => untilMilliseconds(one.externalClients.writeUntil);
  const [now, then] = [levelRank(connection, at), levelRank(former, at)];
  const isHigher = now > then || (now === then && until(connection) > until(former));
  const rows = (one: Connection): number => one.writeRowLimit ?? rowsByDefault;
  return {
    ...connection,
    externalClients: isHigher ? before.externalClients : connection.externalClients,
    aiPolicy: policyRank(connection.aiPolicy) > policyRank(before.aiPolicy) ? before.aiPolicy : connection.aiPolicy,
    databases: before.databases === 'own' ? 'own' : connection.databases,
    writeRowLimit: rows(connection) > rows(former) ? before.writeRowLimit : connection.writeRowLimit,
  };
}
