/** Connections as the daemon describes them (spec §6), without any password. */

import * as z from 'zod';
import { dialProblems } from '../../../shared/dial-problems.ts';
import { signInMethods } from '../../../shared/sign-in-methods.ts';
import { targetServersWords } from '../../../shared/target-servers.ts';
import { aiPolicies, methodClasses, serverProofs, tlsModes } from '../../../shared/words.ts';
import { said } from './ask.ts';
import type { Message } from './message.ts';
import { engine, externalClientsLevel } from './words.ts';

export const tlsMode = z.enum(tlsModes);
export type TlsModeWord = Message<typeof tlsMode>;

export const aiPolicy = z.enum(aiPolicies);
export type AiPolicyWord = Message<typeof aiPolicy>;

/** Which databases clients may name: with `own` they can't leave the saved one. */
export const databases = z.enum(['own', 'all']);

export const targetServers = z.enum(targetServersWords);

export const signInMethod = z.enum(signInMethods);

/** A client's certificate and its key: absolute paths of PEM files here, read at each dial. */
export const clientCertificate = z.strictObject({ certificateFile: z.string(), keyFile: z.string() });
export type ClientCertificate = Message<typeof clientCertificate>;

export const connectionTls = z.strictObject({
  mode: tlsMode,
  caFile: z.string().nullable(),
  /** Shown to the server; absent for none. */
  clientCertificate: clientCertificate.optional(),
});

/**
 * Where a database is. `host` may name several servers (shared/server-hosts.ts); `socketPath` takes
 * precedence over host and port; `filePath` is for SQLite; both are absolute.
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

/** `now` is the level at this moment: `readOnly` once `writeUntil` has passed. */
export const connectionExternalClients = z.strictObject({
  level: externalClientsLevel,
  /**
   * ISO 8601; afterwards `readWrite` counts as `readOnly`. Null for no end. Judged at each
   * statement.
   */
  writeUntil: z.string().nullable(),
  now: externalClientsLevel,
});

/**
 * A tunnel by the system's own `ssh` and its configuration. A hop is `[user@]host[:port]`; the host
 * is a name, an address or an alias in ~/.ssh/config.
 */
export const sshTunnel = z.strictObject({
  kind: z.literal('ssh'),
  destination: z.string(),
  /** The hops on the way to `destination`, in order. */
  jumps: z.array(z.string()),
  /** Absolute; null for the keys that ssh finds itself. */
  keyFile: z.string().nullable(),
});
export type SshTunnelView = Message<typeof sshTunnel>;

/** A tunnel by a program of the user, started by this command line (shared/tunnel-command.ts). */
export const commandTunnel = z.strictObject({ kind: z.literal('command'), command: z.string() });
export type CommandTunnelView = Message<typeof commandTunnel>;

/** How to reach a server that this machine can't reach directly. */
export const tunnel = z.discriminatedUnion('kind', [sshTunnel, commandTunnel]);
export type TunnelView = Message<typeof tunnel>;

/** What one server of a connection has shown (spec §6), for the saved password. */
export const knownServer = z.strictObject({
  /** `host:port`, or the socket. */
  server: z.string(),
  /** What the server must show at each sign-in to prove that it is still the same one. */
  proof: z.enum(serverProofs),
  /** The strongest class of sign-in that the server has asked for. */
  method: z.enum(methodClasses),
  isEncrypted: z.boolean(),
  /** SHA-256 of public keys, in base64. */
  keys: z.array(z.string()),
  /** The user id of the Unix socket's owner; null for TCP. */
  socketOwner: z.int().nullable(),
  /** What `localhost` stands for; null for other hosts. */
  address: z.string().nullable(),
  /** When we signed in there first, ISO 8601; null if the record can't be read. */
  since: z.string().nullable(),
});
export type KnownServerView = Message<typeof knownServer>;

/** Which tables clients meet, as patterns (guard/sight.ts). */
export const tableSight = z.strictObject({
  hide: z.array(z.string()),
  /** Empty for all tables. */
  only: z.array(z.string()),
  /** What clients meet although `hide` or `only` keeps it from them. */
  show: z.array(z.string()),
});

