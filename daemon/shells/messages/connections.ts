/** Connections as the daemon tells of them (spec §6). No password is in what it tells. */

import * as z from 'zod';
import { targetServersWords } from '../../../shared/target-servers.ts';
import { aiPolicies, tlsModes } from '../../../shared/words.ts';
import type { Message } from './message.ts';
import { engine, externalClientsLevel } from './words.ts';

export const tlsMode = z.enum(tlsModes);
export type TlsModeWord = Message<typeof tlsMode>;

export const aiPolicy = z.enum(aiPolicies);
export type AiPolicyWord = Message<typeof aiPolicy>;

/** `own`: an argument can't leave the saved database. */
export const databases = z.enum(['own', 'all']);

export const targetServers = z.enum(targetServersWords);

/** PEM files of this machine, by absolute paths; read whenever the server is dialled. */
export const clientCertificate = z.strictObject({ certificateFile: z.string(), keyFile: z.string() });
export type ClientCertificate = Message<typeof clientCertificate>;

export const connectionTls = z.strictObject({
  mode: tlsMode,
  caFile: z.string().nullable(),
  /** What is shown to the server; absent for nothing. */
  clientCertificate: clientCertificate.optional(),
});

/**
 * Where a database is. `host` may name several servers (server-hosts.ts); `socketPath` wins over
 * host and port; `filePath` is SQLite's; both are absolute.
 */
export const endpoint = z.strictObject({
  engine,
  host: z.string().nullable(),
  port: z.int().nullable(),
  socketPath: z.string().nullable(),
  filePath: z.string().nullable(),
  database: z.string().nullable(),
  user: z.string().nullable(),
});
export type EndpointView = Message<typeof endpoint>;

/** Where the password comes from; `command` is the user's own command line. */
export const passwordSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['none', 'stored']) }),
  z.strictObject({ kind: z.literal('command'), command: z.string() }),
]);

/** `now` is what `level` comes to at this moment: `readOnly` once `writeUntil` has passed. */
export const connectionExternalClients = z.strictObject({
  level: externalClientsLevel,
  /**
   * ISO 8601 instant after which `readWrite` counts as `readOnly`; null for no end. Judged at each
   * statement.
   */
  writeUntil: z.string().nullable(),
  now: externalClientsLevel,
});

/**
 * By the system's own `ssh` and its configuration. Each hop is `[user@]host[:port]`, the host a
 * name, an address or an alias of ~/.ssh/config.
 */
export const sshTunnel = z.strictObject({
  kind: z.literal('ssh'),
  destination: z.string(),
  /** On the way to it, in their order. */
  jumps: z.array(z.string()),
  /** Absolute; null for the keys that ssh finds by itself. */
  keyFile: z.string().nullable(),
});
export type SshTunnelView = Message<typeof sshTunnel>;

/** By a program of the user's, reached as its command says (shared/tunnel-command.ts). */
export const commandTunnel = z.strictObject({ kind: z.literal('command'), command: z.string() });
export type CommandTunnelView = Message<typeof commandTunnel>;

/** What stands between this machine and a server that it doesn't reach by itself. */
export const tunnel = z.discriminatedUnion('kind', [sshTunnel, commandTunnel]);
export type TunnelView = Message<typeof tunnel>;

