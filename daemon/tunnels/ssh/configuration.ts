/**
 * How ssh is called for a tunnel. Options for every hop are in a configuration file, which ssh
 * passes on to the hops before the last and which includes the person's own. Options for the last
 * hop alone, or for this connection, are arguments.
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

/** @param userHome whose ~/.ssh/config is read as ssh would read it. */
export function configuration(userHome: string): string {
  const lines = Object.entries(options).map(([name, value]) => `  ${name} ${value}`);
  return ['Host *', ...lines, `  Include "${userHome}/.ssh/config"`, '  Include /etc/ssh/ssh_config', ''].join('\n');
}

/**
 * Relative to ssh's working folder: for a jump ssh writes this path into a shell command without
 * quotes.
 */
export const configurationFile = 'config';
export const socketName = (at: number): string => `./${at}`;

export function sshArguments(tunnel: SshTunnelView, servers: readonly Server[], hasPassword: boolean): string[] {
  const { destination, jumps, keyFile } = tunnel;
  const { user, host, port } = sshHopIn(destination) ?? { user: null, host: destination, port: null };
  return [
    ...['-F', configurationFile, '-N', '-T'],
    ...servers.flatMap((server, at) => ['-L', `${socketName(at)}:${bracketed(farHost(server.host))}:${server.port}`]),
    ...(jumps.length === 0 ? [] : ['-J', jumps.join(',')]),
    // Its banner comes once all hops before it have signed in.
    ...['-o', `ConnectTimeout=${connectSeconds * (jumps.length + 1)}`],
    ...(hasPassword ? ['-o', 'PasswordAuthentication=yes'] : []),
    // An agent may hold more keys than a server lets one try.
    ...(keyFile === null ? [] : ['-o', 'IdentitiesOnly=yes', '-i', keyFile]),
    ...(port === null ? [] : ['-p', String(port)]),
    ...(user === null ? [] : ['-l', user]),
    ...['--', host],
  ];
}

/** One address: on the other, somebody else there may listen while the server is down. */
function farHost(host: string): string {
  return isLocalhost(host) ? '127.0.0.1' : host;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
