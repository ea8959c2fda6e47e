/** The port for writing exported files (daemon/storage/exports). Knows no row. */

export interface ExportedFile {
  /** Absolute; the final path after `close`. */
  readonly path: string;
  write(text: string): void;
  /** As in a row sink. */
  full(): Promise<void> | null;
  /** A sentence once something couldn't be written. */
  problem(): string | null;
  /** Writes what is left. @returns a sentence if that failed. */
  close(): Promise<string | null>;
  /** Ends it without a trace. Never rejects. */
  remove(): Promise<void>;
}

export type OpenedExport =
  | { readonly kind: 'opened'; readonly file: ExportedFile }
  | { readonly kind: 'problem'; readonly sentence: string };

/**
 * @param name without a folder, of `[A-Za-z0-9._-]`, not beginning with a dot. An existing file
 *   stays: the new one gets a number.
 */
export type OpenExport = (name: string, extension: string) => Promise<OpenedExport>;
