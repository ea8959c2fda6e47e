/**
 * Reads from the tree of a PostgreSQL statement which objects it takes as a whole or changes, or
 * the tables whose rows it takes. Asks no catalog.
 */

import { doesAtMost } from './changing-nodes.ts';
import type { Parse } from './parser.ts';
import { type Named, nameAs, quoted, relationOf, typeText } from './taken-names.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';
import { Walk } from './walk.ts';

/** What the catalog is asked about (`takenQuestion`). Plain data. */
export interface PostgresTaking extends Named {
  /**
   * `rows`: of the tables' rows, at most all. `alter`: what is named stays, and loses at most the
   * columns and constraints named. `rights`: who may read or change it.
   */
  readonly act: 'truncate' | 'drop' | 'alter' | 'rights' | 'rows';
  readonly cascade: boolean;
  readonly columns: readonly string[];
  readonly constraints: readonly string[];
  /** Everything of a kind in a schema: `GRANT … ON ALL TABLES IN SCHEMA`. */
  readonly allIn: readonly { readonly schema: string; readonly kind: 'TABLE' | 'SEQUENCE' | 'ROUTINE' }[];
  /** For DROP DATABASE. */
  readonly database: string | null;
  /** Roles whose objects are meant; null for the one that is signed in. */
  readonly owners: readonly (string | null)[];
  /** Roles that are dropped or changed themselves. */
  readonly roles: readonly string[];
}

const nothing: PostgresTaking = {
  act: 'alter',
  cascade: false,
  relations: [],
  columns: [],
  constraints: [],
  schemas: [],
  types: [],
  routines: [],
  objects: [],
  parts: [],
  allIn: [],
  owners: [],
  roles: [],
  database: null,
};

type Read = (fields: Fields) => PostgresTaking | null;

const readers: Readonly<Record<string, Read>> = {
  TruncateStmt: fields => ({
    ...nothing,
    act: 'truncate',
    cascade: cascades(fields),
    relations: listOf(fields.relations).map(node => relationOf(fieldsOf(taggedNode(node)?.fields))),
  }),
  RefreshMatViewStmt: ({ relation, skipData }) =>
    skipData === true ? { ...nothing, act: 'truncate', relations: [relationOf(fieldsOf(relation))] } : null,
  DropStmt: fields => {
    const named = nameAs(kindOf(fields.removeType), listOf(fields.objects));
    return named === null ? null : { ...nothing, ...named, act: 'drop', cascade: cascades(fields) };
  },
  DropdbStmt: fields => ({ ...nothing, act: 'drop', database: textOf(fields.dbname) }),
  DropOwnedStmt: fields => ({ ...nothing, act: 'drop', cascade: cascades(fields), owners: rolesIn(fields.roles) }),
  ReassignOwnedStmt: fields => ({ ...nothing, act: 'rights', owners: rolesIn(fields.roles) }),
  DropRoleStmt: fields => ({ ...nothing, act: 'drop', roles: namesOfRoles(fields.roles) }),
  AlterRoleStmt: fields => ({ ...nothing, roles: namesOfRoles([{ RoleSpec: fields.role }]) }),
  GrantRoleStmt: fields => ({ ...nothing, roles: namesOfRoles(fields.grantee_roles) }),
  GrantStmt: fields => granted(fields),

  AlterTableStmt: fields => altered(fields),
  RenameStmt: fields => renamed(fields),
  AlterObjectSchemaStmt: fields => ofObject(fields, 'alter'),
  AlterOwnerStmt: fields => ofObject(fields, 'rights'),
  AlterEnumStmt: fields => ({ ...nothing, types: [quoted(nameParts(fields.typeName))] }),
  AlterDomainStmt: fields => ({
    ...nothing,
    cascade: cascades(fields),
    types: [quoted(nameParts(fields.typeName))],
  }),
  AlterTypeStmt: fields => ({ ...nothing, types: [quoted(nameParts(fields.typeName))] }),
  AlterFunctionStmt: fields => ({ ...nothing, ...nameAs('ROUTINE', [{ ObjectWithArgs: fields.func }]) }),
  CreateFunctionStmt: fields => (fields.replace === true ? replaced(fields) : nothing),
  AlterExtensionStmt: fields => ofExtension(fields),
  AlterExtensionContentsStmt: fields => ofExtension(fields),
  AlterTSDictionaryStmt: fields => ({ ...nothing, ...nameAs('TSDICTIONARY', [{ List: { items: fields.dictname } }]) }),
  AlterTSConfigurationStmt: fields => ({
    ...nothing,
    ...nameAs('TSCONFIGURATION', [{ List: { items: fields.cfgname } }]),
  }),
  CreateTrigStmt: fields => onTable(fields.relation),
  RuleStmt: fields => onTable(fields.relation),
  CreatePolicyStmt: fields => onTable(fields.table),
  AlterPolicyStmt: fields => onTable(fields.table),
  IndexStmt: fields => onTable(fields.relation),
  // What is only made takes nothing that is there now.
  ...Object.fromEntries(
    `CreateRoleStmt CreatedbStmt CreateExtensionStmt CreateCastStmt CreateOpClassStmt CreateConversionStmt
     CreateForeignTableStmt DefineStmt AlterDefaultPrivilegesStmt`
      .split(/\s+/)
      .map((tag): [string, Read] => [tag, () => nothing]),
  ),
};

