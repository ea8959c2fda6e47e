/**
 * Converts lists and objects among a statement's parameters to text: an object becomes JSON, a list
 * an array (`{1,2}`). A list becomes JSON if it holds objects or the statement says `$1::jsonb`,
 * and an array of JSON for `$1::jsonb[]`. The server's type for a parameter is not known before it
 * runs.
 */

import { isScalar } from '../../dialect.ts';
import type { Parameter } from '../../request.ts';

export function postgresParameters(sql: string, given: readonly unknown[]): readonly Parameter[] {
  if (given.every(isScalar)) return given;
  const casts = castsToJson(sql);
  return given.map((value, index) => {
    if (isScalar(value)) return value;
    const cast = casts.get(index + 1);
    if (cast === 'array' && Array.isArray(value)) return arrayOfJson(value);
    return isJson(value) || cast === 'value' ? JSON.stringify(value) : arrayText(value as unknown[]);
  });
}

/** PostgreSQL names the type in any of its languages. */
export function jsonAdvice(given: readonly unknown[], failure: string): string | null {
  const hasArray = given.some(value => Array.isArray(value) && !isJson(value));
  return hasArray && /\bjsonb?\b/.test(failure)
    ? 'A list among the parameters is sent as an array: write $1::jsonb, with its number, where it is meant as JSON.'
    : null;
}

function isJson(value: unknown): boolean {
  return Array.isArray(value) ? value.some(each => !isScalar(each) && isJson(each)) : true;
}

const castToJson = /\$(\d{1,5})\s{0,8}(?:::|as\s)\s{0,8}jsonb?\b(\s{0,8}\[)?/gi;

function castsToJson(sql: string): ReadonlyMap<number, 'value' | 'array'> {
  return new Map(
    Array.from(sql.matchAll(castToJson), ([, number, bracket]) => [Number(number), bracket ? 'array' : 'value']),
  );
}

/** A null in the list is SQL's NULL. */
function arrayOfJson(list: readonly unknown[]): string {
  return arrayText(list.map(each => (each === null ? null : JSON.stringify(each))));
}

/** A PostgreSQL array, such as `{1,"a",{NULL}}`. */
export function arrayText(list: readonly unknown[]): string {
  return `{${list.map(elementText).join(',')}}`;
}

function elementText(element: unknown): string {
  if (element === null) return 'NULL';
  if (Array.isArray(element)) return arrayText(element);
  return typeof element === 'string' ? `"${element.replace(/["\\]/g, '\\$&')}"` : String(element);
}
