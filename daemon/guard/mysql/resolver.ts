/**
 * What a name means to the server: without a schema it is looked up in the database of the call,
 * else of the connection. All rules about tables and routines stand on this.
 */

import type { QualifiedName } from '../types.ts';

/**
 * @param schema the database in force; null where there is none, so that such a name means nothing.
 */
export function resolved(name: QualifiedName, schema: string | null): QualifiedName {
  return name.schema === null ? { schema, name: name.name } : name;
}
