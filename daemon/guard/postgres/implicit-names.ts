/**
 * The names that PostgreSQL gives to sequences that the statement doesn't name: those of serial and
 * identity columns.
 */

import { fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

/** Names that stand for an integer with a sequence. */
export const serialTypes = /^(small|big)?serial[248]?$/;

/** @param elements of a CREATE TABLE, or what ALTER TABLE adds. */
export function implicitNames(table: string, elements: readonly unknown[]): readonly string[] {
  return elements.flatMap(element => {
    const column = fieldsOf(taggedNode(element)?.fields);
    const isSerial = serialTypes.test(nameParts(fieldsOf(column.typeName).names).at(-1) ?? '');
    const isIdentity = listOf(column.constraints).some(
      item => fieldsOf(taggedNode(item)?.fields).contype === 'CONSTR_IDENTITY',
    );
    return isSerial || isIdentity ? [joined(table, textOf(column.colname), '_seq')] : [];
  });
}

const mostBytes = 63;

/** Joins names as PostgreSQL does: if both don't fit, the longer one loses its end. */
function joined(table: string, column: string, ending: string): string {
  const parts = [Buffer.from(table), Buffer.from(column)] as const;
  let [first, second] = [parts[0].length, parts[1].length];
  while (first + 1 + second + ending.length > mostBytes) first > second ? first-- : second--;
  return `${whole(parts[0], first)}_${whole(parts[1], second)}${ending}`;
}

/** Leaves out a character that would be cut. */
function whole(name: Buffer, bytes: number): string {
  return new TextDecoder().decode(name.subarray(0, bytes), { stream: true });
}
