/**
 * The names that a statement gives to new objects. Such a name may come before the same name in a
 * later schema of a search path.
 */

import type { QualifiedName } from '../types.ts';
import { relationName } from './changing-nodes.ts';
import { implicitNames } from './implicit-names.ts';
import type { CreatedName } from './question.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

type Kind = CreatedName['kind'];

const defined: ReadonlyMap<string, Kind> = new Map([
  ['OBJECT_TYPE', 'type'],
  ['OBJECT_COLLATION', 'collation'],
  ['OBJECT_TSCONFIGURATION', 'configuration'],
  ['OBJECT_TSDICTIONARY', 'dictionary'],
]);

/** Constraints that are an index. The index's name is a relation's. */
const indexed: ReadonlySet<unknown> = new Set(['CONSTR_PRIMARY', 'CONSTR_UNIQUE', 'CONSTR_EXCLUSION']);

export function schemaOf({ schemaname, authrole }: Fields): string {
  return textOf(schemaname) || textOf(fieldsOf(authrole).rolename);
}

/** @param inSchema the schema that a CREATE SCHEMA around it makes. */
export function createdNames(tag: string, fields: Fields, inSchema: string | null): readonly CreatedName[] {
  const relation = (node: unknown): readonly CreatedName[] => relationsOf(node, inSchema);
  const parts = (kind: Kind, value: unknown): readonly CreatedName[] => {
    const [name, schema = inSchema] = [...nameParts(value)].reverse();
    return name === undefined ? [] : [{ kind, schema, name, beside: null }];
  };
  switch (tag) {
    case 'CreateSchemaStmt':
      return [{ kind: 'schema', schema: null, name: schemaOf(fields), beside: null }];
    case 'CreateStmt':
      return relation(fields.relation).flatMap(table => [
        table,
        ...[...indexNames(fields.tableElts), ...implicitNames(table.name, listOf(fields.tableElts))].map(name => ({
          ...table,
          name,
        })),
      ]);
    case 'CreateTableAsStmt':
      return relation(fieldsOf(fields.into).rel);
    case 'ViewStmt':
      return relation(fields.view);
    case 'CreateSeqStmt':
      return relation(fields.sequence);
    case 'CompositeTypeStmt':
      return relation(fields.typevar);
    case 'CreateEnumStmt':
    case 'CreateRangeStmt':
      return parts('type', fields.typeName);
    case 'CreateDomainStmt':
      return parts('type', fields.domainname);
    case 'DefineStmt': {
      const kind = defined.get(textOf(fields.kind));
      return kind === undefined ? [] : parts(kind, fields.defnames);
    }
    case 'IndexStmt':
      return besides([textOf(fields.idxname)], relationName(fields.relation), inSchema);
    case 'AlterTableStmt': {
      const table = relationName(fields.relation);
      const added = listOf(fields.cmds).map(defOf);
      return besides([...indexNames(added), ...implicitNames(table.name, added)], table, inSchema);
    }
    default:
      return [];
  }
}

/** The name in SELECT … INTO. */
export function intoName(clause: unknown): readonly CreatedName[] {
  return relationsOf(fieldsOf(fieldsOf(clause).rel), null);
}

/** None for a temporary relation, which only the session has. */
function relationsOf(node: unknown, inSchema: string | null): readonly CreatedName[] {
  const { schema, name } = relationName(node);
  const isTemporary = fieldsOf(node).relpersistence === 't' || schema === 'pg_temp';
  return isTemporary || name === '' ? [] : [{ kind: 'relation', schema: schema ?? inSchema, name, beside: null }];
}

function besides(names: readonly string[], beside: QualifiedName, inSchema: string | null): readonly CreatedName[] {
  const given = names.filter(name => name !== '');
  return given.map(name => ({ kind: 'relation', schema: inSchema, name, beside }));
}

function defOf(command: unknown): unknown {
  return fieldsOf(taggedNode(command)?.fields).def;
}

/** The names of constraints with an index, also those on columns. */
function indexNames(elements: unknown): readonly string[] {
  return listOf(elements).flatMap(element => {
    const fields = fieldsOf(taggedNode(element)?.fields);
    const own = indexed.has(fields.contype) ? [textOf(fields.conname)] : [];
    return [...own, ...indexNames(fields.constraints)].filter(name => name !== '');
  });
}
