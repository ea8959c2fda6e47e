/** What a server needs to reach a database, and how a client starts it. */

/** A database, its account, and a folder for a server's own files: its HOME. */
export interface Place {
  readonly engine: 'postgres' | 'mysql';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly folder: string;
}

/** How far a server is told to let clients go. */
export type Access = 'reads' | 'writes';

/** What a client's file says to start a server. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
