/**
 * The doors' log. Shaped like pino: facts first, then a fixed sentence. Never a bearer, never SQL.
 */

import { isNativeError } from 'node:util/types';

export interface Log {
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Loggable facts about an error. Its message is kept only if the language itself made it: drivers
 * and query builders quote the statement.
 */
export function factsOfError(error: unknown): Readonly<Record<string, unknown>> {
  if (!isNativeError(error)) return { thrown: typeof error };
  const ours = error.name === 'TypeError' || error.name === 'ReferenceError';
  return {
    error: error.name,
    ...('code' in error && (typeof error.code === 'string' || typeof error.code === 'number') && { code: error.code }),
    ...(ours && { problem: error.message }),
    at: (error.stack ?? '')
      .split('\n')
      .filter(line => line.startsWith('    at '))
      .slice(0, 8)
      .map(line => line.trim()),
  };
}
