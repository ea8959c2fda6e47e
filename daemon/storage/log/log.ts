/**
 * The daemon's own log: JSON lines in `logs/`, redacted and rotated. Holds no secret and no
 * statement, and never fails a caller.
 */

import { join } from 'node:path';
import { pino } from 'pino';
import { type LogFileLimits, logFileLimits, openLogFile } from './log-file.ts';
import { redactFacts, redactText } from './log-redaction.ts';

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
type LogLevel = (typeof logLevels)[number];

/**
 * Facts, then a fixed sentence. Other features of pino (children, formats) would bypass the
 * redaction.
 */
type Log = Readonly<Record<LogLevel, (facts: object, message: string) => void>>;

export interface OpenLog extends Log {
  /** From the next line on. */
  setLevel(level: LogLevel): void;
}

export const logFileName = 'sallyportd.log';

interface LogOptions {
  /** The lowest level that is written. */
  readonly level?: LogLevel;
  readonly limits?: LogFileLimits;
}

export function openLog(folder: string, { level = 'info', limits = logFileLimits }: LogOptions = {}): OpenLog {
  const file = openLogFile(join(folder, logFileName), limits);
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      // The error is reduced already; pino's serializer would add its message and all members.
      serializers: { err: error => error },
    },
    { write: line => file.write(line) },
  );
  const at =
    (at: LogLevel): Log[LogLevel] =>
    (facts, message) => {
      if (logger.isLevelEnabled(at)) logger[at](redactFacts(facts), redactText(message));
    };
  return {
    ...{ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    setLevel(next) {
      logger.level = next;
    },
  };
}
