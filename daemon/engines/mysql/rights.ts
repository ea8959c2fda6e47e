/** What a MySQL or MariaDB account may do beyond reading, by SHOW GRANTS. */

import { type AttackKind, attackKinds, type RightCode } from '../../../shared/proof-codes.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { isRight, type Right, rightOn, writes } from '../rights.ts';
import { type Grant, grantsIn, hasPrivilege, type Membership, membershipsIn } from './follow/grants.ts';

interface Power {
  readonly code: RightCode;
  readonly opens: readonly AttackKind[];
}

const rows: Power = { code: 'change_rows', opens: writes };
const definitions: Power = { code: 'creates', opens: ['all_rows', 'other_writes'] };
const code: Power = { code: 'definer_functions', opens: ['stored_code'] };
const server: Power = { code: 'server_settings', opens: ['server_control'] };

/** Told by where they count; the others by their own names. */
const ofPlaces: ReadonlySet<RightCode> = new Set(['change_rows', 'creates', 'definer_functions']);

/** Those that only show or read, or make what ends with the session. */
const harmless: ReadonlySet<string> = new Set([
  ...['USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES', 'SHOW_ROUTINE', 'SHOW CREATE ROUTINE', 'REFERENCES'],
  ...['CREATE TEMPORARY TABLES', 'REPLICATION CLIENT', 'BINLOG MONITOR', 'SLAVE MONITOR', 'REPLICA MONITOR'],
]);

/** By what SHOW GRANTS calls it. One that is nowhere here counts as power over its place. */
const powers: Readonly<Record<string, Power>> = {
  INSERT: rows,
  UPDATE: rows,
  DELETE: rows,
  'DELETE HISTORY': rows,
  DROP: definitions,
  ALTER: definitions,
  CREATE: definitions,
  INDEX: definitions,
  TRIGGER: definitions,
  EVENT: definitions,
  'CREATE VIEW': definitions,
  'CREATE ROUTINE': definitions,
  'ALTER ROUTINE': definitions,
  EXECUTE: code,
  'LOCK TABLES': { code: 'other_sessions', opens: ['other_sessions'] },
  FILE: { code: 'server_files', opens: ['server_files'] },
  SUPER: { code: 'server_settings', opens: ['server_control', 'other_sessions', 'session_settings'] },
  PROCESS: { code: 'other_sessions', opens: ['other_sessions'] },
  'CONNECTION ADMIN': { code: 'other_sessions', opens: ['other_sessions'] },
  CONNECTION_ADMIN: { code: 'other_sessions', opens: ['other_sessions'] },
  'CREATE USER': { code: 'accounts', opens: ['server_control'] },
  'CREATE ROLE': { code: 'accounts', opens: ['server_control'] },
  'DROP ROLE': { code: 'accounts', opens: ['server_control'] },
  ROLE_ADMIN: { code: 'accounts', opens: ['server_control'] },
  // They let code run as any account.
  'SET USER': { code: 'accounts', opens: ['server_control', 'stored_code'] },
  SET_USER_ID: { code: 'accounts', opens: ['server_control', 'stored_code'] },
  SET_ANY_DEFINER: { code: 'accounts', opens: ['server_control', 'stored_code'] },
  FEDERATED_ADMIN: { code: 'network_functions', opens: ['network'] },
  'FEDERATED ADMIN': { code: 'network_functions', opens: ['network'] },
  'REPLICATION SLAVE ADMIN': { code: 'replication', opens: ['server_control', 'network'] },
  // The log of changes has hashes of passwords, too.
  'REPLICATION SLAVE': { code: 'replication', opens: ['passwords'] },
  REPLICATION_SLAVE_ADMIN: { code: 'replication', opens: ['server_control', 'network'] },
};

export async function rights(database: Database, context: CallContext): Promise<Answer<readonly Right[]>> {
  const shown = await grantsShown(database, context, '');
  if (shown.kind !== 'done') return shown;
  const account = grantsIn(shown.value)[0]?.to ?? '';
  const memberships = membershipsIn(shown.value);
  const roles = memberships.filter(({ to }) => to === account).map(({ role }) => role);
  // A role of MySQL has a host, and its rights are shown as the account's own if it is active.
  if (!roles.some(role => role.includes('@')))
    return { kind: 'done', value: whole(withRoles(shown.value, account, roles, memberships)) };
  const own = await grantsShown(database, context, ` FOR ${account}`);
  if (own.kind !== 'done') return own;
  const told = [...rightsOf(own.value)];
  for (const role of roles) {
    const used = await grantsShown(database, context, ` FOR ${account} USING ${role}`);
    if (used.kind !== 'done') return used;
    const added = used.value.filter(line => !own.value.includes(line));
    told.push(...rightsOf(added).map(right => ({ ...right, revoke: leaving(role, account) })));
  }
  return { kind: 'done', value: whole(told) };
}

async function grantsShown(database: Database, context: CallContext, of: string): Promise<Answer<readonly string[]>> {
  const answer = await lookUp(database, context, `SHOW GRANTS${of}`, []);
  if (answer.kind !== 'done') return answer;
  return { kind: 'done', value: answer.value.map(([line]) => (typeof line === 'string' ? line : '')) };
}