export const connectionView = z.strictObject({
  ...endpoint.shape,
  /** Absent if this machine reaches the server directly. */
  tunnel: tunnel.optional(),
  /** UUID. */
  id: z.string(),
  /** Unique, ignoring case. */
  name: z.string(),
  databases,
  /** Only for PostgreSQL; absent if any server will do. */
  targetServers: targetServers.optional(),
  /** Only for PostgreSQL: how its server may have us sign in; absent for any. */
  signInMethods: z.array(signInMethod).optional(),
  tls: connectionTls,
  password: passwordSource,
  /** `any` if the server may be another one each time; absent if it must stay the one it was. */
  identity: z.literal('any').optional(),
  /** `one` if clients may read though the server can't refuse writes; absent if they may not. */
  walls: z.literal('one').optional(),
  /** Tables out of sight of its clients, as patterns; absent if there are none. */
  sight: tableSight.optional(),
  /** Columns that its clients may not read, as patterns; absent if there are none. */
  masks: z.array(z.string()).optional(),
  /** Since the daemon opened it, its server was found to take writes in a read-only transaction. */
  isReadWallMissing: z.literal(true).optional(),
  /** Absent until a server has let us in with a saved password, and if `identity` is `any`. */
  knownServers: z.array(knownServer).optional(),
  /**
   * Grows with every change to the endpoint or its password; pools are keyed by id and revision.
   */
  revision: z.int(),
  statementTimeoutSeconds: z.int().nullable(),
  rowLimit: z.int().nullable(),
  /** Time zone of its server sessions: a name, or an offset; null for the server's own. */
  timeZone: z.string().nullable(),
  /**
   * Rows of a table that a token may change in an hour without a question; null for the setting
   * `writes.maxRows`.
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

/** What a URL says about TLS; `mode` is null if it says nothing. */
export const connectionUrlTls = connectionTls.extend({ mode: tlsMode.nullable() });
export type ConnectionUrlTls = Message<typeof connectionUrlTls>;

/** A pasted connection, taken apart. It may hold a password. */
export const connectionUrlView = z.strictObject({
  endpoint,
  /** Absent if the URL names none. */
  tunnel: tunnel.optional(),
  /** Absent if any server will do. */
  targetServers: targetServers.optional(),
  /** As in a connection. */
  signInMethods: z.array(signInMethod).optional(),
  tls: connectionUrlTls,
  password: z.string().nullable(),
  /** True if the password is a placeholder: there is one, and it must be asked for. */
  passwordIsPlaceholder: z.literal(true).optional(),
  /** True if the engine was guessed from which keys are used. */
  isEngineGuessed: z.literal(true).optional(),
  /** Absent for the server's own. */
  timeZone: z.string().optional(),
  /** The names of options without effect here. */
  ignored: z.array(z.string()),
});
export type ConnectionUrlView = Message<typeof connectionUrlView>;

/** One choice of a field. An empty value stands for having chosen none. */
export const formChoice = z.strictObject({ value: z.string(), label: z.string() });
export type FormChoice = Message<typeof formChoice>;

export const formField = z.strictObject({
  /** The key of its value. It is the name of a parameter of `connections.save`, if there is one. */
  key: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'code', 'secret', 'path', 'choice']),
  /** The placeholder of an empty field. */
  prompt: z.string(),
  choices: z.array(formChoice),
  /** A sentence below the field. */
  note: z.string().optional(),
  /** By key: the field is shown only while each of these fields has one of these values. */
  shownIf: z.record(z.string(), z.array(z.string())).optional(),
  /** What an empty field shows at the saved place; its empty choice is for another place only. */
  saved: z.string().optional(),
});
export type FormField = Message<typeof formField>;

export const formSection = z.strictObject({
  pane: z.enum(['general', 'advanced']),
  title: z.string().nullable(),
  fields: z.array(formField),
});
export type FormSection = Message<typeof formSection>;

/** What a shell draws to make or change a connection, in order. It knows no field by name. */
export const connectionForm = z.strictObject({
  sections: z.array(formSection),
  /** The keys that make up the place: with another value in one that is shown, it is another. */
  place: z.array(z.string()),
  /** By the fields' keys. A pasted connection has only what it says, perhaps a password. */
  values: z.record(z.string(), z.string()),
  /** What was pasted and is shown by no field. */
  notes: z.array(said),
  /** SHA-256, 64 hexadecimal digits, of all that the form shows, without what was pasted. */
  digest: z.string(),
});

