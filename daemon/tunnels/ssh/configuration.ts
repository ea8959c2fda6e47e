/**
 * How ssh is called for a tunnel. Options for every hop are in a configuration file, which ssh
 * passes on to the hops before the last, and which holds what was judged of the person's own.
 * Options for the last hop alone, or for this connection, are arguments.
 */

import type { SshTunnelView } from '../../../shared/control-commands.ts';
import { isLocalhost } from '../../../shared/server-hosts.ts';
import { sshHopIn } from '../../../shared/ssh-hop.ts';
import type { Server } from '../tunnel.ts';

/** Per hop. */
const connectSeconds = 10;

/** ssh uses the first value that it finds. */
const options = {
  BatchMode: 'no',
  ConnectTimeout: connectSeconds,
  ConnectionAttempts: 1,
  // A shared connection would outlive ours, with our forwards.
  ControlMaster: 'no',
  ControlPath: 'none',
  ExitOnForwardFailure: 'yes',
  FingerprintHash: 'sha256',
  // In the background it would outlive us.
  ForkAfterAuthentication: 'no',
  ForwardAgent: 'no',
  ForwardX11: 'no',
  // There the server words the questions itself, and could imitate one that we answer.
  KbdInteractiveAuthentication: 'no',
  LogLevel: 'INFO',
  NumberOfPasswordPrompts: 1,
  // The last hop's own argument allows it: the password is for that one.
  PasswordAuthentication: 'no',
  PermitLocalCommand: 'no',
  ServerAliveInterval: 15,
  ServerAliveCountMax: 3,
  StreamLocalBindMask: '0177',
  StreamLocalBindUnlink: 'yes',
  StrictHostKeyChecking: 'ask',
  VisualHostKey: 'no',
};

export interface ConfigurationPlaces {
  readonly userHome: string;
  /** Root's, such as /etc/ssh/ssh_config. */
  readonly systemsFile: string;
}

/**
 * What ssh would follow in the person's place, for `ssh -G` alone: a dial follows what was judged
 * ({@link configurationOf}).
 * @param userHome whose ~/.ssh/config is read; null for the system's alone.
 */
export function asked({ userHome, systemsFile }: { userHome: string | null; systemsFile: string }): string {
  const theirs = userHome === null ? [] : [included(`${userHome}/.ssh/config`)];
  return [ours, ...theirs, included(systemsFile), ''].join('\n');
}

/** @param hops what ~/.ssh/config says of each, as lines of a configuration. */
export function configurationOf(
  hops: readonly { readonly host: string; readonly lines: readonly string[] }[],
  systemsFile: string,
): string {
  const blocks = hops.flatMap(({ host, lines }) => [
    // ssh compares in the case that it was given, some versions in lower case.
    `Host ${[...new Set([host, host.toLowerCase()])].join(' ')}`,
    ...lines.map(line => `  ${line}`),
  ]);
  return [ours, ...blocks, 'Host *', included(systemsFile), ''].join('\n');
}

const ours = ['Host *', ...Object.entries(options).map(([name, value]) => `  ${name} ${value}`)].join('\n');
const included = (file: string): string => `  Include "${file}"`;

/**
 * Relative to ssh's working folder: for a jump ssh writes this path into a shell command without
 * quotes.
 */
export const configurationFile = 'config';
export const socketName = (at: number): string => `./${at}`;

export function sshArguments(tunnel: SshTunnelView, servers: readonly Server[], hasPassword: boolean): string[] {
  const { destination, jumps, keyFile } = tunnel;
  return [
    ...['-F', configurationFile, '-N', '-T'],
    ...servers.flatMap((server, at) => ['-L', `${socketName(at)}:${bracketed(farHost(server.host))}:${server.port}`]),
    // Its banner comes once all hops before it have signed in.
    ...['-o', `ConnectTimeout=${connectSeconds * (jumps.length + 1)}`],
    ...(hasPassword ? ['-o', 'PasswordAuthentication=yes'] : []),
    ...hopArguments({ hop: destination, jumps, keyFile }),
  ];
}

/** @param way the hop, and those before it. */
export function hopArguments({ hop, jumps, keyFile }: Way): string[] {
  const { user, host, port } = sshHopIn(hop) ?? { user: null, host: hop, port: null };
  return [
    ...(jumps.length === 0 ? [] : ['-J', jumps.join(',')]),
    // An agent may hold more keys than a server lets one try.
    ...(keyFile === null ? [] : ['-o', 'IdentitiesOnly=yes', '-i', keyFile]),
    ...(port === null ? [] : ['-p', String(port)]),
    ...(user === null ? [] : ['-l', user]),
    ...['--', host],
  ];
}

export interface Way {
  readonly hop: string;
  readonly jumps: readonly string[];
  readonly keyFile: string | null;
}

/** One address: on the other, somebody else there may listen while the server is down. */
function farHost(host: string): string {
  return isLocalhost(host) ? '127.0.0.1' : host;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
