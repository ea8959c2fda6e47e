/**
 * Asks PostgreSQL's catalogs who was given what beyond reading: the role that signed in, as a
 * statement could RESET ROLE, every role that it is a member of, and PUBLIC.
 */

import { parsedJson } from '../../../../shared/json.ts';
import type { Answer, CallContext, Database } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';

export const heldKinds = [
  'superuser',
  'attribute',
  'power',
  'password_catalog',
  'file_function',
  'network_function',
  'foreign_server',
  'server_function',
  'parameter',
  'own_rights_function',
  'owned',
  'rows',
  'table_objects',
  'sequences',
  'schema_objects',
  'database_objects',
] as const;
export type HeldKind = (typeof heldKinds)[number];

/** Something that one role, or PUBLIC, was given. */
export interface Held {
  readonly kind: HeldKind;
  /** As SQL writes it, but for a role's name and a schema's, which aren't quoted. */
  readonly on: string;
  /** The privilege; '' where there is no choice. */
  readonly may: string;
  /** The oid of the role that has it; 0 is PUBLIC. */
  readonly of: number;
  /**
   * Null: the owner gave it. Else the role that got it from the owner and passed it on, perhaps by
   * others: a REVOKE takes back only what its own role gave. '' if that role can't be found.
   */
  readonly by: string | null;
  readonly mayPassOn: boolean;
}

/** A membership of the role itself. */
export interface Way {
  readonly role: string;
  /** Who a REVOKE must name as grantor (PostgreSQL 16 and newer); null if none. */
  readonly by: string | null;
  /** True if the role made others members, which would keep it one. */
  readonly hasPassedOn: boolean;
}

export interface Facts {
  readonly oid: number;
  readonly role: string;
  readonly isSuperuser: boolean;
  /** By a role's oid, the memberships of this role itself that lead there. */
  readonly through: Readonly<Record<string, readonly Way[]>>;
  readonly held: readonly Held[];
}

/** A superuser's functions, which a grant gives to others, and those that everybody gets. */
const fileFunctions =
  '^(pg_read_(binary_)?file|pg_ls_dir|pg_stat_file|pg_file_\\w+|lo_export|lo_import|pg_read_file_off_len)$';
const networkFunctions = '^dblink(_exec|_connect|_connect_u|_open|_send_query)?$';
/** Columns in which a password or its hash is. */
const passwordColumns = ['rolpassword', 'passwd', 'umoptions', 'subconninfo'];

/** Settings for a role, which the catalog lists as its own. */
const notOwned = ['pg_default_acl', 'pg_user_mapping'];

/** `by` and `mayPassOn` of what isn't granted. */
const ungranted = 'CAST(NULL AS pg_catalog.name), false';

/**
 * Joins `b` with `by` to `x`, an entry of an access list.
 * @param owner an expression for its oid.
 */
const giver = (acl: string, owner: string): string =>
  `LATERAL (
  SELECT DISTINCT CASE WHEN x.grantor = ${owner} THEN NULL ELSE COALESCE(first.rolname, CAST('' AS pg_catalog.name)) END AS by
  FROM (SELECT) AS one LEFT JOIN (
    WITH RECURSIVE up (oid) AS (
      SELECT x.grantor
      UNION SELECT u.grantor FROM up, LATERAL pg_catalog.aclexplode(${acl}) AS u
      WHERE u.grantee = up.oid AND u.is_grantable AND u.privilege_type = x.privilege_type)
    SELECT top.rolname FROM up JOIN pg_catalog.pg_roles AS top ON top.oid = up.oid
    WHERE EXISTS (SELECT FROM pg_catalog.aclexplode(${acl}) AS u WHERE u.grantee = top.oid AND u.is_grantable
      AND u.grantor = ${owner} AND u.privilege_type = x.privilege_type)
  ) AS first ON x.grantor <> ${owner}) AS b`.replace(/\s+/g, ' ');

const isAttribute = (column: string, word: string): string =>
  `SELECT 'attribute', '${word}', '', m.oid, ${ungranted} FROM mine AS m WHERE m.${column}`;

