/** What the control socket needs of the rest of the daemon: main hands it in. Only types. */

import type { IdentifyResult } from '../../shared/control.ts';
import type { DaemonStatus, HostKeyView } from '../../shared/control-commands.ts';
import type { Locations } from '../../shared/locations.ts';
import type { Connection } from '../access/connection.ts';
import type { ConnectionRegister } from '../access/connection-register.ts';
import type { PresentClient } from '../access/limits/present-clients.ts';
import type { Pairings } from '../access/pairing/pairing.ts';
import type { confirmationLimits } from '../access/privilege-increases/confirmations.ts';
import type { ProcessOrigin } from '../access/privilege-increases/origin.ts';
import type { OwnerApp } from '../access/privilege-increases/owner-app.ts';
import type { OwnerPassphrase } from '../access/privilege-increases/passphrase.ts';
import type { SamePlacePorts } from '../access/privilege-increases/same-place.ts';
import type { Approvals } from '../access/questions/approvals.ts';
import type { AccessRequest, AccessRequests, ShownTakes } from '../access/requests/access-requests.ts';
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
  /** Of each change of a connection or token, for its row. */
  readonly standings: Pick<Standings, 'ofConnection' | 'ofToken'>;
  readonly secrets: SecretStore;
  readonly owner: OwnerPassphrase;
  readonly ownerApp: OwnerApp;
  readonly databases: KeptDatabases;
  readonly tunnels: {
    /** What its command wrote to stderr before it failed; '' for nothing. */
    readonly wrote: (connectionId: string) => string;
    /**
     * A person looks at the connection: what its tunnel was refused is tried again, and a host key
     * with this fingerprint is taken.
     */
    readonly retry: (connection: Connection, hostKey: string | null) => void;
    /** The one that its tunnel was shown last and nobody has confirmed. */
    readonly unknownHostKey: (connectionId: string) => HostKeyView | null;
  };
  /** @throws PasswordUnavailable */
  readonly passwordOf: (connection: Connection) => Promise<string | null>;
  readonly secretOf: SecretOf;
  readonly classifier: Classifier;
  readonly approvals: Approvals;
  readonly accessRequests: AccessRequests<Taken>;
  readonly openAsOwner: OpenAsOwner;
  readonly runAsOwner: RunAsOwner;
  readonly pairings: Pairings;
  /**
   * Switched off, the server is started for this run.
   * @returns null, or a sentence: why it can't be.
   */
  readonly serveForThisRun: () => Promise<string | null>;
  /** The program that listens on a TCP port of this machine, where the system tells. */
  readonly portHolder: (port: number) => string | null;
  readonly activity: Pick<ActivityLog, 'record' | 'flush' | 'tally' | 'query' | 'verify' | 'follow' | 'problem'>;
  /** `clear` says how many statements were kept until then. */
  readonly history: Pick<StatementHistory, 'search'> & { readonly clear: () => Promise<number> };
  readonly status: () => DaemonStatus;
  /** Those seen last first. */
  readonly clients: () => readonly PresentClient[];
  readonly install: Install;
  readonly limits: ControlLimits;
  /** From now on every request of a client is refused, and what runs is ended. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  /** Why a start paused by itself; null where a person did. */
  readonly doubt: () => StoreDoubt | null;
  /**
   * Begins the clean stop. Called once the answer is on its way; not awaited.
   * @param client which shell asked, for the log.
   */
  readonly stop: (client: string) => void;
  /** The path of the demo database, whether it is there or not. */
  readonly demoFile: string;
  /** Writes the demo database anew. Sessions on the old one are ended before. */
  readonly makeDemo: () => Promise<void>;
  /** Looks at the file, if there is one. */
  readonly fileIdentity: SamePlacePorts['fileIdentity'];
  /**
   * A sentence where the path is one of Sallyport's own files (by real path or inode), else null.
   */
  readonly ownFileProblem: (path: string) => string | null;
  /**
   * A sentence, without the path, where it is no SQLite database, nor may become one; else null.
   * Not asked about our own files.
   */
  readonly sqliteFileProblem: (path: string, mayBeMade: boolean) => Promise<string | null>;
  /**
   * Makes a missing or empty file an SQLite database.
   * @returns a sentence where it could not be.
   */
  readonly makeSqliteFile: (path: string) => Promise<string | null>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /**
   * As {@link now}, for what is gone for good once it is old: a wall clock that has jumped is not
   * believed.
   */
  readonly oldBy: () => number;
  readonly newId: () => string;
}

interface BoxSockets {
  /** The path of its socket, and why it isn't there; a clause, or null. */
  socketOf(record: BoxRecord): { readonly path: string; readonly problem: string | null };
  /** Resolves once each living box listens at its socket, and no other. */
  settle(): Promise<void>;
}

export interface OwnersRun {
  readonly rowsAffected: number | null;
  readonly warnings: readonly string[];
  /** One sentence; null where it ran. */
  readonly failed: string | null;
  /** False where nothing of it stays. */
  readonly mayHaveRun: boolean;
  /** Null but where it was rolled back, since it would have taken more than was shown. */
  readonly found: Taken | null;
}

/**
 * Counts what its statement takes, for its person. Null where it has none, or its connection is
 * gone.
 */
export type OpenAsOwner = (
  request: AccessRequest<Taken>,
  requestId: string,
  signal: AbortSignal,
) => Promise<ShownTakes<Taken> | null>;

/** @param requestId in the log of both the answer and the statement. */
export type RunAsOwner = (request: AccessRequest<Taken>, requestId: string, signal: AbortSignal) => Promise<OwnersRun>;

/** What a client's configuration has to say of this install. */
interface Install {
  /** The real path of its `sallyport-mcp`; null where there is none. */
  readonly bridgePath: string | null;
  /** Where SALLYPORT_HOME names the home: a client's bridge has to be told the same. */
  readonly namedHome: string | null;
}

export interface ControlPorts extends CommandPorts {
  readonly locations: Pick<Locations, 'home' | 'controlSocket' | 'controlSocketFolder'>;
  /** For tests that can't wait; else {@link confirmationLimits}. */
  readonly confirmationLimits?: Partial<{ readonly [Name in keyof typeof confirmationLimits]: number }>;
  /** Never rejects; null where no living process of this user has that id. */
  readonly originOf: (pid: number) => Promise<ProcessOrigin | null>;
  /** Told of the SSH agent in a peer's environment. */
  readonly sshAgent: (path: string) => void;
  /** May rewrite an expired handshake first. The nonce is well-formed. */
  readonly identify: (nonce: string) => Promise<IdentifyResult>;
  /**
   * Told of what no one foresaw, for the log; the peer hears no more than that it happened, and the
   * id it is logged under.
   */
  readonly report: (error: unknown, requestId?: string) => void;
}
