/**
 * What the bridge itself tells its client: protocol lines on stdout, and sentences on stderr for
 * people who read its log.
 */

import { errorLine, type Failure } from '../failures.ts';
import { oneLine } from '../one-line.ts';
import type { Output } from './output.ts';

export interface ClientEnd {
  readonly output: Pick<Output, 'line' | 'drained' | 'inTurn'>;
  /** Writes one sentence to stderr, for a person. */
  readonly report: (sentence: string) => void;
}

/** Fails a request: an error to the client, a sentence to stderr. */
export function fail({ output, report }: ClientEnd, idText: string, failure: Failure): void {
  report(oneLine(failure.message));
  output.line(errorLine(idText, failure));
}

/**
 * Ends a subscription on stdio, where no closing stream shows the end (MCP 2026-07-28,
 * Cancellation).
 */
export function endSubscription({ output }: ClientEnd, idText: string): void {
  const reason = 'The connection to Sallyport ended.';
  output.line(
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${idText},"reason":"${reason}"}}`,
  );
}
