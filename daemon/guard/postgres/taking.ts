/**
 * Reads from the tree of a PostgreSQL statement which objects it takes as a whole, or the tables
 * whose rows it takes. Asks no catalog.
 */

import { quoteIdentifier, quoteQualified } from '../identifiers.ts';
import { doesAtMost, relationName } from './changing-nodes.ts';
import type { Parse } from './parser.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';
import { Walk } from './walk.ts';

/** What the catalog is asked about (`takenQuestion`). Plain data. */
export interface PostgresTaking {
  /**
   * `rows`: of the tables' rows, at most all. `alter`: the tables stay, and lose at most the
   * columns and constraints named.
   */
  readonly act: 'truncate' | 'drop' | 'alter' | 'rows';
  readonly cascade: boolean;
  /** Named as `to_regclass` reads it; `how` for `rows` alone. */
  readonly relations: readonly {
    readonly name: string;
    readonly only: boolean;
    readonly how?: 'deleted' | 'updated';
  }[];
  readonly columns: readonly string[];
  readonly constraints: readonly string[];
  readonly schemas: readonly string[];
  readonly types: readonly string[];
  /** `arguments` null: all routines of that name. */
  readonly routines: readonly { readonly name: string; readonly arguments: string | null }[];
  /** As `pg_get_object_address` takes them. */
  readonly objects: readonly {
    readonly type: string;
    readonly names: readonly string[];
    readonly arguments: readonly string[];
  }[];
  /** For DROP DATABASE. */
  readonly database: string | null;
  /** Roles whose objects are dropped; null for the one that is signed in. */
  readonly owners: readonly (string | null)[];
}

const nothing = {
  cascade: false,
  relations: [],
  columns: [],
  constraints: [],
  schemas: [],
  types: [],
  routines: [],
  objects: [],
  owners: [],
  database: null,
};

const readers: Readonly<Record<string, (fields: Fields) => PostgresTaking | null>> = {
  TruncateStmt: fields => ({
    ...nothing,
    act: 'truncate',
    cascade: cascades(fields),
    relations: listOf(fields.relations).map(node => relationOf(fieldsOf(taggedNode(node)?.fields))),
  }),
  DropStmt: fields => dropped(fields),
  DropdbStmt: fields => ({ ...nothing, act: 'drop', database: textOf(fields.dbname) }),
  DropOwnedStmt: fields => ({
    ...nothing,
    act: 'drop',
    cascade: cascades(fields),
    owners: listOf(fields.roles).map(node => {
      const { roletype, rolename } = fieldsOf(taggedNode(node)?.fields);
      return roletype === 'ROLESPEC_CSTRING' ? textOf(rolename) : null;
    }),
  }),
  AlterTableStmt: fields => altered(fields),
};

/** Null if the statement is of none of these kinds, and runs no data change that takes rows. */
export function readTaking(parse: Parse, sql: string): PostgresTaking | null {
  const parsed = parse(sql);
  const node = parsed.kind === 'statements' ? taggedNode(parsed.statements[0]) : null;
  if (node === null || parsed.kind !== 'statements') return null;
  return readers[node.tag]?.(node.fields) ?? rowsTaken(parsed.statements[0]);
}

function rowsTaken(statement: unknown): PostgresTaking | null {
  const relations = new Walk(statement).changes.flatMap(({ tag, fields }) => {
    const does = doesAtMost(tag, fields);
    const how = does === 'removes' ? ('deleted' as const) : ('updated' as const);
    return does === 'adds' ? [] : [{ ...relationOf(fieldsOf(fields.relation)), how }];
  });
  return relations.length === 0 ? null : { ...nothing, act: 'rows', relations };
}

