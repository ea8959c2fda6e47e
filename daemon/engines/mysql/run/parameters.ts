/**
 * Binds parameters without the binary protocol, which prints floats, dates and decimals
 * differently: PREPARE and EXECUTE in SQL, so rows have the same text form as any others. Nothing
 * is escaped: statement and strings are hexadecimal literals, which no quote, backslash, character
 * set or `sql_mode` can end.
 */

import type { Parameter } from '../../engine.ts';

export interface PreparedRun {
  /** Our own statements; each must succeed before the next is sent. */
  readonly before: readonly string[];
  readonly execute: string;
}

/** @returns a sentence if a value has no form in SQL. */
export function prepareAndExecute(sql: string, parameters: readonly Parameter[]): PreparedRun | string {
  const assignments = [`@sallyport_sql = ${text(sql)}`];
  const names: string[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const value = literal(parameter);
    if (value === null) return `Parameter ${index + 1} is not a number that MySQL has.`;
    names.push(`@sallyport_${index}`);
    assignments.push(`@sallyport_${index} = ${value}`);
  }
  return {
    before: [`SET ${assignments.join(', ')}`, 'PREPARE sallyport FROM @sallyport_sql'],
    execute: `EXECUTE sallyport USING ${names.join(', ')}`,
  };
}

/** A string as a utf8mb4 literal, for our own look-ups too. */
export function text(value: string): string {
  return `_utf8mb4 x'${Buffer.from(value, 'utf8').toString('hex')}'`;
}

function literal(value: Parameter): string | null {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  // JavaScript prints it as 0, and the server reads `-0` as an integer.
  if (Object.is(value, -0)) return '-0e0';
  return Number.isFinite(value) ? String(value) : null;
}
