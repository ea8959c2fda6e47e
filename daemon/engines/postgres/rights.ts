/** What a PostgreSQL role may do beyond reading, each with the statement that ends it. */

import { type AttackKind, attackKinds, type RightCode } from '../../../shared/proof-codes.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { isRight, type Right, rightOn, writes } from '../rights.ts';
import { type Facts, type Held, type HeldKind, heldBy, heldKinds, type Way } from './rights/question.ts';
import { postgresName } from './role/steps.ts';

interface Telling {
  readonly code: RightCode;
  readonly opens: readonly AttackKind[];
  /** What a REVOKE takes away, each by its own; null if an owner could give it back to itself. */
  readonly what: ((on: readonly string[], may: readonly string[]) => readonly string[]) | null;
}

/** Takes what a role has directly from it, or from PUBLIC. */
type End = (direct: readonly Held[]) => readonly string[] | null;

const list = (names: readonly string[]): string => names.join(', ');
const quoted = (names: readonly string[]): string => list(names.map(postgresName));
const execute: Telling['what'] = on => [`EXECUTE ON ROUTINE ${list(on)}`];

const tellings: Readonly<Record<Exclude<HeldKind, 'superuser' | 'attribute' | 'power'>, Telling>> = {
  password_catalog: { code: 'passwords', opens: ['passwords'], what: on => [`SELECT ON ${list(on)}`] },
  file_function: { code: 'file_functions', opens: ['server_files'], what: execute },
  network_function: { code: 'network_functions', opens: ['network'], what: execute },
  // Other kinds of objects can't stand in one REVOKE.
  foreign_server: { code: 'network_functions', opens: ['network'], what: on => on.map(name => `USAGE ON ${name}`) },
  server_function: { code: 'server_settings', opens: ['server_control'], what: execute },
  parameter: {
    code: 'server_settings',
    opens: ['server_control'],
    what: (on, may) => [`${list(may)} ON PARAMETER ${quoted(on)}`],
  },
  own_rights_function: { code: 'definer_functions', opens: ['stored_code'], what: execute },
  owned: { code: 'owns', opens: writes, what: null },
  rows: {
    code: 'change_rows',
    opens: writes,
    what: (on, may) => [`${list(may)} ON ALL TABLES IN SCHEMA ${quoted(on)}`],
  },
  table_objects: {
    code: 'creates',
    opens: ['other_writes'],
    what: (on, may) => [`${list(may)} ON ALL TABLES IN SCHEMA ${quoted(on)}`],
  },
  sequences: {
    code: 'creates',
    opens: ['other_writes'],
    what: (on, may) => [`${list(may)} ON ALL SEQUENCES IN SCHEMA ${quoted(on)}`],
  },
  schema_objects: { code: 'creates', opens: ['other_writes'], what: on => [`CREATE ON SCHEMA ${quoted(on)}`] },
  database_objects: { code: 'creates', opens: ['other_writes'], what: on => [`CREATE ON DATABASE ${quoted(on)}`] },
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
  const told = (held: readonly Held[], { code, opens }: Power, end: End): Right | null =>
    rightOn(code, [...new Set(held.map(({ on }) => on))], opens, ended(facts, held, end));
  // A group's own attributes and powers end with the membership.
  if (superusers.length > 0)
    return [told(superusers, { code: 'everything', opens: attackKinds }, () => [noSuperuser])].filter(isRight);
  return heldKinds
    .flatMap(kind => {
      const held = facts.held.filter(one => one.kind === kind);
      if (kind !== 'superuser' && kind !== 'attribute' && kind !== 'power')
        return told(held, tellings[kind], direct => revoked(facts, direct, tellings[kind].what));
      const known = kind === 'power' ? powers : attributes;
      return [...Map.groupBy(held, ({ on }) => on)].map(([name, some]) => {
        const power = known[name];
        return power === undefined ? null : told(some, power, () => [`ALTER ROLE ${role} NO${name}`]);
      });
    })
    .filter(isRight);
}

/** @returns null if one of them stays whatever is revoked. */
function ended({ oid, role, through }: Facts, held: readonly Held[], end: End): string | null {
  const direct = held.filter(({ of }) => of === oid || of === 0);
  const taken = direct.length > 0 ? end(direct) : [];
  // What comes by a group ends with the membership: the group's other members keep it.
  const groups = held.filter(one => !direct.includes(one)).map(({ of }) => through[of] ?? []);
  if (taken === null || groups.some(ways => ways.length === 0)) return null;
  const isPlain = ({ by, hasPassedOn }: Way): boolean => by === null && !hasPassedOn;
  const ways = groups.flat();
  const plain = [...new Set(ways.filter(isPlain).map(way => way.role))];
  const left = [
    ...(plain.length > 0 ? [`REVOKE ${quoted(plain)} FROM ${postgresName(role)}`] : []),
    ...ways
      .filter(way => !isPlain(way))
      .map(way => {
        const grantor = way.by === null ? '' : ` GRANTED BY ${postgresName(way.by)}`;
        return `REVOKE ${postgresName(way.role)} FROM ${postgresName(role)}${grantor}${way.hasPassedOn ? ' CASCADE' : ''}`;
      }),
  ];
  return [...new Set([...taken, ...left])].join('; ');
}

function revoked({ oid, role }: Facts, direct: readonly Held[], what: Telling['what']): readonly string[] | null {
  if (what === null || direct.some(({ by }) => by === '')) return null;
  const whatOf = (held: readonly Held[]): readonly string[] => {
    const distinct = (part: 'on' | 'may'): readonly string[] => [...new Set(held.map(each => each[part]))];
    return what(distinct('on'), distinct('may'));
  };
  const statements: string[] = [];
  const own = direct.filter(({ by }) => by === null);
  if (own.length > 0) {
    const names = (of: number, name: string): readonly string[] => (own.some(each => each.of === of) ? [name] : []);
    const from = list([...names(oid, postgresName(role)), ...names(0, 'PUBLIC')]);
    const along = own.some(({ mayPassOn }) => mayPassOn) ? ' CASCADE' : '';
    statements.push(...whatOf(own).map(each => `REVOKE ${each} FROM ${from}${along}`));
  }
  // Whoever passed it on keeps it, for itself alone.
  for (const [by, some] of Map.groupBy(direct, each => each.by))
    if (by !== null && by !== role)
      statements.push(...whatOf(some).map(each => `REVOKE GRANT OPTION FOR ${each} FROM ${postgresName(by)} CASCADE`));
  return statements;
}
