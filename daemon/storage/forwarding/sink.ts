/** What takes forwarded records: a file or a syslog receiver. */

import type { Record } from './record.ts';

export interface Sink {
  /**
   * Resolves once the receiver, or its kernel, has taken them all. Rejects with an Error whose
   * message is a clause without a full stop; then some may have been taken.
   */
  write(records: readonly Record[]): Promise<void>;
  close(): void;
}
