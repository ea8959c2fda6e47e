/**
 * How a name of a statement is shown to people and clients. Not for use in SQL: nothing is quoted.
 */

import type { QualifiedName } from './types.ts';

export function writtenName({ schema, name }: QualifiedName): string {
  return schema === null ? name : `${schema}.${name}`;
}
