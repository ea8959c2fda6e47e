/**
 * What the control socket and its commands need from the rest of the daemon. The file has types
 * alone; `serve-shells.ts` provides them.
 */

import type { IdentifyResult } from '../../shared/control.ts';
import type { AppliedPolicyView, DaemonStatus, HostKeyView, SshTunnelView } from '../../shared/control-commands.ts';
import type { Locations } from '../../shared/locations.ts';
import type { Connection, SshConfiguration } from '../access/connection.ts';
import type { ConnectionRegister } from '../access/connection-register.ts';
import type { Desk } from '../access/desk/desk.ts';
import type { KnownServers } from '../access/known-servers.ts';
import type { PresentClient } from '../access/limits/present-clients.ts';
import type { Pairings } from '../access/pairing/pairing.ts';
import type { Grants } from '../access/privilege-increases/grants.ts';
import type { ProcessOrigin } from '../access/privilege-increases/origin-words.ts';
import type { OwnerApp } from '../access/privilege-increases/owner-app.ts';
import type { OwnerPassphrase } from '../access/privilege-increases/passphrase.ts';
import type { SamePlacePorts } from '../access/privilege-increases/same-place.ts';
import type { Approvals } from '../access/questions/approvals.ts';
import type { AccessRequests, RequestFacts, ShownTakes } from '../access/requests/access-requests.ts';
import type { SecretOf, SecretStore } from '../access/secret-store.ts';
import type { SettingRegister } from '../access/settings/setting-register.ts';
import type { Standings } from '../access/standing/standings.ts';
import type { StoreDoubt } from '../access/store-doubt.ts';
import type { BoxRecord } from '../access/tokens/token.ts';
import type { TokenRegister } from '../access/tokens/token-register.ts';
import type { ActivityLog } from '../activity.ts';
import type { Classifier } from '../engines/classifier.ts';
import type { Taken } from '../engines/count/taken.ts';
import type { StatementHistory } from '../statement/history.ts';
import type { KeptDatabases } from '../statement/open-databases.ts';
import type { ControlLimits } from './socket/control-limits.ts';

export interface CommandPorts {
  readonly connections: ConnectionRegister;
  readonly tokens: TokenRegister;
  readonly boxes: BoxSockets;
  /** ISO 8601; null for a token that was never used. */
  readonly lastUsedAt: (tokenId: string) => string | null;
  readonly settings: SettingRegister;
  /** What a connection or token allows, for the log's row of each change to it. */
  readonly standings: Pick<Standings, 'ofConnection' | 'ofToken'>;
  readonly secrets: SecretStore;
  readonly owner: OwnerPassphrase;
  readonly ownerApp: OwnerApp;
  readonly grants: Grants;
  /** The policy file that was applied last. */
  readonly policyFile: {
    readonly applied: () => AppliedPolicyView | null;
    readonly remember: (applied: AppliedPolicyView) => Promise<void>;
    /** Never rejects, and waits a second at most. */
    readonly hasChanged: () => Promise<boolean>;
  };
  readonly databases: KeptDatabases;
  readonly knownServers: Pick<KnownServers, 'of' | 'forget' | 'take' | 'whilePinning'>;
  readonly tunnels: {
    /** What the tunnel's command wrote to stderr before it failed; '' for nothing. */
    readonly wrote: (connectionId: string) => string;
    /**
     * Called when a person looks at the connection. What its tunnel was refused is tried again.
     * @param hostKey the fingerprint of a host key that the person accepts; null for none.
     */
    readonly retry: (connection: Connection, hostKey: string | null) => void;
    /** What ~/.ssh/config says now of the tunnel's hops. Never rejects. */
    readonly sshConfiguration: (tunnel: SshTunnelView) => Promise<SshConfiguration>;
    /** The unconfirmed host key that its tunnel met last. */
    readonly unknownHostKey: (connectionId: string) => HostKeyView | null;
  };
  /** @throws PasswordUnavailable */
  readonly passwordOf: (connection: Connection) => Promise<string | null>;
  readonly secretOf: SecretOf;
  readonly classifier: Classifier;
  readonly desk: Desk;
  readonly approvals: Approvals;
  readonly accessRequests: AccessRequests<Taken>;
  readonly openAsOwner: OpenAsOwner;
  readonly runAsOwner: RunAsOwner;
  readonly pairings: Pairings;
  /**
   * Starts a switched-off server for this run.
   * @returns null, or a sentence on why that fails.
   */
  readonly serveForThisRun: () => Promise<string | null>;
  /** The program that listens on a TCP port of this machine, if the system tells. */
  readonly portHolder: (port: number) => string | null;
  readonly activity: Pick<ActivityLog, 'record' | 'flush' | 'tally' | 'query' | 'verify' | 'follow' | 'problem'>;
  /** `clear` says how many statements were kept until then. */
  readonly history: Pick<StatementHistory, 'search'> & { readonly clear: () => Promise<number> };
  readonly status: () => DaemonStatus;
  /** The client that was seen last comes first. */
  readonly clients: () => readonly PresentClient[];
  readonly install: Install;
  readonly limits: ControlLimits;
  /**
   * Refuses every client's request from now on, and ends running ones.
   * @param why absent if a person pauses.
   */
  readonly pause: (why?: StoreDoubt) => Promise<void>;
  readonly resume: () => Promise<void>;
  /**
   * Gets unexpected errors, for the log; the peer learns only that one happened, and its id in the
   * log.
   */
  readonly report: (error: unknown, requestId?: string) => void;
  /** How often it was paused in this run, by a person or by itself. */
  readonly pauseCount: () => number;
  /** Why it paused by itself; empty if a person paused it. */
  readonly doubts: () => readonly StoreDoubt[];
  /**
   * Begins the clean stop. Called once the answer is on its way; not awaited.
   * @param client the asking shell, for the log.
   */
  readonly stop: (client: string) => void;
  /** The path of the demo database, whether or not it exists. */
  readonly demoFile: string;
  /** Writes the demo database anew. Sessions on the old one have ended before. */
  readonly makeDemo: () => Promise<void>;
  /** What a CA file holds, for `caFileDigest`; null if it can't be read. */
  readonly authorityDigest: (caFile: string) => Promise<string | null>;
  /** The file's identity when it was looked at last. */
  readonly fileIdentity: SamePlacePorts['fileIdentity'];
  /** Looks at the files anew. @returns those whose file system didn't answer within a second. */
  readonly lookAtFiles: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * A sentence if the path was one of Sallyport's own files (by real path or inode) when it was
   * looked at last, else null.
   */
  readonly ownFileProblem: (path: string) => string | null;
  /**
   * A sentence, without the path, if the file is no SQLite database and can't become one; else
   * null. Not called for our own files.
   * @param mayBeMade true if a missing file is no problem.
   */
  readonly sqliteFileProblem: (path: string, mayBeMade: boolean) => Promise<string | null>;
  /**
   * Turns a missing or empty file into an SQLite database.
   * @returns a sentence if that failed, else null.
   */
  readonly makeSqliteFile: (path: string) => Promise<string | null>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Like {@link now}, for deletions: a wall clock that has jumped is not believed. */
  readonly retentionNow: () => number;
  readonly newId: () => string;
}