const relationGrants = (kind: HeldKind, on: string, condition: string): string =>
  `SELECT DISTINCT '${kind}', ${on}, g.may, g.grantee, g.by, g.is_grantable FROM relation_grants AS g WHERE ${condition}`;

/** @param from the rows, as `o` with `name`, `acl` and `owner`. */
const objectGrants = (kind: HeldKind, may: string, from: string): string =>
  `SELECT DISTINCT '${kind}', o.name, '', x.grantee, b.by, x.is_grantable FROM (${from}) AS o,
  LATERAL pg_catalog.aclexplode(o.acl) AS x, ${giver('o.acl', 'o.owner')}
  WHERE x.privilege_type = '${may}' AND x.grantee IN (SELECT g.oid FROM grantees AS g)
  AND o.owner NOT IN (SELECT m.oid FROM mine AS m)`;

/** Those that PUBLIC may not call as they are delivered. */
const restricted = `i.objoid IS NOT NULL
  AND NOT EXISTS (SELECT FROM pg_catalog.aclexplode(i.initprivs) AS was WHERE was.grantee = 0)`;

/**
 * Without what is delivered: members of `pg_monitor` call some, which that power tells. What an
 * extension's script gives to others counts.
 */
const functions = (kind: HeldKind, condition: string): string =>
  objectGrants(
    kind,
    'EXECUTE',
    `SELECT CASE WHEN n.nspname = 'pg_catalog' THEN '' ELSE pg_catalog.quote_ident(n.nspname) || '.' END
      || pg_catalog.quote_ident(p.proname) || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' AS name, p.proowner AS owner,
    (SELECT pg_catalog.array_agg(a.item) FROM pg_catalog.unnest(COALESCE(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a (item)
      WHERE i.objoid IS NULL OR NOT a.item = ANY (i.initprivs)
      OR n.nspname <> 'pg_catalog' AND NOT pg_catalog.starts_with(CAST(a.item AS pg_catalog.text), 'pg_')) AS acl
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    LEFT JOIN pg_catalog.pg_init_privs AS i ON i.objoid = p.oid
      AND i.classoid = CAST('pg_catalog.pg_proc' AS pg_catalog.regclass)
    WHERE ${condition}`,
  );

const isOurs = `g.schema NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`;
const isNamed = (place: number): string => `CAST(p.proname AS pg_catalog.text) ~ $${place}`;

