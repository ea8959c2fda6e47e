/** What a MySQL or MariaDB account may do beyond reading, by SHOW GRANTS. */

import { type AttackKind, attackKinds, type RightCode } from '../../../shared/proof-codes.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { isRight, type Right, rightOn, writes } from '../rights.ts';
import { type Grant, grantsIn, hasPrivilege } from './follow/grants.ts';

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

/** By what SHOW GRANTS calls it. A privilege that only shows or reads isn't here. */
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
  FILE: { code: 'server_files', opens: ['server_files'] },
  SUPER: { code: 'server_settings', opens: ['server_control', 'other_sessions', 'session_settings'] },
  PROCESS: { code: 'other_sessions', opens: ['other_sessions'] },
  'CONNECTION ADMIN': { code: 'other_sessions', opens: ['other_sessions'] },
  CONNECTION_ADMIN: { code: 'other_sessions', opens: ['other_sessions'] },
  'CREATE USER': { code: 'accounts', opens: ['server_control'] },
  'CREATE ROLE': { code: 'accounts', opens: ['server_control'] },
  RELOAD: server,
  SHUTDOWN: server,
  SYSTEM_VARIABLES_ADMIN: server,
  'BINLOG ADMIN': server,
  BINLOG_ADMIN: server,
  FEDERATED_ADMIN: { code: 'network_functions', opens: ['network'] },
  'FEDERATED ADMIN': { code: 'network_functions', opens: ['network'] },
  'REPLICATION SLAVE ADMIN': { code: 'replication', opens: ['server_control', 'network'] },
  REPLICATION_SLAVE_ADMIN: { code: 'replication', opens: ['server_control', 'network'] },
};

export async function rights(database: Database, context: CallContext): Promise<Answer<readonly Right[]>> {
  const answer = await lookUp(database, context, 'SHOW GRANTS', []);
  if (answer.kind !== 'done') return answer;
  return { kind: 'done', value: rightsOf(answer.value.map(([line]) => (typeof line === 'string' ? line : ''))) };
}

/** @param lines of SHOW GRANTS. */
export function rightsOf(lines: readonly string[]): readonly Right[] {
  const grants = grantsIn(lines);
  const all = grants.find(({ privileges, on }) => on === '*.*' && privileges.includes('ALL PRIVILEGES'));
  if (all !== undefined) {
    const revoke = `REVOKE ALL PRIVILEGES ON *.* FROM ${all.to}`;
    return [{ code: 'everything', on: [all.to], more: 0, revoke, opens: attackKinds }];
  }
  return [...grants.flatMap(byPower), ...lines.flatMap(inSystemTables)].filter(isRight);
}

/** One right for each power in a line, so that one REVOKE ends it. */
function byPower({ privileges, on, to }: Grant): readonly (Right | null)[] {
  const held = privileges.includes('ALL PRIVILEGES') ? ['INSERT', 'UPDATE', 'DELETE', 'DROP', 'EXECUTE'] : privileges;
  const known = held.flatMap(privilege => {
    const power = powers[bare(privilege)];
    return power === undefined ? [] : [{ privilege, power }];
  });
  return [...Map.groupBy(known, ({ power }) => power.code).entries()].map(([what, some]) => {
    const named = privileges.includes('ALL PRIVILEGES') ? ['ALL PRIVILEGES'] : some.map(({ privilege }) => privilege);
    const opens = [...new Set(some.flatMap(({ power }) => power.opens))];
    const about = ofPlaces.has(what) ? [on] : named;
    return rightOn(what, about, opens, `REVOKE ${named.join(', ')} ON ${on} FROM ${to}`);
  });
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
