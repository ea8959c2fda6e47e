/** The daemon's own log: JSON lines in `logs/`, redacted and rotated. Never a secret, never the text of a statement, never in the way. */

import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type LogFileLimits, logFileLimits, openLogFile } from './log-file.ts';
import { redactFacts, redactText } from './log-redaction.ts';

export type Log = Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export const logFileName = 'sallyportd.log';

export interface LogOptions {
  /** Below it nothing is written. */
  readonly level?: LogLevel;
  readonly limits?: LogFileLimits;
}

export function openLog(folder: string, { level = 'info', limits = logFileLimits }: LogOptions = {}): Log {
  const file = openLogFile(join(folder, logFileName), limits);
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }), log: redactFacts, bindings: redactFacts },
      // pino's own would write an error's message and all its members.
      serializers: { err: error => error },
      hooks: {
        logMethod(given, write) {
          const [facts, message] = plain(given);
          if (message === undefined) write.call(this, facts);
          else write.call(this, facts, message);
        },
      },
    },
    { write: line => file.write(line) },
  );
}

/** Whatever was given becomes facts and one text, both redacted; nothing is put together by a format. */
function plain(given: readonly unknown[]): [Record<string, unknown>, string | undefined] {
  const [first, second] = given;
  if (typeof first === 'string') return [{}, redactText(first)];
  const facts = typeof first === 'object' && first !== null ? redactFacts(first) : {};
  return [facts, typeof second === 'string' ? redactText(second) : undefined];
}
