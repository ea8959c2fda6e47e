/**
 * The SSH agents that shells and bridges have reported: an agent's path changes with each login,
 * and the daemon outlives them. The newest that answers is used. An `IdentityAgent` in
 * ~/.ssh/config comes first, by ssh's own rules.
 */

import { connect } from 'node:net';

export interface Agents {
  /**
   * @param path from a shell's or bridge's environment.
   * @returns false if it is known already.
   */
  told(path: string): boolean;
  newest(): Promise<string | null>;
}

const mostKnown = 8;
const answerMilliseconds = 1_000;
/**
 * SSH_AGENTC_REQUEST_IDENTITIES and its answer (draft-miller-ssh-agent, 4.4), each after its
 * length.
 */
const request = Buffer.from([0, 0, 0, 1, 11]);
const identitiesAnswer = 12;

export function sshAgents(): Agents {
  let known: readonly string[] = [];
  return {
    told(path) {
      const isNew = !known.includes(path);
      if (known[0] !== path) known = [path, ...known.filter(each => each !== path)].slice(0, mostKnown);
      return isNew;
    },
    async newest() {
      for (const path of known) if (await answers(path)) return path;
      return null;
    },
  };
}

function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ path });
    const finish = (isAgent: boolean): void => {
      socket.destroy();
      resolve(isAgent);
    };
    let received = Buffer.alloc(0);
    socket.setTimeout(answerMilliseconds, () => finish(false));
    socket.on('error', () => finish(false)).on('close', () => finish(false));
    socket.on('connect', () => socket.write(request));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length > 4) finish(received[4] === identitiesAnswer);
    });
  });
}
