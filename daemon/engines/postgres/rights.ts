/** What a PostgreSQL role may do beyond reading, each with the statement that ends it. */

import { type AttackKind, attackKinds, type RightCode } from '../../../shared/proof-codes.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { isRight, type Right, rightOn, writes } from '../rights.ts';
import { type Facts, type Held, type HeldKind, heldBy, heldKinds } from './rights/question.ts';
import { postgresName } from './role/steps.ts';

interface Telling {
  readonly code: RightCode;
  readonly opens: readonly AttackKind[];
  /**
   * Takes it from whoever has it directly: this role, or PUBLIC; null if it could give it back to
   * itself.
   */
  readonly end: (on: readonly string[], may: readonly string[], from: string) => string | null;
}

const revoke = (what: string, from: string): string => `REVOKE ${what} FROM ${from}`;
const list = (names: readonly string[]): string => names.join(', ');
const schemas = (names: readonly string[]): string => list(names.map(postgresName));
const execute: Telling['end'] = (on, _, from) => revoke(`EXECUTE ON ROUTINE ${list(on)}`, from);
/** Of one grantee's; other kinds of objects can't stand in one REVOKE. */
const each =
  (what: (name: string) => string): Telling['end'] =>
  (on, _, from) =>
    on.map(name => revoke(what(name), from)).join('; ');

const tellings: Readonly<Record<Exclude<HeldKind, 'superuser' | 'attribute' | 'power'>, Telling>> = {
  password_catalog: {
    code: 'passwords',
    opens: ['passwords'],
    end: (on, _, from) => revoke(`SELECT ON ${list(on)}`, from),
  },
  file_function: { code: 'file_functions', opens: ['server_files'], end: execute },
  network_function: { code: 'network_functions', opens: ['network'], end: execute },
  foreign_server: { code: 'network_functions', opens: ['network'], end: each(name => `USAGE ON ${name}`) },
  server_function: { code: 'server_settings', opens: ['server_control'], end: execute },
  parameter: {
    code: 'server_settings',
    opens: ['server_control'],
    end: (on, may, from) => revoke(`${list(may)} ON PARAMETER ${schemas(on)}`, from),
  },
  own_rights_function: { code: 'definer_functions', opens: ['stored_code'], end: execute },
  owned: { code: 'owns', opens: writes, end: () => null },
  rows: {
    code: 'change_rows',
    opens: writes,
    end: (on, may, from) => revoke(`${list(may)} ON ALL TABLES IN SCHEMA ${schemas(on)}`, from),
  },
  table_objects: {
    code: 'creates',
    opens: ['other_writes'],
    end: (on, may, from) => revoke(`${list(may)} ON ALL TABLES IN SCHEMA ${schemas(on)}`, from),
  },
  sequences: {
    code: 'creates',
    opens: ['other_writes'],
    end: (on, may, from) => revoke(`${list(may)} ON ALL SEQUENCES IN SCHEMA ${schemas(on)}`, from),
  },
  schema_objects: {
    code: 'creates',
    opens: ['other_writes'],
    end: (on, _, from) => revoke(`CREATE ON SCHEMA ${schemas(on)}`, from),
  },
  database_objects: {
    code: 'creates',
    opens: ['other_writes'],
    end: (on, _, from) => revoke(`CREATE ON DATABASE ${schemas(on)}`, from),
  },
};

type Power = Pick<Telling, 'code' | 'opens'>;

const attributes: Readonly<Record<string, Power>> = {
  CREATEROLE: { code: 'accounts', opens: ['server_control'] },
  CREATEDB: { code: 'server_settings', opens: ['other_writes'] },
  REPLICATION: { code: 'replication', opens: ['server_control', 'network'] },
  BYPASSRLS: { code: 'row_policies', opens: [] },
};

const powers: Readonly<Record<string, Power>> = {
  pg_read_server_files: { code: 'server_files', opens: ['server_files'] },
  pg_write_server_files: { code: 'server_files', opens: ['server_files', 'server_control'] },
  pg_execute_server_program: { code: 'server_programs', opens: ['server_files', 'server_control', 'network'] },
  pg_signal_backend: { code: 'other_sessions', opens: ['other_sessions'] },
  pg_signal_autovacuum_worker: { code: 'other_sessions', opens: ['other_sessions'] },
  // They show what others run, and end nobody.
  pg_monitor: { code: 'other_sessions', opens: [] },
  pg_read_all_stats: { code: 'other_sessions', opens: [] },
  pg_read_all_data: { code: 'passwords', opens: ['passwords'] },
  pg_write_all_data: { code: 'change_rows', opens: writes },
  pg_maintain: { code: 'server_settings', opens: ['other_writes'] },
  pg_create_subscription: { code: 'replication', opens: ['network'] },
};

export async function rights(database: Database, context: CallContext): Promise<Answer<readonly Right[]>> {
  const answer = await heldBy(database, context);
  return answer.kind === 'done' ? { kind: 'done', value: rightsOf(answer.value) } : answer;
}

function rightsOf(facts: Facts): readonly Right[] {
  const role = postgresName(facts.role);
  const noSuperuser = `ALTER ROLE ${role} NOSUPERUSER`;
  if (facts.isSuperuser)
    return [{ code: 'everything', on: [facts.role], more: 0, revoke: noSuperuser, opens: attackKinds }];
  const superusers = facts.held.filter(({ kind }) => kind === 'superuser');
  // A group's own attributes and powers end with the membership.
  const attribute: Telling['end'] = ([word = '']) => `ALTER ROLE ${role} NO${word}`;
  const told = (held: readonly Held[], { code, opens, end }: Telling): Right | null =>
    rightOn(code, [...new Set(held.map(({ on }) => on))], opens, ended(facts, held, end));
  if (superusers.length > 0)
    return [told(superusers, { code: 'everything', opens: attackKinds, end: () => noSuperuser })].filter(isRight);
  return heldKinds
    .flatMap(kind => {
      const held = facts.held.filter(one => one.kind === kind);
      if (kind !== 'superuser' && kind !== 'attribute' && kind !== 'power') return told(held, tellings[kind]);
      const known = kind === 'power' ? powers : attributes;
      return [...Map.groupBy(held, ({ on }) => on)].map(([name, some]) => {
        const power = known[name];
        return power === undefined ? null : told(some, { ...power, end: attribute });
      });
    })
    .filter(isRight);
}

/** @returns null if one of them stays whatever is revoked. */
function ended({ oid, role, through }: Facts, held: readonly Held[], end: Telling['end']): string | null {
  const direct = held.filter(({ of }) => of === oid || of === 0);
  const statements: string[] = [];
  if (direct.length > 0) {
    const names = (of: number, name: string): readonly string[] => (direct.some(each => each.of === of) ? [name] : []);
    const from = [...names(oid, postgresName(role)), ...names(0, 'PUBLIC')].join(', ');
    const distinct = (part: 'on' | 'may'): readonly string[] => [...new Set(direct.map(each => each[part]))];
    const statement = end(distinct('on'), distinct('may'), from);
    if (statement === null) return null;
    statements.push(statement);
  }
  // What comes by a group ends with the membership: the group's other members keep it.
  const groups = held.filter(one => !direct.includes(one)).map(({ of }) => through[of] ?? []);
  if (groups.some(ways => ways.length === 0)) return null;
  const left = [...new Set(groups.flat())].map(postgresName);
  if (left.length > 0) statements.push(`REVOKE ${left.join(', ')} FROM ${postgresName(role)}`);
  return statements.join('; ');
}
