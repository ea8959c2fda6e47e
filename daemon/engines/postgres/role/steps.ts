/** The statements that make a fitting role on PostgreSQL 12 to 18, each explained. Runs nothing. */

import { shownText } from '../../../../shared/shown-text.ts';
import type { RoleStep, WantedRole } from '../../engine.ts';
import {
  type Granting,
  type PostgresRoleFacts,
  type SchemaFacts,
  sequencePrivileges,
  tablePrivileges,
} from './facts.ts';

/**
 * Unprintable characters are written as code points: what is pasted is what was seen, and a line
 * feed ends no comment.
 */
export function postgresName(name: string): string {
  const isPlain = shownText(name) === name;
  const characters = [...name].map(character => {
    if (character === '"') return '""';
    if (shownText(character) === character && (isPlain || character !== '\\')) return character;
    return `\\+${character.codePointAt(0)?.toString(16).padStart(6, '0')}`;
  });
  return `${isPlain ? '' : 'U&'}"${characters.join('')}"`;
}

/** @param verifier of the password. */
export function postgresStatements(facts: PostgresRoleFacts, wanted: WantedRole, verifier: string): string[] {
  return roleSteps(facts, wanted, `\n  PASSWORD '${verifier}'`).flatMap(({ statements }) => statements);
}

/** Steps for a person to run in psql, which asks for the password. */
export function postgresSteps(facts: PostgresRoleFacts, wanted: WantedRole): RoleStep[] {
  return [
    { why: 'All of it, or nothing.', statements: ['BEGIN'] },
    ...roleSteps(facts, wanted, ''),
    {
      why: 'It has no password yet: psql asks for one, and sends only a verifier of it.',
      statements: ['COMMIT', `\\password ${postgresName(wanted.name)}`],
    },
  ];
}

