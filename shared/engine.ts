/**
 * The database engines that Sallyport knows, by their words in the store, in messages and on the
 * command line.
 */

export const engines = ['postgres', 'mysql', 'sqlite'] as const;
export type Engine = (typeof engines)[number];

/** Facts about an engine's connections, and their defaults. */
interface EngineConnections {
  /** Its name for people. */
  readonly name: string;
  /** A file on this machine: no server, user, password, TLS, time zone or role. */
  readonly isFile: boolean;
  readonly port: number | null;
  /** `own`: a tool's argument can't leave the saved database. */
  readonly databases: 'own' | 'all';
  /** True if libpq's options say which of several servers will do, and by which sign-in. */
  readonly isLibpqs?: true;
  /**
   * True if a socket is given by its folder and the port. Otherwise it is given by its file, and
   * localhost means the socket.
   */
  readonly hasSocketFolder?: true;
}

export const connectionsOf: Readonly<Record<Engine, EngineConnections>> = {
  postgres: {
    name: 'PostgreSQL',
    isFile: false,
    port: 5432,
    databases: 'own',
    isLibpqs: true,
    hasSocketFolder: true,
  },
  mysql: { name: 'MySQL', isFile: false, port: 3306, databases: 'all' },
  sqlite: { name: 'SQLite', isFile: true, port: null, databases: 'all' },
};
