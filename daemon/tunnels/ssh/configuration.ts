/**
 * How ssh is called for a tunnel: what holds at each hop is a configuration file, which ssh hands
 * on to the hops before the last, and which reads the person's own behind it; what holds at the
 * last hop alone, and what differs by connection, are arguments.
 */

import type { SshTunnelView } from '../../../shared/control-commands.ts';
import { sshHopIn } from '../../../shared/ssh-hop.ts';
import type { Server } from '../tunnel.ts';

/** Of one hop. */
const connectSeconds = 10;

/** The first value that ssh finds is the one that counts. */
const options = {
  BatchMode: 'no',
  ConnectTimeout: connectSeconds,
  ConnectionAttempts: 1,
  // A connection that it shared with others would outlive ours, with our forwards.
  ControlMaster: 'no',
  ControlPath: 'none',
  ExitOnForwardFailure: 'yes',
  FingerprintHash: 'sha256',
  // In the background it would outlive us.
  ForkAfterAuthentication: 'no',
  ForwardAgent: 'no',
  ForwardX11: 'no',
  // What a server asks there is in its own words, which might be those of a question that we
  // answer.
  KbdInteractiveAuthentication: 'no',
  LogLevel: 'INFO',
  NumberOfPasswordPrompts: 1,
  // The last hop's own argument says otherwise: the password is for that one.
  PasswordAuthentication: 'no',
  PermitLocalCommand: 'no',
  ServerAliveInterval: 15,
  ServerAliveCountMax: 3,
  StreamLocalBindMask: '0177',
  StreamLocalBindUnlink: 'yes',
  StrictHostKeyChecking: 'ask',
  VisualHostKey: 'no',
};

/** @param userHome its ~/.ssh/config is read as ssh would read it. */
export function configuration(userHome: string): string {
  const lines = Object.entries(options).map(([name, value]) => `  ${name} ${value}`);
  return ['Host *', ...lines, `  Include "${userHome}/.ssh/config"`, '  Include /etc/ssh/ssh_config', ''].join('\n');
}

/**
 * Relative to the folder that ssh is started in: of a jump's configuration ssh writes the path into
 * a shell command, without quotes.
 */
export const configurationFile = 'config';
export const socketName = (at: number): string => `./${at}`;

export function sshArguments(tunnel: SshTunnelView, servers: readonly Server[], hasPassword: boolean): string[] {
  const { destination, jumps, keyFile } = tunnel;
  const { user, host, port } = sshHopIn(destination) ?? { user: null, host: destination, port: null };
  return [
    ...['-F', configurationFile, '-N', '-T'],
    ...servers.flatMap((server, at) => ['-L', `${socketName(at)}:${bracketed(server.host)}:${server.port}`]),
    ...(jumps.length === 0 ? [] : ['-J', jumps.join(',')]),
    // Its banner comes once all hops before it have signed in.
    ...['-o', `ConnectTimeout=${connectSeconds * (jumps.length + 1)}`],
    ...(hasPassword ? ['-o', 'PasswordAuthentication=yes'] : []),
    // More keys than a server lets one try may stand in an agent.
    ...(keyFile === null ? [] : ['-o', 'IdentitiesOnly=yes', '-i', keyFile]),
    ...(port === null ? [] : ['-p', String(port)]),
    ...(user === null ? [] : ['-l', user]),
    ...['--', host],
  ];
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
