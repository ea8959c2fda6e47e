/**
 * Asks a PostgreSQL server, in one query, about the schemas that a role is made for and what the
 * present role may grant.
 */

import { isSchemaHidden, type Sight } from '../../../guard/sight.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import type { Answer, CallContext, Database, WantedRole } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';
import { hiddenFromRole } from './hidden-from-role.ts';
import { type MaskedTables, maskedTables } from './masked-columns.ts';

/** Tables or sequences of one schema. */
export interface Granting {
  readonly count: number;
  /** Those whose privileges the present role may not grant. */
  readonly withheld: readonly string[];
  /** The others; if none is withheld, empty for all, unless each is granted by its name. */
  readonly passedOn: readonly string[];
}

export interface SchemaFacts {
  readonly name: string;
  /** True if every role has USAGE there. */
  readonly isOpen: boolean;
  readonly mayPassOnUsage: boolean;
  /** True if every role may create tables there. */
  readonly letsAllCreate: boolean;
  readonly tables: Granting;
  readonly sequences: Granting;
  /** Number of tables that show each role only its own rows. */
  readonly rowSecurity: number;
  /** True if some of it is out of sight: each table is then granted by name, and no later one. */
  readonly isPartly?: boolean;
  /** By the name of each table with a masked column: the columns that may be read. */
  readonly readable?: Readonly<Record<string, readonly string[]>>;
  /**
   * Roles that create tables there, and whether the present role may set their default privileges.
   */
  readonly owners: readonly { readonly name: string; readonly maySetDefaults: boolean }[];
}

export interface PostgresRoleFacts {
  readonly database: string;
  readonly presentRole: string;
  readonly isTaken: boolean;
  readonly mayCreateRoles: boolean;
  /** True if every role may connect. */
  readonly isOpen: boolean;
  readonly mayPassOnConnect: boolean;
  readonly schemas: readonly SchemaFacts[];
}

/**
 * These functions read a list of privileges as "any of them", so each is asked about by itself.
 * @param privileges of SQL, ours
 */
function mayPassOn(kind: 'table' | 'sequence', privileges: readonly string[]): string {
  const each = privileges.map(privilege => `pg_catalog.has_${kind}_privilege(c.oid, '${privilege} WITH GRANT OPTION')`);
  return each.join(' AND ');
}

export const tablePrivileges = { readOnly: ['SELECT'], readWrite: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] } as const;
export const sequencePrivileges = { readOnly: ['SELECT'], readWrite: ['SELECT', 'USAGE'] } as const;

function granting(relations: string): string {
  const none = `CAST('[]' AS pg_catalog.json)`;
  return `(SELECT pg_catalog.json_build_object('count', pg_catalog.count(*),
    'withheld', COALESCE(pg_catalog.json_agg(g.name ORDER BY g.name) FILTER (WHERE NOT g.may), ${none}),
    'passedOn', CASE WHEN pg_catalog.bool_and(g.may) AND $4 = 'all' THEN ${none}
      ELSE COALESCE(pg_catalog.json_agg(g.name ORDER BY g.name) FILTER (WHERE g.may), ${none}) END)
    FROM (${relations}) AS g (name, may))`;
}

const tableKinds = `('r', 'p', 'v', 'm', 'f')`;

