/**
 * What a saved connection is held to at later dials: what its CA file held, and what ~/.ssh/config
 * said, when it was saved or trusted. What was shown to the person is what is saved.
 */

import type { Connection, SshConfiguration } from '../../access/connection.ts';
import type { CommandContext } from '../command.ts';

export interface Held {
  /** Absent without a CA file; null if it can't be read. */
  readonly caFileDigest?: string | null;
  /** Absent without an SSH tunnel. */
  readonly ssh?: SshConfiguration;
}

type Read = Pick<CommandContext, 'authorityDigest' | 'sshConfiguration'>;

/** Null if there is nothing to look at. */
export function readNow(
  { caFile, tunnel }: { readonly caFile: string | null; readonly tunnel: Connection['tunnel'] | null },
  { authorityDigest, sshConfiguration }: Read,
): Promise<Held> | null {
  const ssh = tunnel?.kind === 'ssh' ? tunnel : null;
  if (caFile === null && ssh === null) return null;
  return (async () => ({
    ...(caFile !== null && { caFileDigest: await authorityDigest(caFile) }),
    ...(ssh !== null && { ssh: await sshConfiguration(ssh) }),
  }))();
}

/**
 * The connection as a question shows it: held to what was read, with the lines of ssh's
 * configuration if it isn't held to them yet.
 */
export function shownWith(connection: Connection, held: Held | undefined): Connection {
  const ssh = connection.sshConfigurationDigest === undefined ? held?.ssh : undefined;
  return { ...heldTo(connection, held), ...(ssh !== undefined && { sshLines: ssh.lines }) };
}

/** The connection held to what was read, where it isn't held to anything yet. */
export function heldTo(connection: Connection, held: Held | undefined): Connection {
  const { tls, sshConfigurationDigest } = connection;
  const { caFileDigest, ssh } = held ?? {};
  return {
    ...connection,
    ...(caFileDigest !== undefined && tls.caFileDigest === undefined && { tls: { ...tls, caFileDigest } }),
    ...(ssh !== undefined && sshConfigurationDigest === undefined && { sshConfigurationDigest: ssh.digest }),
  };
}

/** The connection as if nobody had saved it yet. */
export function heldToNothing(connection: Connection): Connection {
  const { caFileDigest: _, ...tls } = connection.tls;
  const { sshConfigurationDigest: __, ...rest } = connection;
  return { ...rest, tls };
}
