/**
 * How a connection's servers prove that they are still the same (spec §6), in few words, and what
 * is told of one that a test met for the first time. Judges nothing.
 */

import { shellWord } from '../shared/client-configs.ts';
import type { ConnectionTestResult, ConnectionView, KnownServerView } from '../shared/control-commands.ts';
import { shownTime } from './words.ts';

const words: Readonly<Record<KnownServerView['proof'], string>> = {
  certificate: 'its verified certificate',
  socket_owner: "its socket's owner",
  // MariaDB's proof of its certificate does what SCRAM's channel binding does.
  line: 'the password and channel binding',
  password: 'SCRAM',
  key: 'its pinned key',
  nothing: 'nothing',
};

type Shown = Pick<ConnectionView, 'identity' | 'knownServers'>;

/** For a column; '' if nothing is known. */
export function proofCell({ identity, knownServers = [] }: Shown): string {
  if (identity === 'any') return 'nothing (any server)';
  return [...new Set(knownServers.map(({ proof }) => words[proof]))].join(', ');
}

/** True if it tells something: whoever answers in the server's place is let in. */
export function isUnproved({ identity, knownServers = [] }: Shown): boolean {
  return identity === 'any' || knownServers.some(({ proof }) => proof === 'nothing');
}

/** What ends it that any server is let in with a password; null if none is. */
export function anyServerAdvice({ name, identity, password }: ConnectionView): string | null {
  if (identity !== 'any' || password.kind === 'none') return null;
  return `${name} signs in to whatever answers at its address; \`sallyport connections set ${shellWord(name)} --identity known\` ends that.`;
}

/** With the time of the first sign-in, and its address if there are several; null for none. */
export function proofLine({ knownServers = [] }: Shown): string | null {
  if (knownServers.length === 0) return null;
  return knownServers
    .map(({ server, proof, since }) => {
      const named = knownServers.length === 1 ? '' : `${server}: `;
      return `${named}${words[proof]}${since === null ? '' : `, since ${shownTime(since)}`}`;
    })
    .join('; ');
}

/** A sentence for each server that a test met for the first time. */
export function firstMet(tested: ConnectionTestResult): readonly string[] {
  if (!tested.reachable) return [];
  const { knownServers = [], newServers = [] } = tested;
  return knownServers
    .filter(({ server }) => newServers.includes(server))
    .map(({ server, proof }) =>
      proof === 'nothing'
        ? `Nothing proves that ${server} will be the same server again; --tls verify-full or its socket would.`
        : `From now on ${server} must prove itself by ${words[proof]}.`,
    );
}