/**
 * Null if nothing is known of a statement of this kind, and it runs no data change that takes rows.
 */
export function readTaking(parse: Parse, sql: string): PostgresTaking | null {
  const parsed = parse(sql);
  const node = parsed.kind === 'statements' ? taggedNode(parsed.statements[0]) : null;
  if (node === null || parsed.kind !== 'statements') return null;
  return readers[node.tag]?.(node.fields) ?? rowsTaken(parsed.statements[0]);
}

function rowsTaken(statement: unknown): PostgresTaking | null {
  const relations = new Walk(statement).changes.flatMap(({ tag, fields }) => {
    const does = doesAtMost(tag, fields);
    const act = does === 'removes' ? ('deleted' as const) : ('updated' as const);
    return does === 'adds' ? [] : [{ ...relationOf(fieldsOf(fields.relation)), act }];
  });
  return relations.length === 0 ? null : { ...nothing, act: 'rows', relations };
}

const kindOf = (type: unknown): string => textOf(type).replace(/^OBJECT_/, '');

/** What is made on a table, or becomes of it, isn't made on its children. */
function onTable(relation: unknown): PostgresTaking {
  return { ...nothing, relations: [{ ...relationOf(fieldsOf(relation)), only: true }] };
}

function ofExtension(fields: Fields): PostgresTaking {
  return { ...nothing, ...nameAs('EXTENSION', [{ String: { sval: fields.extname } }]) };
}

function ofObject(fields: Fields, act: PostgresTaking['act']): PostgresTaking | null {
  if (fields.relation !== undefined) return { ...onTable(fields.relation), act };
  const named = nameAs(kindOf(fields.objectType), [fields.object]);
  return named === null ? null : { ...nothing, ...named, act };
}

/** A part of a table, or of a composite type, is named by its relation. */
function renamed(fields: Fields): PostgresTaking | null {
  const kind = kindOf(fields.renameType);
  const { relation } = fields;
  if (relation !== undefined)
    return { ...nothing, cascade: cascades(fields), relations: [relationOf(fieldsOf(relation))] };
  if (kind === 'ROLE') return { ...nothing, roles: [textOf(fields.subname)] };
  const named = nameAs(kind, [kind === 'SCHEMA' ? { String: { sval: fields.subname } } : fields.object]);
  return named === null ? null : { ...nothing, ...named };
}

const grantedKinds: Readonly<Record<string, PostgresTaking['allIn'][number]['kind']>> = {
  TABLE: 'TABLE',
  SEQUENCE: 'SEQUENCE',
};

function granted(fields: Fields): PostgresTaking | null {
  const kind = kindOf(fields.objtype);
  const objects = listOf(fields.objects);
  if (fields.targtype === 'ACL_TARGET_ALL_IN_SCHEMA') {
    const schemas = objects.map(node => textOf(taggedNode(node)?.fields.sval));
    return {
      ...nothing,
      act: 'rights',
      allIn: schemas.map(schema => ({ schema, kind: grantedKinds[kind] ?? 'ROUTINE' })),
    };
  }
  const named = nameAs(kind, objects);
  return named === null ? null : { ...nothing, ...named, act: 'rights' };
}

/** The arguments' types; what only comes out is no argument. */
function replaced(fields: Fields): PostgresTaking {
  const given = listOf(fields.parameters).map(node => fieldsOf(taggedNode(node)?.fields));
  const types = given
    .filter(({ mode }) => mode !== 'FUNC_PARAM_OUT' && mode !== 'FUNC_PARAM_TABLE')
    .map(({ argType }) => typeText(fieldsOf(argType)));
  return { ...nothing, routines: [{ name: quoted(nameParts(fields.funcname)), arguments: types.join() }] };
}

/** Parts of ALTER TABLE that name another table, whose rows come or go. */
const otherTables = /^AT_(AttachPartition|DetachPartition|AddInherit|DropInherit)/;

function altered(fields: Fields): PostgresTaking {
  const commands = listOf(fields.cmds).map(node => fieldsOf(taggedNode(node)?.fields));
  const namesOf = (subtype: string) =>
    commands.filter(command => command.subtype === subtype).map(({ name }) => textOf(name));
  const others = commands
    .filter(({ subtype }) => otherTables.test(textOf(subtype)))
    .map(({ def }) => taggedNode(def))
    .map(node => relationOf(fieldsOf(node?.tag === 'PartitionCmd' ? node.fields.name : node?.fields)));
  return {
    ...nothing,
    act: commands.length > 0 && commands.every(({ subtype }) => subtype === 'AT_ChangeOwner') ? 'rights' : 'alter',
    cascade: commands.some(cascades),
    relations: [relationOf(fieldsOf(fields.relation)), ...others],
    columns: namesOf('AT_DropColumn'),
    constraints: namesOf('AT_DropConstraint'),
  };
}

function cascades({ behavior }: Fields): boolean {
  return behavior === 'DROP_CASCADE';
}

function rolesIn(roles: unknown): readonly (string | null)[] {
  return listOf(roles).map(node => {
    const { roletype, rolename } = fieldsOf(taggedNode(node)?.fields);
    return roletype === 'ROLESPEC_CSTRING' ? textOf(rolename) : null;
  });
}

function namesOfRoles(roles: unknown): readonly string[] {
  return rolesIn(roles).filter(role => role !== null);
}
