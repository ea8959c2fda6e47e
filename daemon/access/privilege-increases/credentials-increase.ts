/**
 * A change of what a connection signs in with, as a privilege increase (spec §11): replacing or
 * deleting a password may destroy the only copy, or turn the connection over to somebody else. A
 * new connection brings its own credentials; there only programs count: a command, and ssh, which
 * runs what ~/.ssh/config names (ProxyCommand, Match exec).
 */

import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { Connection } from '../connection.ts';
import { fact, type IncreaseFact, linesFact, type PrivilegeIncrease, sizeWords } from './increase-words.ts';

/** Which secrets arrive with the request. */
export interface GivenSecrets {
  readonly password: boolean;
  readonly keyPassphrase: boolean;
  readonly sshPassphrase: boolean;
  readonly sshPassword: boolean;
}

export const noSecrets: GivenSecrets = {
  password: false,
  keyPassphrase: false,
  sshPassphrase: false,
  sshPassword: false,
};

/** @param name in quotes. */
export function credentialParts(
  former: Connection | null,
  next: Connection,
  given: GivenSecrets,
  name: string,
): (PrivilegeIncrease | null)[] {
  const programs = programParts(former, next, name);
  if (former === null) return [...programs, sshPart(next, name)];
  return [
    ...programs,
    passwordPart(former, next, given, name),
    given.keyPassphrase ? { phrase: `sets the passphrase of the client key of ${name}`, facts: [] } : null,
    given.sshPassphrase ? { phrase: `sets the passphrase of the SSH key of ${name}`, facts: [] } : null,
    given.sshPassword ? { phrase: `sets the SSH password of ${name}`, facts: [] } : null,
  ];
}

/** What dialling it runs by a command line. */
export function programParts(former: Connection | null, next: Connection, name: string): (PrivilegeIncrease | null)[] {
  return [commandPart(former, next, name), tunnelPart(former, next, name)];
}

function commandPart(former: Connection | null, next: Connection, name: string): PrivilegeIncrease | null {
  if (next.password.kind !== 'command') return null;
  const { command } = next.password;
  if (former?.password.kind === 'command' && former.password.command === command) return null;
  const which = former?.password.kind === 'command' ? 'another command' : 'a command';
  const before = former === null ? null : passwordWords(former);
  return {
    phrase: `runs ${which} on this computer, as you, for the password of ${name}`,
    facts: [fact('Command length', sizeWords(command)), linesFact('Password command', command, before)],
  };
}

function tunnelPart(former: Connection | null, next: Connection, name: string): PrivilegeIncrease | null {
  const [to, from] = [tunnelCommand(next), former && tunnelCommand(former)];
  if (to === null || to === from) return null;
  return {
    phrase: `runs ${from === null ? 'a command' : 'another command'} on this computer, as you, for the tunnel of ${name}`,
    facts: tunnelFacts(next, former && tunnelWords(former)),
  };
}

/** Only for a new connection: another tunnel is another place (place-increase.ts). */
export function sshPart({ tunnel }: Connection, name: string): PrivilegeIncrease | null {
  if (tunnel?.kind !== 'ssh') return null;
  const phrase = `runs ssh on this computer, as you, with what ~/.ssh/config says, for the tunnel of ${name}`;
  return { phrase, facts: [fact('Tunnel', tunnelText(tunnel))] };
}

function tunnelCommand({ tunnel }: Connection): string | null {
  return tunnel?.kind === 'command' ? tunnel.command : null;
}

function tunnelWords({ tunnel }: Connection): string {
  if (tunnel === undefined) return '(none)';
  return tunnel.kind === 'command' ? tunnel.command : tunnelText(tunnel);
}

/** Empty if no command opens its tunnel. */
export function tunnelFacts(connection: Connection, before: string | null = null): IncreaseFact[] {
  const command = tunnelCommand(connection);
  if (command === null) return [];
  return [fact('Tunnel command length', sizeWords(command)), linesFact('Tunnel command', command, before)];
}

function passwordPart(
  former: Connection,
  next: Connection,
  given: GivenSecrets,
  name: string,
): PrivilegeIncrease | null {
  const [from, to] = [former.password.kind, next.password.kind];
  const facts = passwordFacts(former, to === 'none' ? 'none' : 'the one that is given with this');
  if (to === 'none' && from !== 'none') {
    const what = from === 'command' ? 'the command that prints the password' : 'the password';
    return { phrase: `forgets ${what} of ${name}`, facts };
  }
  if (to !== 'stored' || !given.password) return null;
  const phrases = {
    none: `sets a password for ${name}, which had none`,
    stored: `replaces the password of ${name}`,
    command: `stores a password for ${name} in place of the command that printed it`,
  };
  return { phrase: phrases[from], facts };
}

function passwordFacts(former: Connection, value: string): IncreaseFact[] {
  const before = passwordWords(former);
  if (former.password.kind !== 'command') return [fact('Password', value, before)];
  return [fact('Command length', sizeWords(before)), linesFact('Password', value, before)];
}

function passwordWords({ password }: Connection): string {
  if (password.kind === 'command') return password.command;
  return password.kind === 'stored' ? 'a stored password, no command' : 'no password';
}
