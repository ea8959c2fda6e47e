/** The port behind which exported files are written (daemon/storage/exports). Knows no row. */

export interface ExportedFile {
  /** Absolute; until `close` the one it is to have. */
  readonly path: string;
  write(text: string): void;
  /** As a row sink's. */
  full(): Promise<void> | null;
  /** A sentence once something couldn't be written. */
  problem(): string | null;
  /** Writes what is left. @returns a sentence where that failed. */
  close(): Promise<string | null>;
  /** Ends it without a trace. Never rejects. */
  remove(): Promise<void>;
}

export type OpenedExport =
  | { readonly kind: 'opened'; readonly file: ExportedFile }
  | { readonly kind: 'problem'; readonly sentence: string };

/**
 * @param name without a folder, of `[A-Za-z0-9._-]`, not beginning with a dot. Another file of that
 * name stays: a number is put behind.
 */
export type OpenExport = (name: string, extension: string) => Promise<OpenedExport>;