const relationKinds = new Set(['TABLE', 'VIEW', 'MATVIEW', 'INDEX', 'SEQUENCE', 'FOREIGN_TABLE']);
const routineKinds = new Set(['FUNCTION', 'PROCEDURE', 'ROUTINE', 'AGGREGATE']);
/** What `pg_get_object_address` calls an object with a name, or with a schema and a name. */
const objectTypes: Readonly<Record<string, string>> = {
  EXTENSION: 'extension',
  LANGUAGE: 'language',
  FOREIGN_SERVER: 'server',
  FDW: 'foreign-data wrapper',
  ACCESS_METHOD: 'access method',
  COLLATION: 'collation',
  CONVERSION: 'conversion',
  TSCONFIGURATION: 'text search configuration',
  TSDICTIONARY: 'text search dictionary',
  TSPARSER: 'text search parser',
  TSTEMPLATE: 'text search template',
  OPCLASS: 'operator class',
  OPFAMILY: 'operator family',
};

function dropped(fields: Fields): PostgresTaking | null {
  const kind = textOf(fields.removeType).replace(/^OBJECT_/, '');
  const nodes = listOf(fields.objects).map(taggedNode);
  const drop: PostgresTaking = { ...nothing, act: 'drop', cascade: cascades(fields) };
  const parts = nodes.map(node => nameParts(node?.fields.items));
  const single = nodes.map(node => textOf(node?.fields.sval));
  if (relationKinds.has(kind)) return { ...drop, relations: parts.map(name => ({ name: quoted(name), only: false })) };
  if (kind === 'SCHEMA') return { ...drop, schemas: single };
  if (kind === 'TYPE' || kind === 'DOMAIN') return { ...drop, types: nodes.map(node => typeText(node?.fields)) };
  if (routineKinds.has(kind)) return { ...drop, routines: nodes.map(node => routineOf(fieldsOf(node?.fields))) };
  if (kind === 'OPERATOR') return { ...drop, objects: nodes.map(node => operatorOf(fieldsOf(node?.fields))) };
  const type = objectTypes[kind];
  return type === undefined
    ? null
    : { ...drop, objects: nodes.map((_, at) => ({ type, names: namesOf(parts, single, at), arguments: [] })) };
}

function operatorOf(fields: Fields): PostgresTaking['objects'][number] {
  const operands = listOf(fields.objargs).map(operand => taggedNode(operand)?.fields);
  const types = operands.map(operand => (operand === undefined ? 'none' : typeText(operand)));
  return { type: 'operator', names: nameParts(fields.objname), arguments: types };
}

function namesOf(parts: readonly (readonly string[])[], single: readonly string[], at: number): readonly string[] {
  const several = parts[at] ?? [];
  return several.length > 0 ? several : [single[at] ?? ''];
}

function altered(fields: Fields): PostgresTaking {
  const commands = listOf(fields.cmds).map(node => fieldsOf(taggedNode(node)?.fields));
  const namesOf = (subtype: string) =>
    commands.filter(command => command.subtype === subtype).map(({ name }) => textOf(name));
  return {
    ...nothing,
    act: 'alter',
    cascade: commands.some(cascades),
    relations: [relationOf(fieldsOf(fields.relation))],
    columns: namesOf('AT_DropColumn'),
    constraints: namesOf('AT_DropConstraint'),
  };
}

function cascades({ behavior }: Fields): boolean {
  return behavior === 'DROP_CASCADE';
}

function relationOf(range: Fields): PostgresTaking['relations'][number] {
  const { schema, name } = relationName(range);
  return { name: quoteQualified('postgres', schema, name), only: range.inh !== true };
}

function routineOf(fields: Fields): PostgresTaking['routines'][number] {
  const given = listOf(fields.objargs).map(node => typeText(taggedNode(node)?.fields));
  return { name: quoted(nameParts(fields.objname)), arguments: fields.args_unspecified === true ? null : given.join() };
}

function typeText(fields: Fields | undefined): string {
  const { names, arrayBounds } = fieldsOf(fields);
  return `${quoted(nameParts(names))}${'[]'.repeat(listOf(arrayBounds).length)}`;
}

function quoted(parts: readonly string[]): string {
  return parts.map(part => quoteIdentifier('postgres', part)).join('.');
}
