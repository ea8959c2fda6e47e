/**
 * What each engine provides for the preview suite that loops over all three (previews.test.ts). A
 * missing part is a type error.
 */

import type { Database } from '../../daemon/engines/engine.ts';
import type { Engine } from '../../shared/engine.ts';

export interface PreviewWorld {
  readonly engine: Engine;
  /** Makes the tables that the suite names, and those of the engine's own test. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The suite closes what it opened. */
  open(): Database;
  /** The content of all rows, or of the file. */
  state(): Promise<string>;
  expectNothingHeld(): Promise<void>;
  /** The prefix of a table's name in the reported changes. */
  readonly schema: 'public.' | 'own.' | '';
  /** A value as the column `price` shows it. */
  money(value: number): unknown;
  /** What may end a statement on this engine only. */
  readonly ends: readonly string[];
  /** Statements without a preview on this engine, besides those without one on any. */
  readonly noDataChanges: readonly string[];
  /** Changes rows for longer than any limit. */
  readonly endless: string;
  isEndlessRunning(): Promise<boolean>;
  readonly longCell: { readonly sql: string; readonly told: object };
  /** How many rows it changes according to the server's own client; left out if no client tells. */
  rowsReally?(sql: string): Promise<number>;
}
