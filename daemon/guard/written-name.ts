/**
 * How people and clients are shown a name of a statement. Not for use in SQL, as nothing is quoted.
 */

import type { QualifiedName } from './types.ts';

export function writtenName({ schema, name }: QualifiedName): string {
  return schema === null ? name : `${schema}.${name}`;
}
