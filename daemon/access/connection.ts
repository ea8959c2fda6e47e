/** A saved connection and its policy (spec §6). Only types; a password is never part of it. */

import type { ClientCertificate, ConnectionView, EndpointView, TunnelView } from '../../shared/control-commands.ts';
import type { SignInMethod } from '../../shared/sign-in-methods.ts';
import type { TargetServersWord } from '../../shared/target-servers.ts';
import { aiPolicies, externalClientsLevels, tlsModes } from '../../shared/words.ts';
import type { MaskPattern } from '../guard/masks.ts';
import type { Sight } from '../guard/sight.ts';

export { aiPolicies, externalClientsLevels, tlsModes };
export type TlsMode = (typeof tlsModes)[number];
export type ExternalClientsLevel = (typeof externalClientsLevels)[number];
export type AiPolicy = (typeof aiPolicies)[number];

/**
 * Where the password comes from. The password itself is in the secret store, or printed by the
 * command.
 */
export type PasswordSource = { kind: 'none' } | { kind: 'stored' } | { kind: 'command'; command: string };

export interface Tls {
  readonly mode: TlsMode;
  readonly caFile: string | null;
  /**
   * SHA-256 in base64 of the CA file when it was saved; null if it couldn't be read then. Absent
   * without a CA file, and in a draft that brings another one.
   */
  readonly caFileDigest?: string | null | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
  /**
   * Called if the client key is encrypted; null if no passphrase is kept. Set while the connection
   * is dialled, never saved.
   */
  readonly keyPassphrase?: () => Promise<string | null>;
}

/** What ~/.ssh/config says of the hops of an SSH tunnel (tunnels/ssh/persons-configuration.ts). */
export interface SshConfiguration {
  /** For people; none if it changes nothing. */
  readonly lines: readonly string[];
  /** SHA-256 of the lines in base64; null if it couldn't be read, so that no dial fits. */
  readonly digest: string | null;
}

/** A tunnel as the dialling code sees it: another place to dial than the server's host and port. */
export interface Line {
  /**
   * Brings the tunnel up if necessary. Rejects with an Error whose message is a clause without a
   * full stop.
   */
  targetFor(host: string, port: number, signal: AbortSignal): Promise<LineTarget>;
  /**
   * Why something dialled through the tunnel failed, in the tunnel's words: its message is a clause
   * without a full stop.
   */
  failure(): Promise<Error | null>;
}

export interface LineTarget {
  readonly at: { readonly path: string } | { readonly host: string; readonly port: number };
  /** Call it when all sockets through the tunnel have ended; the tunnel may then end too. */
  readonly release: () => void;
}

/** What an engine adapter needs to dial; no policy. */
export interface Endpoint extends EndpointView {
  /** `own`: a tool's argument can't leave the saved database. */
  readonly databases: 'own' | 'all';
  /** With several hosts, or one that moves: the kind of server; absent if any will do. */
  readonly targetServers?: TargetServersWord | undefined;
  /** PostgreSQL: how its server may have us sign in; absent if any method will do. */
  readonly signInMethods?: readonly SignInMethod[] | undefined;
  readonly tls: Tls;
  readonly tunnel?: TunnelView | undefined;
  /** For SSH, what ~/.ssh/config said of its hops when the connection was saved. */
  readonly sshConfigurationDigest?: string | null | undefined;
  /** The same in words. Set while a change is confirmed, never saved. */
  readonly sshLines?: readonly string[] | undefined;
  /** Set while the connection is dialled through its tunnel, never saved. */
  readonly line?: Line | undefined;
  readonly password: PasswordSource;
  /** `any`: what its servers have shown before doesn't count, as for containers to throw away. */
  readonly identity?: 'any' | undefined;
  /** `one`: its clients may read where the server itself doesn't refuse a write. */
  readonly walls?: 'one' | undefined;
  /** Which tables may be met; absent for all. Not for a role that is made. */
  readonly sight?: Sight | undefined;
  /** Which columns its clients may not read, as patterns; absent if there are none. */
  readonly masks?: readonly MaskPattern[] | undefined;
  /**
   * The id of the saved connection whose password a draft uses, so its servers count. Set while the
   * draft is tried, never saved.
   */
  readonly serversOf?: string | undefined;
  /** Time zone of its sessions, as `isTimeZone` accepts; null for the server's own. */
  readonly timeZone: string | null;
}

/** The same as shells see, except for how it is dialled and its level at this moment. */
export interface Connection
  extends Endpoint,
    Omit<ConnectionView, keyof Endpoint | 'externalClients' | 'knownServers' | 'isReadWallMissing'> {
  readonly externalClients: Omit<ConnectionView['externalClients'], 'now'>;
}