/** Names qualified and pg_catalog first, so no operator of a user answers instead. */
const question = `
WITH me AS (SELECT r.oid, r.rolname, r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = session_user),
mine AS (
  SELECT r.* FROM pg_catalog.pg_roles AS r, me
  WHERE CASE WHEN me.rolsuper THEN r.oid = me.oid ELSE pg_catalog.pg_has_role(me.oid, r.oid, 'MEMBER') END),
grantees AS (SELECT m.oid FROM mine AS m UNION ALL SELECT CAST(0 AS pg_catalog.oid)),
relation_acls AS (
  SELECT c.oid, CAST(NULL AS pg_catalog.name) AS attname, c.relacl AS acl FROM pg_catalog.pg_class AS c
  WHERE c.relacl IS NOT NULL
  UNION ALL SELECT a.attrelid, a.attname, a.attacl FROM pg_catalog.pg_attribute AS a WHERE a.attacl IS NOT NULL),
relation_grants AS (
  SELECT CAST(n.nspname AS pg_catalog.text) AS schema, CAST(c.relname AS pg_catalog.text) AS name, c.relkind AS kind,
    r.attname AS attribute, x.privilege_type AS may, x.grantee, x.is_grantable, b.by
  FROM relation_acls AS r JOIN pg_catalog.pg_class AS c ON c.oid = r.oid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace, LATERAL pg_catalog.aclexplode(r.acl) AS x,
  ${giver('r.acl', 'c.relowner')}
  WHERE x.grantee IN (SELECT g.oid FROM grantees AS g) AND c.relowner NOT IN (SELECT m.oid FROM mine AS m)),
held (kind, "on", may, "of", by, passes) AS (
  SELECT 'superuser', CAST(m.rolname AS pg_catalog.text), '', m.oid, ${ungranted} FROM mine AS m WHERE m.rolsuper
  UNION ALL ${isAttribute('rolcreaterole', 'CREATEROLE')}
  UNION ALL ${isAttribute('rolcreatedb', 'CREATEDB')}
  UNION ALL ${isAttribute('rolreplication', 'REPLICATION')}
  UNION ALL ${isAttribute('rolbypassrls', 'BYPASSRLS')}
  UNION ALL SELECT 'power', CAST(m.rolname AS pg_catalog.text), '', m.oid, ${ungranted} FROM mine AS m
    WHERE pg_catalog.starts_with(CAST(m.rolname AS pg_catalog.text), 'pg_')
  UNION ALL ${relationGrants(
    'password_catalog',
    `'pg_catalog.' || g.name`,
    `g.schema = 'pg_catalog' AND g.may = 'SELECT'
    AND g.name IN ('pg_authid', 'pg_shadow', 'pg_user_mapping', 'pg_subscription')
    AND (g.attribute IS NULL OR CAST(g.attribute AS pg_catalog.text) = ANY (CAST($3 AS pg_catalog.text[])))`,
  )}
  UNION ALL ${functions('file_function', isNamed(1))}
  UNION ALL ${functions('network_function', isNamed(2))}
  UNION ALL ${functions('server_function', `${restricted} AND NOT ${isNamed(1)} AND NOT ${isNamed(2)}`)}
  UNION ALL ${objectGrants(
    'foreign_server',
    'USAGE',
    `SELECT 'FOREIGN SERVER ' || pg_catalog.quote_ident(s.srvname) AS name, s.srvowner AS owner, s.srvacl AS acl
    FROM pg_catalog.pg_foreign_server AS s
    UNION ALL SELECT 'FOREIGN DATA WRAPPER ' || pg_catalog.quote_ident(w.fdwname), w.fdwowner, w.fdwacl
    FROM pg_catalog.pg_foreign_data_wrapper AS w`,
  )}
  UNION ALL ${functions(
    'own_rights_function',
    `n.nspname NOT IN ('pg_catalog', 'information_schema') AND (p.prosecdef OR NOT l.lanpltrusted AND NOT EXISTS (
      SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = CAST('pg_catalog.pg_proc' AS pg_catalog.regclass)
      AND d.objid = p.oid AND d.deptype = 'e'))`,
  )}
  UNION ALL SELECT DISTINCT 'owned',
      CASE i.type WHEN 'table' THEN i.identity WHEN 'large object' THEN 'LARGE OBJECTS' ELSE pg_catalog.upper(i.type) || ' ' || i.identity END,
      '', d.refobjid, ${ungranted}
    FROM pg_catalog.pg_shdepend AS d,
    LATERAL pg_catalog.pg_identify_object(d.classid, d.objid, 0) AS i
    WHERE d.refclassid = CAST('pg_catalog.pg_authid' AS pg_catalog.regclass) AND d.refobjid IN (SELECT m.oid FROM mine AS m)
    AND d.deptype = 'o' AND d.dbid IN (0, (SELECT n.oid FROM pg_catalog.pg_database AS n WHERE n.datname = pg_catalog.current_database()))
    AND d.classid NOT IN (${notOwned.map(name => `CAST('pg_catalog.${name}' AS pg_catalog.regclass)`).join(', ')})
    AND (i.schema IS NULL OR NOT pg_catalog.starts_with(i.schema, 'pg_temp'))
  UNION ALL ${relationGrants(
    'rows',
    'g.schema',
    `${isOurs} AND g.kind IN ('r', 'p', 'v', 'f') AND g.may IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')`,
  )}
  UNION ALL ${relationGrants(
    'table_objects',
    'g.schema',
    `${isOurs} AND g.kind <> 'S' AND g.may IN ('REFERENCES', 'TRIGGER', 'MAINTAIN')`,
  )}
  UNION ALL ${relationGrants('sequences', 'g.schema', `${isOurs} AND g.kind = 'S' AND g.may IN ('USAGE', 'UPDATE')`)}
  UNION ALL ${objectGrants(
    'schema_objects',
    'CREATE',
    `SELECT CAST(n.nspname AS pg_catalog.text) AS name, n.nspowner AS owner, n.nspacl AS acl
    FROM pg_catalog.pg_namespace AS n`,
  )}
  UNION ALL ${objectGrants(
    'database_objects',
    'CREATE',
    `SELECT CAST(d.datname AS pg_catalog.text) AS name, d.datdba AS owner, d.datacl AS acl
    FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()`,
  )})