export const connectionView = z.strictObject({
  ...endpoint.shape,
  /** Absent where this machine reaches the server by itself. */
  tunnel: tunnel.optional(),
  /** UUID. */
  id: z.string(),
  /** Unique without regard to case. */
  name: z.string(),
  databases,
  /** PostgreSQL's alone; absent where any server will do. */
  targetServers: targetServers.optional(),
  tls: connectionTls,
  password: passwordSource,
  /**
   * Grows with every change to the endpoint or its password; pools are keyed by id and revision.
   */
  revision: z.int(),
  statementTimeoutSeconds: z.int().nullable(),
  rowLimit: z.int().nullable(),
  /**
   * Of the sessions with its server: a name, or an offset; null for the one that the server gives
   * them.
   */
  timeZone: z.string().nullable(),
  /**
   * Rows of a table that a token may change in an hour unasked; null as the setting
   * `writes.maxRows` says.
   */
  writeRowLimit: z.int().nullable(),
  colour: z.string().nullable(),
  group: z.string().nullable(),
  tags: z.array(z.string()),
  externalClients: connectionExternalClients,
  aiPolicy,
  /** ISO 8601 instants. */
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ConnectionView = Message<typeof connectionView>;

/** Null where the URL says nothing. */
export const connectionUrlTls = connectionTls.extend({ mode: tlsMode.nullable() });
export type ConnectionUrlTls = Message<typeof connectionUrlTls>;

/** A connection as a person pasted it, taken apart. A password may be in it. */
export const connectionUrlView = z.strictObject({
  endpoint,
  /** Absent where the URL says none. */
  tunnel: tunnel.optional(),
  /** Absent where any server will do. */
  targetServers: targetServers.optional(),
  tls: connectionUrlTls,
  password: z.string().nullable(),
  /**
   * True where a placeholder stands in the password's place: there is one, and it must be asked
   * for.
   */
  passwordIsPlaceholder: z.literal(true).optional(),
  /** Absent where the server's own holds. */
  timeZone: z.string().optional(),
  /** The names of options that have no effect here. */
  ignored: z.array(z.string()),
});
export type ConnectionUrlView = Message<typeof connectionUrlView>;

export const connectionPage = z.strictObject({
  connections: z.array(connectionView),
  /** Where the page to come begins, null at the end. */
  next: z.int().nullable(),
});

/**
 * It can be restored until `keptUntil`, an ISO 8601 instant; null for one whose record can't be
 * read, which can't be.
 */
export const deletedConnection = z.strictObject({ id: z.string(), name: z.string(), keptUntil: z.string().nullable() });

export const removedConnectionView = z.strictObject({
  connection: connectionView,
  /** ISO 8601 instants; from `keptUntil` on it is gone for good, with its secrets. */
  removedAt: z.string(),
  keptUntil: z.string(),
});
export type RemovedConnectionView = Message<typeof removedConnectionView>;

export const removedConnectionPage = z.strictObject({
  removed: z.array(removedConnectionView),
  /** As of `connectionPage`. */
  next: z.int().nullable(),
});

export const reachableDatabase = z.strictObject({
  reachable: z.literal(true),
  name: z.string(),
  serverVersion: z.string(),
  currentUser: z.string().nullable(),
  currentDatabase: z.string().nullable(),
  currentSchema: z.string().nullable(),
  latencyMilliseconds: z.number(),
  warnings: z.array(z.string()),
});

export const hostKey = z.strictObject({
  /** As ssh writes it. */
  host: z.string(),
  /** `ED25519` */
  type: z.string(),
  /** `SHA256:…` */
  fingerprint: z.string(),
});
export type HostKeyView = Message<typeof hostKey>;

const unreachableDatabase = z.strictObject({
  reachable: z.literal(false),
  name: z.string(),
  /** A sentence. */
  problem: z.string(),
  /**
   * Of an SSH server of its tunnel: shown to a person, whose yes is the same request with its
   * fingerprint.
   */
  hostKey: hostKey.optional(),
});

export const connectionTestResult = z.discriminatedUnion('reachable', [reachableDatabase, unreachableDatabase]);
export type ConnectionTestResult = Message<typeof connectionTestResult>;

export const roleView = z.strictObject({
  /** The connection's. */
  id: z.string(),
  name: z.string(),
  engine,
  role: z.string(),
  access: z.enum(['readOnly', 'readWrite']),
  /**
   * In their order: what each is for, and its statements without the semicolon. No password stands
   * in one.
   */
  steps: z.array(z.strictObject({ why: z.string(), statements: z.array(z.string()) })),
  /** What the role lacks, or has all the same. */
  notes: z.array(z.string()),
  /** SHA-256, 64 hexadecimal digits. */
  digest: z.string(),
  /** Whether the role was made and the connection moved. */
  applied: z.boolean(),
});
export type RoleView = Message<typeof roleView>;
