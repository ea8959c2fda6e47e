/** Every bound on a statement and its answer (spec §7), each with its reason. Settings may move those that spec §16 names. */

import type { Settings } from '../access/settings/settings.ts';

export const defaultQueryLimits = {
  /** Rows given when the call names no number. */
  defaultRows: 500,
  maxRows: 10_000,
  /** UTF-8 bytes of an answer when the call names no number: what a model pays for. */
  defaultAnswerBytes: 24 * 1024,
  maxAnswerBytes: 256 * 1024,
  /** UTF-8 bytes kept of one cell. */
  maxCellBytes: 64 * 1024,
  defaultSeconds: 30,
  maxSeconds: 300,
  /** Rows of one table that a token may update and delete in an hour without being asked about. */
  writeRows: 1_000,
};
export type QueryLimits = Readonly<typeof defaultQueryLimits>;

/** Whoever wants more of a table changed within the hour may as well be asked. */
export const mostWriteRows = 1_000_000;

/** More parameters than any engine's protocol holds in 16 bits are a mistake. */
export const maxParameters = 1_000;

/**
 * Bytes a statement may bring over the wire: room for 10,000 rows of ordinary width and for one cell of several megabytes
 * that is cut afterwards, and little enough that eight at once stay far from exhausting memory.
 */
export const maxWireBytes = 16 * 1024 * 1024;

/** Those that the settings leave (spec §16): a lowered maximum lowers its default with it. */
export function queryLimitsOf(settings: Settings): QueryLimits {
  const maxRows = settings['results.maxRows'];
  const maxSeconds = settings['query.maxSeconds'];
  const maxAnswerBytes = settings['results.maxBytes'];
  return {
    defaultRows: Math.min(settings['results.defaultRows'], maxRows),
    maxRows,
    defaultAnswerBytes: Math.min(settings['results.defaultBytes'], maxAnswerBytes),
    maxAnswerBytes,
    maxCellBytes: settings['results.maxCellBytes'],
    defaultSeconds: Math.min(settings['query.defaultSeconds'], maxSeconds),
    maxSeconds,
    writeRows: settings['writes.maxRows'],
  };
}