SELECT CAST(pg_catalog.json_build_object(
  'oid', CAST(me.oid AS pg_catalog.int8), 'role', me.rolname, 'isSuperuser', me.rolsuper,
  'through', (SELECT pg_catalog.json_object_agg(m.oid, ARRAY(
      SELECT DISTINCT pg_catalog.jsonb_build_object('role', d.rolname,
        'by', CASE WHEN v.has_grantors AND g.oid <> 10 THEN g.rolname END,
        'hasPassedOn', v.has_grantors AND EXISTS (SELECT FROM pg_catalog.pg_auth_members AS t
          WHERE t.roleid = a.roleid AND t.grantor = me.oid))
      FROM (SELECT CAST(pg_catalog.current_setting('server_version_num') AS pg_catalog.int4) >= 160000) AS v (has_grantors),
      pg_catalog.pg_auth_members AS a LEFT JOIN pg_catalog.pg_roles AS g ON g.oid = a.grantor
      JOIN pg_catalog.pg_roles AS d ON d.oid = a.roleid
      WHERE a.member = me.oid AND pg_catalog.pg_has_role(d.oid, m.oid, 'MEMBER'))) FROM mine AS m),
  'held', COALESCE((
    SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
      'kind', h.kind, 'on', h."on", 'may', h.may, 'of', CAST(h."of" AS pg_catalog.int8),
      'by', h.by, 'mayPassOn', h.passes)
      ORDER BY h."on" COLLATE pg_catalog."C", h.may COLLATE pg_catalog."C") FROM held AS h), CAST('[]' AS pg_catalog.json)),
  'knowsParameters', pg_catalog.to_regclass('pg_catalog.pg_parameter_acl') IS NOT NULL
) AS pg_catalog.text) FROM me`;

/** From PostgreSQL 15 on. */
const parameters = `
SELECT p.parname, x.privilege_type, CAST(x.grantee AS pg_catalog.text), b.by, CAST(x.is_grantable AS pg_catalog.text)
FROM pg_catalog.pg_parameter_acl AS p, LATERAL pg_catalog.aclexplode(p.paracl) AS x,
${giver('p.paracl', 'CAST(10 AS pg_catalog.oid)')}, pg_catalog.pg_roles AS me
WHERE me.rolname = session_user AND NOT me.rolsuper
AND CASE WHEN x.grantee = 0 THEN true ELSE pg_catalog.pg_has_role(me.oid, x.grantee, 'MEMBER') END ORDER BY 1, 2`;

export async function heldBy(database: Database, context: CallContext): Promise<Answer<Facts>> {
  const inCatalog = { ...context, schema: 'pg_catalog' };
  const given = [fileFunctions, networkFunctions, `{${passwordColumns.join(',')}}`];
  const answer = await lookUp(database, inCatalog, question, given);
  if (answer.kind !== 'done') return answer;
  const facts = parsedJson(String(answer.value[0]?.[0])) as (Partial<Facts> & { knowsParameters?: unknown }) | null;
  // A server that is almost PostgreSQL may not list the role.
  if (typeof facts?.role !== 'string' || !Array.isArray(facts.held))
    return { kind: 'unsupported', message: 'The server does not tell what its account may do.' };
  if (facts.knowsParameters !== true) return { kind: 'done', value: facts as Facts };
  const more = await lookUp(database, inCatalog, parameters, []);
  if (more.kind !== 'done') return more;
  const ofParameters = more.value.map(([on, may, of, by, mayPassOn]): Held => {
    const given = { by: by === null ? null : String(by), mayPassOn: mayPassOn === 'true' };
    return { kind: 'parameter', on: String(on), may: String(may), of: Number(of), ...given };
  });
  return { kind: 'done', value: { ...(facts as Facts), held: [...facts.held, ...ofParameters] } };
}
