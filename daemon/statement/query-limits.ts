/**
 * Every limit on a statement and its answer (spec §7), each with its reason. Settings change those
 * in spec §16.
 */

import { defaultSettings, type Settings } from '../access/settings/settings.ts';

export type QueryLimits = Readonly<ReturnType<typeof queryLimitsOf>>;

/** A call with more parameters is a mistake, although every engine's protocol can hold more. */
export const maxParameters = 1_000;

/** Limits that depend on settings (spec §16): a lowered maximum lowers its default. */
export function queryLimitsOf(settings: Settings) {
  const maxRows = settings['results.maxRows'];
  const maxSeconds = settings['query.maxSeconds'];
  const maxAnswerBytes = settings['results.maxBytes'];
  return {
    /** Rows if the call names no number. */
    defaultRows: Math.min(settings['results.defaultRows'], maxRows),
    maxRows,
    /** UTF-8 bytes of an answer if the call names no number: what a model pays for. */
    defaultAnswerBytes: Math.min(settings['results.defaultBytes'], maxAnswerBytes),
    maxAnswerBytes,
    /** UTF-8 bytes kept of one cell. */
    maxCellBytes: settings['results.maxCellBytes'],
    defaultSeconds: Math.min(settings['query.defaultSeconds'], maxSeconds),
    maxSeconds,
    /** Rows of one table that a token may update and delete in an hour without a question. */
    writeRows: settings['writes.maxRows'],
  };
}

export const defaultQueryLimits: QueryLimits = queryLimitsOf(defaultSettings);
