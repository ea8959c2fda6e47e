/**
 * How a statement that drops, alters or grants names what it means, by the grammar's kind of
 * object. Asks no catalog.
 */

import { quoteIdentifier, quoteQualified } from '../identifiers.ts';
import { relationName } from './changing-nodes.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

export interface Named {
  /** Named as `to_regclass` reads it; `act` for a data change alone. */
  readonly relations: readonly {
    readonly name: string;
    readonly only: boolean;
    readonly act?: 'deleted' | 'updated';
  }[];
  readonly schemas: readonly string[];
  readonly types: readonly string[];
  /** `arguments` null: all routines of that name. */
  readonly routines: readonly { readonly name: string; readonly arguments: string | null }[];
  /** Triggers, rules and policies, with their table. */
  readonly parts: readonly { readonly relation: string; readonly name: string }[];
  /** As `pg_get_object_address` takes them. */
  readonly objects: readonly {
    readonly type: string;
    readonly names: readonly string[];
    readonly arguments: readonly string[];
  }[];
}

const relationKinds = new Set(['TABLE', 'VIEW', 'MATVIEW', 'INDEX', 'SEQUENCE', 'FOREIGN_TABLE']);
const routineKinds = new Set(['FUNCTION', 'PROCEDURE', 'ROUTINE', 'AGGREGATE']);
const typeKinds = new Set(['TYPE', 'DOMAIN', 'DOMCONSTRAINT']);
const partKinds = new Set(['TRIGGER', 'RULE', 'POLICY']);
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
  PUBLICATION: 'publication',
  EVENT_TRIGGER: 'event trigger',
  STATISTIC_EXT: 'statistics object',
};

/** @param kind without `OBJECT_`. @returns null for a kind that isn't looked up. */
export function nameAs(kind: string, given: readonly unknown[]): Partial<Named> | null {
  const nodes = given.map(taggedNode);
  const parts = nodes.map(node => (node?.tag === 'RangeVar' ? [] : nameParts(node?.fields.items)));
  const names = nodes.map((node, at) => {
    const several = parts[at] ?? [];
    return several.length > 0 ? several : [textOf(node?.fields.sval)];
  });
  if (relationKinds.has(kind))
    return {
      relations: nodes.map((node, at) =>
        node?.tag === 'RangeVar' ? relationOf(node.fields) : { name: quoted(names[at] ?? []), only: false },
      ),
    };
  if (kind === 'SCHEMA') return { schemas: names.map(name => name.join('.')) };
  if (typeKinds.has(kind))
    return {
      types: nodes.map((node, at) => (node?.tag === 'TypeName' ? typeText(node.fields) : quoted(names[at] ?? []))),
    };
  if (routineKinds.has(kind)) return { routines: nodes.map(node => routineOf(fieldsOf(node?.fields))) };
  if (partKinds.has(kind))
    return { parts: names.map(name => ({ relation: quoted(name.slice(0, -1)), name: name.at(-1) ?? '' })) };
  if (kind === 'OPERATOR') return { objects: nodes.map(node => operatorOf(fieldsOf(node?.fields))) };
  const type = objectTypes[kind];
  return type === undefined ? null : { objects: names.map(name => ({ type, names: name, arguments: [] })) };
}

export function relationOf(range: Fields): Named['relations'][number] {
  const { schema, name } = relationName(range);
  return { name: quoteQualified('postgres', schema, name), only: range.inh !== true };
}

export function typeText(fields: Fields | undefined): string {
  const { names, arrayBounds } = fieldsOf(fields);
  return `${quoted(nameParts(names))}${'[]'.repeat(listOf(arrayBounds).length)}`;
}

function operatorOf(fields: Fields): Named['objects'][number] {
  const operands = listOf(fields.objargs).map(operand => taggedNode(operand)?.fields);
  const types = operands.map(operand => (operand === undefined ? 'none' : typeText(operand)));
  return { type: 'operator', names: nameParts(fields.objname), arguments: types };
}

function routineOf(fields: Fields): Named['routines'][number] {
  const given = listOf(fields.objargs).map(node => typeText(taggedNode(node)?.fields));
  return { name: quoted(nameParts(fields.objname)), arguments: fields.args_unspecified === true ? null : given.join() };
}

/** A name as `to_regclass` and its like read it. */
export function quoted(parts: readonly string[]): string {
  return parts.map(part => quoteIdentifier('postgres', part)).join('.');
}