export const connectionPage = z.strictObject({
  connections: z.array(connectionView),
  /** Where the next page begins; null at the end. */
  next: z.int().nullable(),
});

/**
 * A deleted connection, which can be restored until `keptUntil` (ISO 8601). That is null if its
 * record can't be read: then it can't be restored.
 */
export const deletedConnection = z.strictObject({ id: z.string(), name: z.string(), keptUntil: z.string().nullable() });

export const removedConnectionView = z.strictObject({
  connection: connectionView,
  /** ISO 8601; from `keptUntil` on it is gone for good, with its secrets. */
  removedAt: z.string(),
  keptUntil: z.string(),
});
export type RemovedConnectionView = Message<typeof removedConnectionView>;

export const removedConnectionPage = z.strictObject({
  removed: z.array(removedConnectionView),
  /** As in `connectionPage`. */
  next: z.int().nullable(),
});

/** 20 names at most. */
const countedNames = z.strictObject({ count: z.int(), names: z.array(z.string()) });

export const reachableDatabase = z.strictObject({
  reachable: z.literal(true),
  name: z.string(),
  serverVersion: z.string(),
  currentUser: z.string().nullable(),
  currentDatabase: z.string().nullable(),
  currentSchema: z.string().nullable(),
  latencyMilliseconds: z.number(),
  warnings: z.array(z.string()),
  /** As in a connection. */
  isReadWallMissing: z.literal(true).optional(),
  /** True if its role may do more than the connection's level needs. */
  roleDoesMore: z.boolean(),
  /** As in a connection. */
  knownServers: z.array(knownServer).optional(),
  /** Which of `knownServers` this test met for the first time; absent for none. */
  newServers: z.array(z.string()).optional(),
  /** Tables, views and functions that clients don't meet; absent for none. */
  hidden: countedNames.optional(),
  /** Columns that they may not read; absent for none, and of more than 1,000 tables. */
  masked: countedNames.optional(),
  /** Patterns of the connection that name nothing there; absent for none. */
  unmatched: z.array(z.string()).optional(),
});

export type ReachableDatabase = Message<typeof reachableDatabase>;

export const hostKey = z.strictObject({
  /** As ssh writes it. */
  host: z.string(),
  /** `ED25519` */
  type: z.string(),
  /** `SHA256:…` */
  fingerprint: z.string(),
});
export type HostKeyView = Message<typeof hostKey>;

export const dialProblem = z.enum(dialProblems);

const unreachableDatabase = z.strictObject({
  reachable: z.literal(false),
  name: z.string(),
  /** Why it can't be reached, if a person can do something about it. */
  code: dialProblem.optional(),
  /** Sentences: why, and what to do. */
  problem: z.string(),
  /**
   * A host key of its tunnel's SSH server, shown to a person. To accept it, send the same request
   * with its fingerprint.
   */
  hostKey: hostKey.optional(),
});

export const connectionTestResult = z.discriminatedUnion('reachable', [reachableDatabase, unreachableDatabase]);
export type ConnectionTestResult = Message<typeof connectionTestResult>;

/** A role made for a connection, or the steps that would make it. */
export const roleView = z.strictObject({
  /** The connection's UUID and name. */
  id: z.string(),
  name: z.string(),
  engine,
  role: z.string(),
  access: z.enum(['readOnly', 'readWrite']),
  /**
   * In order: what each step is for, and its statements without the semicolon. They hold no
   * password.
   */
  steps: z.array(z.strictObject({ why: z.string(), statements: z.array(z.string()) })),
  /** What the role lacks, or can do beyond its purpose. */
  notes: z.array(z.string()),
  /** False if the present role may make no roles. */
  mayMake: z.boolean(),
  /** SHA-256, 64 hexadecimal digits, of what is shown here. */
  digest: z.string(),
  /** True if the role was made and the connection signs in as it now. */
  applied: z.boolean(),
});
export type RoleView = Message<typeof roleView>;
