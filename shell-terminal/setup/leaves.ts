/** Nested settings as dotted names. */

import { isObject } from '../../shared/json.ts';

const deepest = 12;

/** `spring: { datasource: { url } }` as `spring.datasource.url`; a list's by their numbers. */
export function leaves(value: unknown, name: string): readonly (readonly [name: string, value: string])[] {
  if (typeof value === 'string' || typeof value === 'number') return name === '' ? [] : [[name, `${value}`]];
  if (!(isObject(value) || Array.isArray(value)) || name.split('.').length > deepest) return [];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, name === '' ? key : `${name}.${key}`));
}
