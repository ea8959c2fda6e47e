/** The tunnels of connections, by connection id. */

import { rmSync } from 'node:fs';
import type { HostKeyView, SshTunnelView } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { hostsIn } from '../../shared/server-hosts.ts';
import { tunnelText } from '../../shared/ssh-hop.ts';
import type { Connection, Line, SshConfiguration } from '../access/connection.ts';
import { startCommand } from './command/start.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { personsConfiguration } from './ssh/persons-configuration.ts';
import { type SshPorts, startSsh } from './ssh/start.ts';
import { keepTunnel, type Server, type StartTunnel, type Tunnel, TunnelFailed } from './tunnel.ts';

/** The folder's name beside the control socket. */
export const tunnelsFolder = 'tunnels';

export interface Tunnels {
  /**
   * Starts nothing. Undefined for a connection without a tunnel.
   * @param secretOf else of those that are stored.
   */
  lineOf(connection: Connection, secretOf?: TunnelPorts['secretOf']): Line | undefined;
  /**
   * A person looks at the connection: what was refused may be tried again, and this host key, if it
   * is one that the tunnel asked about, is accepted.
   */
  retry(connection: Connection, hostKey: string | null): void;
  /** There is another SSH agent: what was refused may be tried again. */
  retryAll(): void;
  /** The unconfirmed host key at which its tunnel failed last. */
  unknownHostKey(connectionId: string): HostKeyView | null;
  /** What ~/.ssh/config says now of the hops of a tunnel. Dials nothing, and never rejects. */
  sshConfiguration(tunnel: SshTunnelView): Promise<SshConfiguration>;
  /** True if ~/.ssh/config said something else than was saved when its tunnel was tried last. */
  hasOtherConfiguration(connectionId: string): boolean;
  /** What its command wrote to stderr before it failed, for the person alone; '' for nothing. */
  wrote(connectionId: string): string;
  /** Ends the tunnel of a connection that changed or is gone. */
  forget(connectionId: string): Promise<void>;
  close(): Promise<void>;
}

export interface TunnelPorts extends Omit<SshPorts, 'secret' | 'hostKeys' | 'configurationDigest'> {
  readonly secretOf: (kind: 'sshPassphrase' | 'sshPassword', connection: Connection) => Promise<string | null>;
}

interface Kept {
  readonly text: string;
  readonly tunnel: Tunnel;
  readonly confirmed: Set<string>;
  unknown: HostKeyView | null;
  hasOtherConfiguration: boolean;
  wrote: string;
}

export function openTunnels(ports: TunnelPorts): Tunnels {
  const kept = new Map<string, Kept>();
  // Left by a killed run; the caller holds the home's lock.
  rmSync(ports.folder(), { recursive: true, force: true });

  function starterOf(
    connection: Connection,
    view: NonNullable<Connection['tunnel']>,
    secretOf: TunnelPorts['secretOf'],
    own: () => Kept,
  ): StartTunnel {
    switch (view.kind) {
      case 'command':
        return startCommand(view, ports.folder, text => {
          own().wrote = text;
        });
      case 'ssh':
        return telling(
          own,
          startSsh(view, {
            ...ports,
            configurationDigest: connection.sshConfigurationDigest,
            secret: kind => secretOf(kind, connection),
            hostKeys: {
              isConfirmed: ({ fingerprint }) => own().confirmed.has(fingerprint),
              unknown: key => {
                own().unknown = key;
              },
            },
          }),
        );
    }
  }

  async function forget(connectionId: string): Promise<void> {
    const known = kept.get(connectionId);
    kept.delete(connectionId);
    await known?.tunnel.close();
  }

  function lineOf(connection: Connection, secretOf = ports.secretOf): Line | undefined {
    const { id, tunnel: view } = connection;
    if (view === undefined) return undefined;
    const servers = serversOf(connection);
    const text = JSON.stringify([tunnelText(view), servers, connection.sshConfigurationDigest]);
    const known = kept.get(id);
    if (known?.text === text) return known.tunnel.line;
    void known?.tunnel.close();
    const tunnel = keepTunnel(
      starterOf(connection, view, secretOf, () => one),
      servers,
    );
    const one: Kept = { text, tunnel, confirmed: new Set(), unknown: null, hasOtherConfiguration: false, wrote: '' };
    kept.set(id, one);
    return tunnel.line;
  }

  return {
    lineOf,
    retry(connection, hostKey) {
      lineOf(connection);
      const known = kept.get(connection.id);
      if (known === undefined) return;
      const { unknown } = known;
      // Others may wait for the same key: ssh asks again, or finds it in known_hosts by then.
      const others = [...kept.values()].filter(
        each => isSame(each.unknown, unknown) && unknown?.fingerprint === hostKey,
      );
      for (const each of new Set([known, ...others])) {
        if (hostKey !== null) each.confirmed.add(hostKey);
        each.unknown = null;
        each.tunnel.retry();
      }
    },
    retryAll() {
      for (const { tunnel } of kept.values()) tunnel.retry();
    },
    async sshConfiguration(tunnel) {
      let folder: string | null = null;
      try {
        folder = makeSocketFolder(ports.folder(), '');
        const { lines, digest } = await personsConfiguration(tunnel, folder, ports);
        return { lines, digest };
      } catch (error) {
        return { lines: [`can't be followed: ${error instanceof Error ? error.message : error}`], digest: null };
      } finally {
        if (folder !== null) removeSocketFolder(folder);
      }
    },
    unknownHostKey: connectionId => kept.get(connectionId)?.unknown ?? null,
    hasOtherConfiguration: connectionId => kept.get(connectionId)?.hasOtherConfiguration === true,
    wrote: connectionId => kept.get(connectionId)?.wrote ?? '',
    forget,
    async close() {
      await Promise.all([...kept.keys()].map(forget));
    },
  };
}

function telling(own: () => Kept, start: StartTunnel): StartTunnel {
  return async (servers, signal) => {
    try {
      const running = await start(servers, signal);
      own().hasOtherConfiguration = false;
      return running;
    } catch (error) {
      own().hasOtherConfiguration = error instanceof TunnelFailed && error.problem === 'ssh_configuration_changed';
      throw error;
    }
  };
}

function isSame(one: HostKeyView | null, other: HostKeyView | null): boolean {
  return one !== null && one.host === other?.host && one.fingerprint === other.fingerprint;
}

function serversOf({ engine, host, port }: Connection): readonly Server[] {
  const usual = port ?? connectionsOf[engine].port ?? 0;
  const hosts = hostsIn(host ?? '') ?? [{ host: host ?? '', port: null }];
  return hosts.map(one => ({ host: one.host, port: one.port ?? usual }));
}