function question({ access }: WantedRole): string {
  const relation = (kinds: string, kind: 'table' | 'sequence', privileges: readonly string[]) =>
    granting(`SELECT c.relname, ${mayPassOn(kind, privileges)} FROM pg_catalog.pg_class AS c
      WHERE c.relnamespace = n.oid AND c.relkind IN ${kinds}`);
  return `
SELECT CAST(pg_catalog.json_build_object(
  'database', d.datname, 'presentRole', me.rolname,
  'isTaken', EXISTS (SELECT FROM pg_catalog.pg_roles AS r WHERE r.rolname = CAST($1 AS pg_catalog.text)),
  'mayCreateRoles', me.rolsuper OR me.rolcreaterole,
  'isOpen', pg_catalog.has_database_privilege('public', d.oid, 'CONNECT'),
  'mayPassOnConnect', pg_catalog.has_database_privilege(d.oid, 'CONNECT WITH GRANT OPTION'),
  'schemas', COALESCE((SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', n.nspname,
    'isOpen', pg_catalog.has_schema_privilege('public', n.oid, 'USAGE'),
    'mayPassOnUsage', pg_catalog.has_schema_privilege(n.oid, 'USAGE WITH GRANT OPTION'),
    'letsAllCreate', pg_catalog.has_schema_privilege('public', n.oid, 'CREATE'),
    'tables', ${relation(tableKinds, 'table', tablePrivileges[access])},
    'sequences', ${relation(`('S')`, 'sequence', sequencePrivileges[access])},
    'rowSecurity', (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class AS c WHERE c.relnamespace = n.oid AND c.relrowsecurity),
    'owners', COALESCE((SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', o.rolname,
        'maySetDefaults', pg_catalog.pg_has_role(o.oid, 'USAGE')) ORDER BY o.rolname) FROM pg_catalog.pg_roles AS o
      WHERE (o.rolname = me.rolname AND pg_catalog.has_schema_privilege(n.oid, 'CREATE'))
      OR o.oid IN (SELECT c.relowner FROM pg_catalog.pg_class AS c WHERE c.relnamespace = n.oid AND c.relkind IN ${tableKinds})),
      CAST('[]' AS pg_catalog.json))) ORDER BY n.nspname)
    FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname <> 'information_schema' AND NOT pg_catalog.starts_with(CAST(n.nspname AS pg_catalog.text), 'pg_')
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    AND ($2 = 'all' OR CAST(n.nspname AS pg_catalog.text) IN (SELECT pg_catalog.json_array_elements_text(CAST($3 AS pg_catalog.json))))),
    CAST('[]' AS pg_catalog.json))
) AS pg_catalog.text)
FROM pg_catalog.pg_database AS d CROSS JOIN pg_catalog.pg_roles AS me
WHERE d.datname = pg_catalog.current_database() AND me.rolname = current_user`;
}

export async function postgresRoleFacts(
  database: Database,
  context: CallContext,
  wanted: WantedRole,
): Promise<Answer<PostgresRoleFacts>> {
  const { sight, masks } = context;
  const schemas = [wanted.schemas === null ? 'all' : 'named', JSON.stringify(wanted.schemas ?? [])];
  const parameters = [wanted.name, ...schemas, sight === undefined && masks === undefined ? 'all' : 'by name'];
  // pg_catalog comes first, so no operator of a user answers instead.
  const answer = await lookUp(database, { ...context, schema: 'pg_catalog' }, question(wanted), parameters);
  if (answer.kind !== 'done') return answer;
  const all: PostgresRoleFacts = JSON.parse(String(answer.value[0]?.[0]));
  const masked = masks && (await maskedTables(database, context, masks));
  if (masked !== undefined && masked.kind !== 'done') return masked;
  const facts = masked === undefined ? all : inMasksAlone(all, masked.value);
  if (sight === undefined) return { kind: 'done', value: facts };
  const hidden = await hiddenFromRole(database, context, sight);
  return hidden.kind === 'done' ? { kind: 'done', value: inSightAlone(facts, sight, hidden.value) } : hidden;
}

/** The role gets no right to a masked column, so the server itself keeps it back. */
function inMasksAlone(facts: PostgresRoleFacts, { readable, isOver }: MaskedTables): PostgresRoleFacts {
  const schemas = facts.schemas.map(schema => {
    const passedOn = schema.tables.passedOn.filter(name => !isOver(schema.name, name));
    const some = passedOn.flatMap(name => {
      const columns = readable(schema.name, name);
      return columns === null ? [] : [[name, columns] as const];
    });
    const withheld = schema.tables.withheld.filter(name => !isOver(schema.name, name));
    const tables = { count: passedOn.length, withheld, passedOn };
    return { ...schema, tables, isPartly: true, readable: Object.fromEntries(some) };
  });
  return { ...facts, schemas };
}

/**
 * What is out of sight gets no grant, so the server itself holds it. No schema is granted whole: a
 * view over a hidden table may be made in any.
 */
function inSightAlone(facts: PostgresRoleFacts, sight: Sight, hidden: readonly QualifiedName[]): PostgresRoleFacts {
  const schemas = facts.schemas
    .filter(({ name }) => !isSchemaHidden(sight, name))
    .map(schema => {
      const out = new Set(hidden.filter(each => each.schema === schema.name).map(({ name }) => name));
      const granted = ({ withheld, passedOn }: Granting): Granting => {
        const seen = passedOn.filter(name => !out.has(name));
        return { count: seen.length, withheld: withheld.filter(name => !out.has(name)), passedOn: seen };
      };
      return { ...schema, tables: granted(schema.tables), sequences: granted(schema.sequences), isPartly: true };
    });
  return { ...facts, schemas };
}
