/**
 * What widens access and what doesn't (SPEC §11): judged from the state there is and the one that is asked for. Each phrase
 * completes "This …". Whether a widening needs a confirmation is `wideningMode`; who gives it is not decided here.
 */

import {
  type AiPolicy,
  aiPolicies,
  type Connection,
  type ExternalClientsLevel,
  externalClientsLevels,
  tlsModes,
} from './connection.ts';
import { levelNow } from './effective-access.ts';
import type { SettingKey, Settings } from './settings.ts';

export type WideningMode = 'ask' | 'free';

/** `auto`: asked for once there is somebody to ask: an owner passphrase, or Sallyport.app. */
export function wideningMode(setting: Settings['widening'], someoneConfirms: boolean): WideningMode {
  if (setting !== 'auto') return setting;
  return someoneConfirms ? 'ask' : 'free';
}

/** @param former null for a new connection. @returns what is widened, in phrases; none where nothing is. */
export function connectionWidening(former: Connection | null, next: Connection, nowMilliseconds: number): string[] {
  const name = JSON.stringify(next.name);
  const command = next.password.kind === 'command' ? next.password.command : null;
  const formerCommand = former?.password.kind === 'command' ? former.password.command : null;
  return [
    ...(opensLevel(former, next, nowMilliseconds)
      ? [`lets clients ${levelWords[next.externalClients.level]} ${name}${forHowLong(next)}`]
      : []),
    ...(policyRank(next.aiPolicy) > policyRank(former?.aiPolicy ?? 'always')
      ? [`sets the AI policy of ${name} to ${next.aiPolicy}`]
      : []),
    ...(command !== null && command !== formerCommand ? [`runs a command for the password of ${name}`] : []),
    ...(next.databases === 'all' && formerDatabases(former, next) === 'own'
      ? [`opens all databases of ${name} to an argument`]
      : []),
    ...(former === null ? [] : placeWidening(former, next, name)),
    // The person answers questions by the name they know: under another one, a yes for staging would be a yes for production.
    ...(former !== null && former.name !== next.name ? [`renames ${JSON.stringify(former.name)} to ${name}`] : []),
  ];
}

const levelWords: Readonly<Record<ExternalClientsLevel, string>> = {
  blocked: 'not use',
  readOnly: 'read',
  readWrite: 'write to',
};

function forHowLong({ externalClients: { writeUntil } }: Connection): string {
  return writeUntil === null ? '' : ` until ${writeUntil}`;
}

/** A new connection starts from the default level, which is no widening. */
function opensLevel(former: Connection | null, next: Connection, now: number): boolean {
  const rank = (connection: Connection): number => externalClientsLevels.indexOf(levelNow(connection, now));
  const rankBefore = former === null ? externalClientsLevels.indexOf('readOnly') : rank(former);
  if (rank(next) !== rankBefore) return rank(next) > rankBefore;
  return former !== null && levelNow(next, now) === 'readWrite' && until(next) > until(former);
}

function until({ externalClients: { writeUntil } }: Connection): number {
  return writeUntil === null ? Number.POSITIVE_INFINITY : Date.parse(writeUntil);
}

/** As SPEC §6's defaults have it for a new connection. */
function formerDatabases(former: Connection | null, next: Connection): Connection['databases'] {
  return former?.databases ?? (next.engine === 'postgres' ? 'own' : 'all');
}

/** From never to always. */
function policyRank(policy: AiPolicy): number {
  return aiPolicies.length - aiPolicies.indexOf(policy);
}

/**
 * A password must not travel to another place; and what clients may do here was allowed for this place. So a connection without
 * a password counts as well: a file or a peer-authenticated socket needs none.
 */
function placeWidening(former: Connection, next: Connection, name: string): string[] {
  const moved = (['host', 'port', 'socketPath', 'filePath', 'database', 'user'] as const).filter(
    field => former[field] !== next[field],
  );
  const weaker = tlsModes.indexOf(next.tls.mode) < tlsModes.indexOf(former.tls.mode);
  return [
    ...(moved.length > 0 ? [`points ${name} to another ${moved.map(field => placeWords[field]).join(' and ')}`] : []),
    ...(weaker ? [`weakens the TLS of ${name} to ${next.tls.mode}`] : []),
    ...(former.tls.caFile !== next.tls.caFile ? [`lets other certificates vouch for ${name}`] : []),
  ];
}

const placeWords = {
  host: 'host',
  port: 'port',
  socketPath: 'socket',
  filePath: 'file',
  database: 'database',
  user: 'user',
} as const;

/** @returns what is widened, or null. @param someoneConfirms decides what `auto` comes to. */
export function settingWidening(
  key: SettingKey,
  former: Settings,
  next: Settings,
  someoneConfirms: boolean,
): string | null {
  if (Object.is(former[key], next[key])) return null;
  return settingVerdicts[key](former, next, someoneConfirms) ? `sets ${key} to ${String(next[key])}` : null;
}

type SettingVerdict = (former: Settings, next: Settings, someoneConfirms: boolean) => boolean;

const never: SettingVerdict = () => false;
const always: SettingVerdict = () => true;
const whenTrue =
  (key: 'enabled' | 'port.fallback'): SettingVerdict =>
  (_, next) =>
    next[key];
/** 0 stands for no limit. */
const whenMore =
  (key: 'limits.requestsPerMinute' | 'limits.concurrentRequests'): SettingVerdict =>
  (former, next) =>
    former[key] !== 0 && (next[key] === 0 || next[key] > former[key]);

const settingVerdicts: Readonly<Record<SettingKey, SettingVerdict>> = {
  // Clients with the former port in their file would send their tokens to whoever takes it next.
  port: always,
  'port.fallback': whenTrue('port.fallback'),
  enabled: whenTrue('enabled'),
  keychain: (_, next) => next.keychain !== 'required',
  widening: (former, next, someoneConfirms) =>
    next.widening !== 'ask' && wideningMode(former.widening, someoneConfirms) === 'ask',
  // Less is kept of what clients did.
  history: (_, next) => next.history === 'off',
  'history.days': (former, next) => next['history.days'] < former['history.days'],
  // How much of what may be read comes in one answer.
  'results.defaultRows': never,
  'results.maxRows': never,
  'results.maxBytes': never,
  'results.maxCellBytes': never,
  'query.defaultSeconds': never,
  'query.maxSeconds': never,
  'limits.requestsPerMinute': whenMore('limits.requestsPerMinute'),
  'limits.concurrentRequests': whenMore('limits.concurrentRequests'),
  'approval.rememberHours': (former, next) => next['approval.rememberHours'] > former['approval.rememberHours'],
  // What clients did stands in the activity log, whatever this says.
  'log.level': never,
};
