/** What a PostgreSQL role may do beyond reading, each with the statement that ends it. */

import { parsedJson } from '../../../shared/json.ts';
import { type AttackKind, attackKinds, type RightCode } from '../../../shared/proof-codes.ts';
import type { Answer, CallContext, Database } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { isRight, type Right, rightOn, writes } from '../rights.ts';
import { postgresName } from './role/steps.ts';

/** A superuser's functions, which a grant gives to others, and those that everybody gets. */
const dangerous = {
  file_functions:
    '^(pg_read_(binary_)?file|pg_ls_dir|pg_stat_file|pg_file_\\w+|lo_export|lo_import|pg_read_file_off_len)$',
  network_functions: '^dblink(_exec|_connect|_connect_u|_open|_send_query)?$',
} as const;

interface Facts {
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly mayCreateRoles: boolean;
  readonly mayReplicate: boolean;
  readonly memberships: readonly string[];
  readonly readsPasswords: boolean;
  /** By schema. */
  readonly writable: readonly string[];
  readonly owned: readonly string[];
  readonly creates: readonly { readonly name: string; readonly isPublic: boolean }[];
  readonly fileFunctions: readonly string[];
  readonly networkFunctions: readonly string[];
  readonly definers: readonly string[];
}

const agg = (value: string, from: string): string =>
  `COALESCE((SELECT pg_catalog.json_agg(${value}) FROM ${from}), CAST('[]' AS pg_catalog.json))`;

const functionsLike = (place: number): string =>
  agg(
    'CAST(CAST(p.oid AS pg_catalog.regprocedure) AS pg_catalog.text)',
    `pg_catalog.pg_proc AS p WHERE CAST(p.proname AS pg_catalog.text) ~ $${place}
    AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')`,
  );

