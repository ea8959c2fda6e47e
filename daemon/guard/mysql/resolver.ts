/**
 * What a name means to the server. Without a schema, it is looked up in the call's database, else
 * in the connection's. All rules about tables and routines depend on this.
 */

import type { QualifiedName } from '../types.ts';

/** @param schema the database in force; null if there is none, so such a name means nothing. */
export function withSchema(name: QualifiedName, schema: string | null): QualifiedName {
  return name.schema === null ? { schema, name: name.name } : name;
}
