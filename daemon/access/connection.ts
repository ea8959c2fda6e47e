/**
 * A saved connection and the policy on it (spec §6). Only types: no password is ever part of one.
 */

import type { ClientCertificate, ConnectionView, EndpointView, TunnelView } from '../../shared/control-commands.ts';
import type { TargetServersWord } from '../../shared/target-servers.ts';
import { aiPolicies, externalClientsLevels, tlsModes } from '../../shared/words.ts';

export { aiPolicies, externalClientsLevels, tlsModes };
export type TlsMode = (typeof tlsModes)[number];
export type ExternalClientsLevel = (typeof externalClientsLevels)[number];
export type AiPolicy = (typeof aiPolicies)[number];

/**
 * Where the password comes from; the password itself is in the secret store, or printed by the
 * command.
 */
export type PasswordSource = { kind: 'none' } | { kind: 'stored' } | { kind: 'command'; command: string };

export interface Tls {
  readonly mode: TlsMode;
  readonly caFile: string | null;
  readonly clientCertificate?: ClientCertificate | undefined;
  /**
   * Asked where the client key is encrypted; null where none is kept. There while the connection is
   * dialled, never saved.
   */
  readonly keyPassphrase?: () => Promise<string | null>;
}

/** A tunnel as what dials knows it: somewhere else to dial than the server's own host and port. */
export interface Line {
  /**
   * Brings the tunnel up where it isn't. Rejects with an Error whose message is a clause without a
   * full stop.
   */
  targetFor(host: string, port: number, signal: AbortSignal): Promise<LineTarget>;
  /**
   * Why what was dialled at a target has failed, as the tunnel says: a clause without a full stop,
   * null where it says nothing.
   */
  failure(): Promise<string | null>;
}

export interface LineTarget {
  readonly at: { readonly path: string } | { readonly host: string; readonly port: number };
  /** The tunnel may end once all that was dialled through it has ended. */
  readonly release: () => void;
}

/** What an engine adapter needs to dial, and nothing of policy. */
export interface Endpoint extends EndpointView {
  /** `own`: a tool argument can't leave the saved database. */
  readonly databases: 'own' | 'all';
  /** Of several hosts, or of one that moves; absent where any will do. */
  readonly targetServers?: TargetServersWord | undefined;
  readonly tls: Tls;
  readonly tunnel?: TunnelView | undefined;
  /** There while the connection is dialled through its tunnel, never saved. */
  readonly line?: Line | undefined;
  readonly password: PasswordSource;
  /** Of its sessions, as `isTimeZone` has it; null for the server's own. */
  readonly timeZone: string | null;
}

/** As shells see it but for how it is dialled and what its level comes to now. */
export interface Connection extends Endpoint, Omit<ConnectionView, keyof Endpoint | 'externalClients'> {
  readonly externalClients: Omit<ConnectionView['externalClients'], 'now'>;
}
