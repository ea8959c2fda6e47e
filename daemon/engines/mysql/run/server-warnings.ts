/**
 * Asks for the server's warnings about a statement, in its session and before anything else runs
 * there, and decides which are passed on.
 */

import type { RowSink } from '../../engine.ts';
import { cellsOf } from '../../row-text.ts';
import { ServerMessages } from '../../server-messages.ts';
import type { Session } from '../session.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';

/**
 * Asks for as many as a server keeps by default (`max_error_count`); a session may raise that to
 * 65,535.
 */
export const warningsQuestion = 'SHOW WARNINGS LIMIT 64';

/** The count has two bytes in an answer. */
const mostCounted = 65_535;

interface ServerWarning {
  readonly level: string;
  readonly code: number;
  readonly message: string;
}

export interface CollectedWarnings {
  readonly sink: Pick<RowSink, 'columns' | 'row'>;
  readonly found: readonly ServerWarning[];
}

export function collectWarnings(): CollectedWarnings {
  const found: ServerWarning[] = [];
  const row: RowSink['row'] = given => {
    const [level, code, message] = cellsOf(given);
    if (typeof message === 'string') found.push({ level: String(level), code: Number(code), message });
    return true;
  };
  return { sink: { columns: () => {}, row }, found };
}

export async function askWarnings(session: Session): Promise<readonly ServerWarning[]> {
  const { sink, found } = collectWarnings();
  await session.query(warningsQuestion, sink);
  return found;
}

/**
 * What a rollback could not undo (warning 1196): tables without transactions.
 * @param count as the answer has it
 */
export async function endWarnings(session: Session, { warnings: count }: Counted): Promise<readonly string[]> {
  const found = await askWarnings(session);
  return found.length === 0 ? keptBack(count) : found.map(({ message }) => message);
}

type Counted = Pick<Extract<ServerAnswer, { kind: 'ok' }>, 'warnings'>;

/** MySQL lets only an account with SESSION_VARIABLES_ADMIN raise a limit that its owner set. */
function keptBack(count: number): readonly string[] {
  const counted = count === 1 ? '1 warning' : `${count} warnings`;
  return [`The server counted ${counted} and tells none; its max_error_count may be 0.`];
}

/** EXPLAIN's note: the optimizer's statement, with values of rows that it has read. */
const optimizersText = 1003;

/**
 * @param count how many there were, from the answer
 * @param isRead true for a read: its conversions may be in a view's own conditions, on columns that
 *   it shows to nobody. A write is told no more than its error in strict mode would say.
 */
export function warningsTold(
  found: readonly ServerWarning[],
  { warnings: count }: Counted,
  isRead: boolean,
): readonly string[] {
  if (found.length === 0 && count > 0) return keptBack(count);
  const messages = new ServerMessages();
  for (const { level, code, message } of found) {
    if (code === optimizersText) continue;
    messages.add(`${level} ${code}: ${isRead ? withoutValue(code, message) : message}`);
  }
  messages.count(Math.max(0, count - found.length), count === mostCounted);
  return messages.sentences();
}

/**
 * These quote names, a client's own text, or one that the author of a SIGNAL meant to be read: 1064
 * syntax, 1265 truncated, 1276 resolved, 1287 deprecated, 1642 and 1644 SIGNAL, 1739 no index; and
 * what isn't there, isn't allowed, is there twice, or breaks a rule or key.
 */
const quotingNames: ReadonlySet<number> = new Set([
  1264, 1265, 1276, 1287, 1642, 1644, 1739, 1044, 1046, 1048, 1049, 1050, 1051, 1052, 1054, 1060, 1061, 1064, 1066,
  1091, 1109, 1136, 1142, 1143, 1146, 1227, 1305, 1318, 1364, 1370, 1406, 1451, 1452, 3819, 4025,
]);

/** It quotes the value without quotes. */
const noPartition = 1526;

/** Leaves out what stands from the first quote to the last: a value may contain quotes. */
export function withoutValue(code: number, message: string): string {
  if (code === noPartition) return message.replace(/value .*/s, 'value …');
  return quotingNames.has(code) ? message : message.replace(/'.*'/s, "'…'");
}
