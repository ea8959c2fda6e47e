/** A database, its account, and a folder for what a server needs to reach it. */
export interface Place {
  readonly engine: 'postgres' | 'mysql';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly folder: string;
}

/** What a client's file says to start a server. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