/** Names qualified and pg_catalog first, so no operator of a user answers instead. */
const question = `
SELECT CAST(pg_catalog.json_build_object(
  'role', me.rolname, 'isSuperuser', me.rolsuper, 'mayCreateRoles', me.rolcreaterole, 'mayReplicate', me.rolreplication,
  'memberships', ${agg(
    'CAST(r.rolname AS pg_catalog.text)',
    `pg_catalog.pg_roles AS r WHERE pg_catalog.starts_with(CAST(r.rolname AS pg_catalog.text), 'pg_')
    AND pg_catalog.pg_has_role(me.oid, r.oid, 'MEMBER')`,
  )},
  'readsPasswords', pg_catalog.has_any_column_privilege('pg_catalog.pg_authid', 'SELECT'),
  'writable', ${agg(
    'w.name',
    `(SELECT DISTINCT CAST(n.nspname AS pg_catalog.text) AS name FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND (pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
      OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE')) ORDER BY 1) AS w`,
  )},
  'owned', ${agg(
    'CAST(CAST(c.oid AS pg_catalog.regclass) AS pg_catalog.text) ORDER BY c.oid',
    `pg_catalog.pg_class AS c WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND pg_catalog.pg_has_role(me.oid, c.relowner, 'USAGE')`,
  )},
  'creates', ${agg(
    `pg_catalog.json_build_object('name', n.nspname, 'isPublic', pg_catalog.has_schema_privilege('public', n.oid, 'CREATE'))`,
    `pg_catalog.pg_namespace AS n WHERE NOT pg_catalog.starts_with(CAST(n.nspname AS pg_catalog.text), 'pg_')
    AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')`,
  )},
  'fileFunctions', ${functionsLike(1)}, 'networkFunctions', ${functionsLike(2)},
  'definers', ${agg(
    'CAST(CAST(p.oid AS pg_catalog.regprocedure) AS pg_catalog.text)',
    `pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND p.provolatile = 'v' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND p.proowner <> me.oid AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')`,
  )}
) AS pg_catalog.text)
FROM pg_catalog.pg_roles AS me WHERE me.rolname = current_user`;

const powers: Readonly<Record<string, { readonly code: RightCode; readonly opens: readonly AttackKind[] }>> = {
  pg_read_server_files: { code: 'server_files', opens: ['server_files'] },
  pg_write_server_files: { code: 'server_files', opens: ['server_files', 'server_control'] },
  pg_execute_server_program: { code: 'server_programs', opens: ['server_files', 'server_control', 'network'] },
  pg_signal_backend: { code: 'other_sessions', opens: ['other_sessions'] },
  pg_read_all_data: { code: 'passwords', opens: ['passwords'] },
  pg_write_all_data: { code: 'change_rows', opens: writes },
  pg_maintain: { code: 'server_settings', opens: ['other_writes'] },
  pg_create_subscription: { code: 'replication', opens: ['network'] },
};

export async function rights(database: Database, context: CallContext): Promise<Answer<readonly Right[]>> {
  const parameters = [dangerous.file_functions, dangerous.network_functions];
  const answer = await lookUp(database, { ...context, schema: 'pg_catalog' }, question, parameters);
  if (answer.kind !== 'done') return answer;
  const facts = parsedJson(String(answer.value[0]?.[0])) as Partial<Facts> | null;
  // A server that is almost PostgreSQL may not list the role.
  if (typeof facts?.role !== 'string' || !lists.every(list => Array.isArray(facts[list])))
    return { kind: 'unsupported', message: 'The server does not tell what its account may do.' };
  return { kind: 'done', value: rightsOf(facts as Facts) };
}

const lists = [
  'memberships',
  'writable',
  'owned',
  'creates',
  'fileFunctions',
  'networkFunctions',
  'definers',
] as const satisfies readonly (keyof Facts)[];

function rightsOf(facts: Facts): readonly Right[] {
  const role = postgresName(facts.role);
  if (facts.isSuperuser) {
    return [
      { code: 'everything', on: [facts.role], more: 0, revoke: `ALTER ROLE ${role} NOSUPERUSER`, opens: attackKinds },
    ];
  }
  const attribute = (has: boolean, code: RightCode, word: string, opens: readonly AttackKind[]): Right | null =>
    rightOn(code, has ? [word] : [], opens, `ALTER ROLE ${role} NO${word}`);
  const open = facts.creates.filter(({ isPublic }) => isPublic).map(({ name }) => name);
  const own = facts.creates.filter(({ isPublic }) => !isPublic).map(({ name }) => name);
  const writable = facts.writable.map(postgresName).join(', ');
  return [
    attribute(facts.mayCreateRoles, 'accounts', 'CREATEROLE', ['server_control']),
    attribute(facts.mayReplicate, 'replication', 'REPLICATION', ['server_control', 'network']),
    ...facts.memberships.flatMap(name => {
      const power = powers[name];
      return power === undefined ? [] : [rightOn(power.code, [name], power.opens, `REVOKE ${name} FROM ${role}`)];
    }),
    rightOn(
      'passwords',
      facts.readsPasswords && !facts.memberships.includes('pg_read_all_data') ? ['pg_authid'] : [],
      ['passwords'],
      `REVOKE ALL ON pg_catalog.pg_authid FROM ${role}`,
    ),
    rightOn('file_functions', facts.fileFunctions, ['server_files'], revokeOf(facts.fileFunctions, role)),
    rightOn('network_functions', facts.networkFunctions, ['network'], revokeOf(facts.networkFunctions, role)),
    rightOn('definer_functions', facts.definers, ['stored_code'], revokeOf(facts.definers, role)),
    rightOn('owns', facts.owned, writes, null),
    rightOn(
      'change_rows',
      facts.writable,
      writes,
      `REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA ${writable} FROM ${role}`,
    ),
    rightOn(
      'creates',
      own,
      ['other_writes'],
      `REVOKE CREATE ON SCHEMA ${own.map(postgresName).join(', ')} FROM ${role}`,
    ),
    rightOn(
      'creates',
      open,
      ['other_writes'],
      `REVOKE CREATE ON SCHEMA ${open.map(postgresName).join(', ')} FROM PUBLIC`,
    ),
  ].filter(isRight);
}

/** The names are as PostgreSQL writes them. PUBLIC is named as most are given to everybody. */
function revokeOf(functions: readonly string[], role: string): string {
  return `REVOKE EXECUTE ON FUNCTION ${functions.join(', ')} FROM PUBLIC, ${role}`;
}
