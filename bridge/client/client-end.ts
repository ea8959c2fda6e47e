/**
 * What the bridge itself says to its client: protocol lines on stdout, and sentences on stderr for
 * whoever reads its log.
 */

import { errorLine, type Failure } from '../failures.ts';
import { oneLine } from '../shown.ts';
import type { Output } from './output.ts';

export interface ClientEnd {
  readonly output: Pick<Output, 'line' | 'drained' | 'inTurn'>;
  /** One sentence for whoever reads stderr. */
  readonly report: (sentence: string) => void;
}

/** Fails a request: an error to the client, a sentence to stderr. */
export function fail({ output, report }: ClientEnd, idText: string, failure: Failure): void {
  report(oneLine(failure.message));
  output.line(errorLine(idText, failure));
}

/**
 * How a server ends a subscription on stdio, where no stream closes to show it (MCP 2026-07-28,
 * Cancellation).
 */
export function endSubscription({ output }: ClientEnd, idText: string): void {
  const reason = 'The connection to Sallyport ended.';
  output.line(
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${idText},"reason":"${reason}"}}`,
  );
}
