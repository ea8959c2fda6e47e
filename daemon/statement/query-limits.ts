/**
 * Every bound on a statement and its answer (spec §7), each with its reason. Settings may move
 * those that spec §16 names.
 */

import { defaultSettings, type Settings } from '../access/settings/settings.ts';

export type QueryLimits = Readonly<ReturnType<typeof queryLimitsOf>>;

/** More parameters than any engine's protocol holds in 16 bits are a mistake. */
export const maxParameters = 1_000;

/** Those that the settings leave (spec §16): a lowered maximum lowers its default with it. */
export function queryLimitsOf(settings: Settings) {
  const maxRows = settings['results.maxRows'];
  const maxSeconds = settings['query.maxSeconds'];
  const maxAnswerBytes = settings['results.maxBytes'];
  return {
    /** Rows given when the call names no number. */
    defaultRows: Math.min(settings['results.defaultRows'], maxRows),
    maxRows,
    /** UTF-8 bytes of an answer when the call names no number: what a model pays for. */
    defaultAnswerBytes: Math.min(settings['results.defaultBytes'], maxAnswerBytes),
    maxAnswerBytes,
    /** UTF-8 bytes kept of one cell. */
    maxCellBytes: settings['results.maxCellBytes'],
    defaultSeconds: Math.min(settings['query.defaultSeconds'], maxSeconds),
    maxSeconds,
    /**
     * Rows of one table that a token may update and delete in an hour without being asked about.
     */
    writeRows: settings['writes.maxRows'],
  };
}

export const defaultQueryLimits: QueryLimits = queryLimitsOf(defaultSettings);