function roleSteps(facts: PostgresRoleFacts, wanted: WantedRole, password: string): RoleStep[] {
  const role = postgresName(wanted.name);
  const reads = wanted.access === 'readOnly';
  const created = `CREATE ROLE ${role} LOGIN\n  NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS`;
  const settings = [`ALTER ROLE ${role} SET statement_timeout = '${wanted.statementSeconds}s'`];
  if (reads) settings.push(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
  return [
    {
      why: 'A role that may sign in. It is no superuser and makes no databases, roles or replicas.',
      statements: [`${created}${password}`],
    },
    {
      why: reads
        ? 'Its statements end after a while, and its transactions only read unless one says otherwise.'
        : 'Its statements end after a while.',
      statements: settings,
    },
    ...(facts.isOpen || !facts.mayPassOnConnect
      ? []
      : [
          {
            why: 'It may connect to this database.',
            statements: [`GRANT CONNECT ON DATABASE ${postgresName(facts.database)} TO ${role}`],
          },
        ]),
    ...facts.schemas.flatMap(schema => schemaSteps(schema, wanted, role)),
  ];
}

function schemaSteps(schema: SchemaFacts, { access }: WantedRole, role: string): RoleStep[] {
  const name = postgresName(schema.name);
  const usage = schema.isOpen || !schema.mayPassOnUsage ? [] : [`GRANT USAGE ON SCHEMA ${name} TO ${role}`];
  const onTables = tablePrivileges[access].join(', ');
  const onSequences = sequencePrivileges[access].join(', ');
  const grants = [
    ...usage,
    ...grantsOn('TABLE', schema, schema.tables, onTables, role),
    ...grantsOn('SEQUENCE', schema, schema.sequences, onSequences, role),
  ];
  const defaults = schema.owners
    .filter(({ maySetDefaults }) => maySetDefaults && schema.isPartly !== true)
    .flatMap(owner => {
      const start = `ALTER DEFAULT PRIVILEGES FOR ROLE ${postgresName(owner.name)} IN SCHEMA ${name}\n  GRANT`;
      return [`${start} ${onTables} ON TABLES TO ${role}`, `${start} ${onSequences} ON SEQUENCES TO ${role}`];
    });
  const what = access === 'readOnly' ? 'It reads' : 'It reads and changes rows of';
  const which = schema.isPartly === true ? 'those tables and views in sight' : 'the tables and views';
  const steps = [
    { why: `${what} ${which} of the schema ${shownText(schema.name)}.`, statements: grants },
    { why: 'So it is with those that are made there later.', statements: defaults },
  ];
  return steps.filter(({ statements }) => statements.length > 0);
}

function grantsOn(
  kind: 'TABLE' | 'SEQUENCE',
  { name: inSchema, isPartly, readable = {} }: SchemaFacts,
  { count, withheld, passedOn }: Granting,
  privileges: string,
  role: string,
): string[] {
  const schema = postgresName(inSchema);
  if (count === 0) return [];
  if (withheld.length === 0 && isPartly !== true)
    return [`GRANT ${privileges}\n  ON ALL ${kind}S IN SCHEMA ${schema} TO ${role}`];
  return passedOn.flatMap(name => {
    const columns = kind === 'TABLE' && Object.hasOwn(readable, name) ? readable[name] : undefined;
    const given = columns === undefined ? privileges : onColumns(privileges, columns);
    return given === '' ? [] : [`GRANT ${given}\n  ON ${kind} ${schema}.${postgresName(name)} TO ${role}`];
  });
}

/** Reading of these columns alone; writing is a right to the table. */
function onColumns(privileges: string, columns: readonly string[]): string {
  const read = columns.length === 0 ? '' : `SELECT (${columns.map(postgresName).join(', ')})`;
  return [read, ...privileges.split(', ').filter(privilege => privilege !== 'SELECT')].filter(Boolean).join(', ');
}

/** What the role lacks, or can do like every role of the server. */
export function postgresNotes(facts: PostgresRoleFacts, others: boolean): string[] {
  const { database, presentRole, schemas } = facts;
  const notes: string[] = [];
  if (!facts.mayCreateRoles) {
    notes.push(`The role ${presentRole} may not make roles: a superuser, or a role with CREATEROLE, has to run this.`);
  }
  if (!facts.isOpen && !facts.mayPassOnConnect) {
    notes.push(`The role ${presentRole} may not let others connect to ${database}: its owner has to grant CONNECT.`);
  }
  if (others) notes.push(`All this counts in the database ${database} alone; the connection's others need the same.`);
  for (const schema of schemas) notes.push(...schemaNotes(schema, presentRole));
  return notes;
}

const mostNamed = 5;

function schemaNotes(schema: SchemaFacts, presentRole: string): string[] {
  const { name, tables, sequences, owners } = schema;
  const notes: string[] = [];
  if (!schema.isOpen && !schema.mayPassOnUsage) {
    notes.push(`The role ${presentRole} can't grant USAGE on schema ${name}; the schema's owner has to grant it.`);
  }
  const withheld = [...tables.withheld, ...sequences.withheld];
  if (withheld.length > 0) {
    const more = withheld.length > mostNamed ? ` and ${withheld.length - mostNamed} more` : '';
    notes.push(
      `Left out of ${name}, as ${presentRole} can't grant privileges on them: ${withheld.slice(0, mostNamed).join(', ')}${more}. Their owners can.`,
    );
  }
  for (const owner of owners.filter(({ maySetDefaults }) => !maySetDefaults && schema.isPartly !== true)) {
    notes.push(
      `Tables that ${owner.name} creates in ${name} later aren't covered; only ${owner.name} or a superuser can change that.`,
    );
  }
  if (schema.isPartly === true) {
    notes.push(
      `Of ${name} it gets the tables in sight of this connection, and none that is made there later. What PUBLIC may read there, it reads too.`,
    );
  }
  const masked = Object.keys(schema.readable ?? {});
  if (masked.length > 0) {
    const more = masked.length > mostNamed ? ` and ${masked.length - mostNamed} more` : '';
    notes.push(
      `Of ${masked.slice(0, mostNamed).join(', ')}${more} in ${name} it reads the columns that this connection does not mask. Views over them are left out, unless they are shown by name.`,
    );
  }
  if (schema.rowSecurity > 0) {
    const subject = schema.rowSecurity === 1 ? 'A table' : `${schema.rowSecurity} tables`;
    notes.push(`${subject} of ${name} with row-level security may show this role fewer rows than the present one.`);
  }
  if (schema.letsAllCreate) {
    notes.push(
      `Every role may create tables in ${name}, this one too; \`REVOKE CREATE ON SCHEMA ${postgresName(name)} FROM PUBLIC\` ends that for all.`,
    );
  }
  return notes;
}