/** The group's other members keep what it may do. */
const leaving = (role: string, account: string): string => `REVOKE ${role} FROM ${account}`;

const whole = (told: readonly Right[]): readonly Right[] => {
  const all = told.find(({ code: what }) => what === 'everything');
  return all === undefined ? told : [all];
};

/** MariaDB shows an active role's rights as the role's own, and nothing of another role's. */
function withRoles(
  lines: readonly string[],
  account: string,
  roles: readonly string[],
  memberships: readonly Membership[],
): readonly Right[] {
  const reached = (role: string): readonly string[] => [
    role,
    ...memberships.filter(({ to }) => to === role).flatMap(each => reached(each.role)),
  ];
  const to = (line: string): string => grantsIn([line])[0]?.to ?? '';
  const through = roles.flatMap(role => {
    const names = reached(role);
    const shown = lines.filter(line => names.includes(to(line)));
    if (shown.length > 0) return rightsOf(shown).map(right => ({ ...right, revoke: leaving(role, account) }));
    return rightOn('other_roles', [role], attackKinds, leaving(role, account));
  });
  const others = new Set(roles.flatMap(reached));
  return [...rightsOf(lines.filter(line => !others.has(to(line)))), ...through.filter(isRight)];
}

/** @param lines of SHOW GRANTS. */
function rightsOf(lines: readonly string[]): readonly Right[] {
  const grants = grantsIn(lines);
  const all = grants.find(({ privileges, on }) => on === '*.*' && hasAll(privileges));
  if (all !== undefined) {
    const revoke = `REVOKE ALL PRIVILEGES ON *.* FROM ${all.to}`;
    return [{ code: 'everything', on: [all.to], more: 0, revoke, opens: attackKinds }];
  }
  return [...grants.flatMap(byPower), ...lines.flatMap(inSystemTables)].filter(isRight);
}

/** MySQL lists them one by one. */
const inAll = ['SELECT', 'INSERT', 'DELETE', 'DROP', 'ALTER', 'FILE', 'RELOAD', 'SHUTDOWN', 'PROCESS', 'CREATE USER'];
const hasAll = (privileges: readonly string[]): boolean =>
  privileges.includes('ALL PRIVILEGES') || inAll.every(each => privileges.includes(each));

/** One right for each power in a line, so that one REVOKE ends it. */
function byPower({ privileges, on, to }: Grant): readonly (Right | null)[] {
  const all = ['INSERT', 'UPDATE', 'DELETE', 'DROP', 'EXECUTE', 'LOCK TABLES'];
  const known = (privileges.includes('ALL PRIVILEGES') ? all : privileges).flatMap(privilege => {
    const power = powerOf(bare(privilege), on);
    return power === null ? [] : [{ privilege, power }];
  });
  return [...Map.groupBy(known, ({ power }) => power.code).entries()].map(([what, some]) => {
    const named = privileges.includes('ALL PRIVILEGES') ? ['ALL PRIVILEGES'] : some.map(({ privilege }) => privilege);
    const opens = [...new Set(some.flatMap(({ power }) => power.opens))];
    const about = ofPlaces.has(what) ? [on] : named;
    // MariaDB knows packages by that mode alone.
    const mode = on.startsWith('PACKAGE ') ? 'SET sql_mode = ORACLE; ' : '';
    return rightOn(what, about, opens, `${mode}REVOKE ${named.join(', ')} ON ${on} FROM ${to}`);
  });
}

function powerOf(privilege: string, on: string): Power | null {
  if (harmless.has(privilege)) return null;
  return powers[privilege] ?? (on === '*.*' ? server : definitions);
}

/** A privilege without its columns: `SELECT` for `SELECT (a, b)`. */
const bare = (privilege: string): string => privilege.split(' (')[0] ?? privilege;

/** Where accounts and hashes of their passwords are. */
const accountTables = ['user', 'global_priv', 'password_history'];

/** The schema in a grant may be a pattern, and a privilege may be on columns alone. */
function inSystemTables(line: string): readonly (Right | null)[] {
  const [grant] = grantsIn([line]);
  if (grant === undefined) return [];
  const whole = `GRANT ${grant.privileges.map(bare).join(', ')} ON ${grant.on} TO ${grant.to}`;
  const may = (privilege: string): boolean =>
    accountTables.some(name => hasPrivilege([whole], privilege, { schema: 'mysql', name }));
  const right = (code: RightCode, privileges: readonly string[], opens: readonly AttackKind[]): Right | null => {
    const held = grant.privileges.filter(each => [...privileges, 'ALL PRIVILEGES'].includes(bare(each)));
    const revoke = `REVOKE ${held.join(', ')} ON ${grant.on} FROM ${grant.to}`;
    return rightOn(code, privileges.some(may) ? [`${held.join(', ')} on ${grant.on}`] : [], opens, revoke);
  };
  return [
    right('passwords', ['SELECT'], ['passwords']),
    right('accounts', ['INSERT', 'UPDATE', 'DELETE'], ['server_control']),
  ];
}
