/**
 * Asks what the server warned of while a statement ran, in its session and before anything else
 * runs there, and says what of it is told.
 */

import type { RowSink } from '../../engine.ts';
import { cellsOf } from '../../row-text.ts';
import { ServerMessages } from '../../server-messages.ts';
import type { Link } from '../link.ts';
import type { ServerAnswer } from '../wire/answer.ts';

/** As many as a server keeps by itself (`max_error_count`); a session may keep 65,535. */
export const warningsQuestion = 'SHOW WARNINGS LIMIT 64';

/** Two bytes of an answer hold how many there were. */
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

export async function askWarnings(link: Link): Promise<readonly ServerWarning[]> {
  const { sink, found } = collectWarnings();
  await link.query(warningsQuestion, sink);
  return found;
}

/** What a rollback could not take back (warning 1196): tables of an engine without transactions. */
export async function endWarnings(link: Link): Promise<readonly string[]> {
  return (await askWarnings(link)).map(({ message }) => message);
}

/**
 * EXPLAIN's note: the statement as the optimizer has it, with values of rows that it read already.
 */
const optimizersText = 1003;

/**
 * @param count how many there were, as the answer said
 * @param isRead its conversions may be those of a view's own conditions, of columns that it shows
 * to nobody. A write is told no more than what its error would say in strict mode.
 */
export function warningsTold(
  found: readonly ServerWarning[],
  { warnings: count }: Extract<ServerAnswer, { kind: 'ok' }>,
  isRead: boolean,
): readonly string[] {
  const messages = new ServerMessages();
  for (const { level, code, message } of found) {
    if (code === optimizersText) continue;
    messages.add(`${level} ${code}: ${isRead ? withoutValue(code, message) : message}`);
  }
  messages.count(Math.max(0, count - found.length), count === mostCounted);
  return messages.sentences();
}

/**
 * What they quote are names, or a text that whoever wrote a SIGNAL meant to be read: 1265
 * truncated, 1276 resolved, 1287 deprecated, 1642 SIGNAL, 1739 no index.
 */
const quotingNames: ReadonlySet<number> = new Set([1265, 1276, 1287, 1642, 1739]);

/** From the first quote to the last: a value may hold some. */
function withoutValue(code: number, message: string): string {
  return quotingNames.has(code) ? message : message.replace(/'.*'/s, "'…'");
}
