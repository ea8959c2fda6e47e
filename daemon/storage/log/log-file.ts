/**
 * The log's file: private, bounded in size and number. Each line is written before the next step,
 * so a crash loses none. Never throws: on a full disk lines are lost, counted and reported.
 */

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface LogFileLimits {
  /** Size of one file; a line that doesn't fit starts the next. */
  readonly fileBytes: number;
  /** Files kept, including the one in use: `sallyportd.log`, `sallyportd.log.1`, … */
  readonly files: number;
}

export const logFileLimits: LogFileLimits = { fileBytes: 5 * 1_048_576, files: 5 };

export function openLogFile(path: string, limits: LogFileLimits = logFileLimits) {
  let descriptor: number | null = null;
  let bytes = 0;
  let lost = 0;
  /** True if the last write was cut off. */
  let isTorn = false;

  function open(): number {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
    // Never through a link: the log would be written wherever it leads.
    const opened = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
    const stats = fstatSync(opened);
    if ((stats.mode & 0o777) !== 0o600) fchmodSync(opened, 0o600);
    bytes = stats.size;
    return opened;
  }

  function close(): void {
    if (descriptor === null) return;
    const closing = descriptor;
    descriptor = null;
    closeSync(closing);
  }

  /** Deletes the oldest. */
  function rotate(): void {
    close();
    rmSync(`${path}.${limits.files - 1}`, { force: true });
    for (let number = limits.files - 2; number >= 0; number -= 1) {
      const from = number === 0 ? path : `${path}.${number}`;
      try {
        renameSync(from, `${path}.${number + 1}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  function writeWhole(text: string): void {
    descriptor ??= open();
    const content = Buffer.from(isTorn ? `\n${text}` : text, 'utf8');
    if (bytes > 0 && bytes + content.length > limits.fileBytes) {
      try {
        rotate();
      } catch {
        // A file that can't be renamed keeps growing: better than losing what is written now.
      }
      descriptor = open();
    }
    for (let written = 0; written < content.length; ) {
      const count = writeSync(descriptor, content, written);
      written += count;
      bytes += count;
      isTorn = written < content.length;
    }
  }

  return {
    /** @param line with its line feed. */
    write(line: string): void {
      try {
        if (lost > 0) {
          writeWhole(
            `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines: lost, msg: 'lines before this one were lost' })}\n`,
          );
          lost = 0;
        }
        writeWhole(line);
      } catch {
        lost += 1;
        try {
          close();
        } catch {
          // The file is given up anyway.
        }
      }
    },
    close(): void {
      try {
        close();
      } catch {
        // There is nothing left to write.
      }
    },
  };
}