interface BoxSockets {
  /**
   * The paths of the files in the box's folder, each null if the box has no such file. `problem` is
   * a clause on why programs are refused there; null if they aren't.
   */
  credentialOf(record: BoxRecord): Readonly<Record<'socket' | 'token' | 'wire' | 'problem', string | null>> & {
    readonly folder: string;
  };
  /** Called once, for a new box. @returns null, or a clause on why its file isn't there. */
  writeToken(record: BoxRecord, plaintext: string): Promise<string | null>;
  /** Resolves once each living box listens at its socket, and no other. */
  settle(): Promise<void>;
}

/** What became of an access request's statement that the owner ran. */
export interface OwnersRun {
  /** Null for a statement without such a number. */
  readonly rowsAffected: number | null;
  readonly warnings: readonly string[];
  /** One sentence; null if it ran. */
  readonly failed: string | null;
  /** False if certainly nothing of it stays. */
  readonly mayHaveRun: boolean;
  /** Set only if it was rolled back because it would have taken more than was shown. */
  readonly found: Taken | null;
  /** For a plan: how many rows each statement changed, up to the one that failed. */
  readonly steps?: readonly (number | null)[];
}

/**
 * Counts what a request's statement takes, to show it to the person who opens the request. Resolves
 * with null if the request has no statement or its connection is gone.
 */
export type OpenAsOwner = (
  request: RequestFacts<Taken>,
  requestId: string,
  signal: AbortSignal,
) => Promise<ShownTakes<Taken> | null>;

/**
 * Runs a request's statement for the owner.
 * @param requestId the log has it for both the answer and the statement.
 */
export type RunAsOwner = (request: RequestFacts<Taken>, requestId: string, signal: AbortSignal) => Promise<OwnersRun>;

/** What a client's configuration must say about this install. */
interface Install {
  /** The real path of its `sallyport-mcp`; null if there is none. */
  readonly bridgePath: string | null;
  /** Set if SALLYPORT_HOME names the home: a client's bridge must be told the same. */
  readonly namedHome: string | null;
}

export type SocketPlace = Pick<Locations, 'home' | 'controlSocket' | 'controlSocketFolder'>;

export interface ControlPorts extends CommandPorts {
  /**
   * Where the control socket belongs now. If its folder is lost it is made again, unless that
   * folder is the home.
   * @throws Error if it can't be made.
   */
  readonly socketPlace: () => SocketPlace;
  /** Never rejects; null if no living process of this user has that id. */
  readonly originOf: (pid: number) => Promise<ProcessOrigin | null>;
  /** Called with the path of the SSH agent's socket in a peer's environment. */
  readonly sshAgent: (path: string) => void;
  /** Proves the daemon to a peer by a well-formed nonce; may rewrite an expired handshake first. */
  readonly identify: (nonce: string) => Promise<IdentifyResult>;
}
