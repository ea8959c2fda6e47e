/** A saved connection and the policy on it (spec §6). Only types: no password is ever part of one. */

export const engines = ['postgres', 'mysql', 'sqlite'] as const;
export type Engine = (typeof engines)[number];

/** `prefer` tries TLS first and takes clear text only where the server says it has none, never after a failed handshake. */
export const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

export const externalClientsLevels = ['blocked', 'readOnly', 'readWrite'] as const;
export type ExternalClientsLevel = (typeof externalClientsLevels)[number];

export const aiPolicies = ['always', 'askEachTime', 'never'] as const;
export type AiPolicy = (typeof aiPolicies)[number];

/** Where the password comes from; the password itself is in the secret store, or printed by the command. */
export type PasswordSource = { kind: 'none' } | { kind: 'stored' } | { kind: 'command'; command: string };

/** What an engine adapter needs to dial, and nothing of policy. */
export interface Endpoint {
  readonly engine: Engine;
  readonly host: string | null;
  readonly port: number | null;
  /** Absolute path of a Unix socket; wins over host and port. */
  readonly socketPath: string | null;
  /** SQLite: absolute path of the database file. */
  readonly filePath: string | null;
  readonly database: string | null;
  /** `own`: a tool argument can't leave the saved database. */
  readonly databases: 'own' | 'all';
  readonly user: string | null;
  readonly tls: { readonly mode: TlsMode; readonly caFile: string | null };
  /** The seam for SSH tunnels to come. */
  readonly via: null;
  readonly password: PasswordSource;
}

export interface Connection extends Endpoint {
  /** UUID. */
  readonly id: string;
  /** Unique without regard to case. */
  readonly name: string;
  /** Grows with every change to the endpoint or its password; pools are keyed by id and revision. */
  readonly revision: number;
  readonly statementTimeoutSeconds: number | null;
  readonly rowLimit: number | null;
  readonly colour: string | null;
  readonly group: string | null;
  readonly tags: readonly string[];
  readonly externalClients: {
    readonly level: ExternalClientsLevel;
    /** ISO 8601 instant after which `readWrite` counts as `readOnly`; null for no end. Judged at each statement. */
    readonly writeUntil: string | null;
  };
  readonly aiPolicy: AiPolicy;
  /** ISO 8601 instants. */
  readonly createdAt: string;
  readonly updatedAt: string;
}
