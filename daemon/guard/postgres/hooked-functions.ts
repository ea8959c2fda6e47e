/**
 * Functions that a definition hooks up by name: `CREATE OPERATOR (function = f)`, a cast, an
 * aggregate, a trigger.
 */

import { type Fields, isFields, nameParts } from './tree.ts';

const hooking: ReadonlySet<string> = new Set([
  'DefineStmt',
  'CreateCastStmt',
  'CreateConversionStmt',
  'CreateTransformStmt',
  'CreateOpClassStmt',
  'CreateRangeStmt',
  'CreateTrigStmt',
  'CreateEventTrigStmt',
  'AlterOperatorStmt',
  'AlterOpFamilyStmt',
]);
/**
 * Where the grammar puts such names. `names` is a type's: an option's bare word is read as a type.
 */
const nameFields = ['names', 'objname', 'funcname', 'func_name', 'func'] as const;

/**
 * Every qualified name in the definition, as parts. Most are types; no function that matters here
 * has a type's name.
 */
export function hookedFunctions(tag: string, fields: Fields): readonly (readonly string[])[] {
  if (!hooking.has(tag)) return [];
  const found: (readonly string[])[] = [];
  const pending: unknown[] = [fields];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) pending.push(...value);
    if (!isFields(value)) continue;
    for (const name of nameFields) found.push(nameParts(value[name]));
    pending.push(...Object.values(value).filter(child => typeof child === 'object' && child !== null));
  }
  return found.filter(parts => parts.length > 0);
}
