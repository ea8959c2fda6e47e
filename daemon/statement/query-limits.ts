/** Every bound on a statement and its answer (spec §7), each with its reason. Settings may move those that spec §16 names. */

import { defaultSettings, type Settings } from '../access/settings/settings.ts';

export interface QueryLimits {
  /** Rows given when the call names no number. */
  readonly defaultRows: number;
  readonly maxRows: number;
  /** UTF-8 bytes of an answer when the call names no number: what a model pays for. */
  readonly defaultAnswerBytes: number;
  readonly maxAnswerBytes: number;
  /** UTF-8 bytes kept of one cell. */
  readonly maxCellBytes: number;
  readonly defaultSeconds: number;
  readonly maxSeconds: number;
  /** Rows of one table that a token may update and delete in an hour without being asked about. */
  readonly writeRows: number;
}

/** More parameters than any engine's protocol holds in 16 bits are a mistake. */
export const maxParameters = 1_000;

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

export const defaultQueryLimits: QueryLimits = queryLimitsOf(defaultSettings);
