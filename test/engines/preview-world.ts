/**
 * What one engine gives the suite of previews that loops over all three (`previews.test.ts`); a
 * missing part is a type error.
 */

import type { Database } from '../../daemon/engines/engine.ts';
import type { Engine } from '../../shared/engine.ts';

export interface PreviewWorld {
  readonly engine: Engine;
  /** Makes the tables that the suite names, and those of the engine's own `preview.test.ts`. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The suite closes what it opened. */
  open(): Database;
  /** Of every row, or of the file. */
  state(): Promise<string>;
  expectNothingHeld(): Promise<void>;
  /** In front of a table's name where its changes are told. */
  readonly schema: 'public.' | 'own.' | '';
  /** As the column `price` shows it. */
  money(value: number): unknown;
  /** What may end a statement here and not everywhere. */
  readonly ends: readonly string[];
  /** Statements without a preview, beside those that none has anywhere. */
  readonly noDataChanges: readonly string[];
  /** Changes rows for longer than anybody waits. */
  readonly endless: string;
  isEndlessRunning(): Promise<boolean>;
  readonly longCell: { readonly sql: string; readonly told: object };
  /**
   * How many rows the server's own client says that it changes; left out where no client says so.
   */
  rowsReally?(sql: string): Promise<number>;
}
