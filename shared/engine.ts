/**
 * The database engines that Sallyport knows, by the words that stand in the store, in messages and
 * in the command line.
 */

export const engines = ['postgres', 'mysql', 'sqlite'] as const;
export type Engine = (typeof engines)[number];

/** What a connection of an engine has, and what holds where nobody says. */
interface EngineConnections {
  /** As people write it. */
  readonly name: string;
  /** A file of this machine: no server, user, password, TLS, time zone or role. */
  readonly isFile: boolean;
  readonly port: number | null;
  /** `own`: a tool argument can't leave the saved database. */
  readonly databases: 'own' | 'all';
  /** Whether one of several servers is asked for by its kind. */
  readonly hasTargetServers?: true;
  /**
   * Whether a socket is named by its folder and the port; else by its file, and localhost is the
   * socket to its own clients.
   */
  readonly hasSocketFolder?: true;
}

export const connectionsOf: Readonly<Record<Engine, EngineConnections>> = {
  postgres: {
    name: 'PostgreSQL',
    isFile: false,
    port: 5432,
    databases: 'own',
    hasTargetServers: true,
    hasSocketFolder: true,
  },
  mysql: { name: 'MySQL', isFile: false, port: 3306, databases: 'all' },
  sqlite: { name: 'SQLite', isFile: true, port: null, databases: 'all' },
};
