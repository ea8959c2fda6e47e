/**
 * The owner's shell: a proved connection to the daemon of the home, dialled again when it is gone.
 */

import type { ControlCommands, ControlMethod } from '../../daemon/shells/commands.ts';
import { locationsIn } from '../../shared/locations.ts';
import { type ControlClient, connectToDaemon } from '../../shell-terminal/control-client.ts';
import { readShellSecret } from '../../shell-terminal/shell-secret.ts';

const answerMilliseconds = 20_000;

export class Owner {
  readonly #home: string;
  #client: ControlClient | null = null;

  constructor(home: string) {
    this.#home = home;
  }

  /** @throws Refused if the daemon says no; another Error if nobody answered. */
  async ask<Method extends ControlMethod>(
    method: Method,
    params: ControlCommands[Method]['params'],
  ): Promise<ControlCommands[Method]['result']> {
    const client = await this.#connected();
    const silence = setTimeout(() => client.close(), answerMilliseconds);
    try {
      return await client.ask(method, params);
    } finally {
      clearTimeout(silence);
    }
  }

  close(): void {
    this.#client?.close();
    this.#client = null;
  }

  async #connected(): Promise<ControlClient> {
    if (this.#client !== null) return this.#client;
    const locations = locationsIn(this.#home);
    const secret = readShellSecret(locations.secrets);
    if (secret.kind !== 'found') throw new Error(`No shell secret: ${secret.kind}`);
    const shell = { shellSecret: secret.secret, shell: 'terminal', proofMilliseconds: 5_000 };
    const connecting = await connectToDaemon({ ...locations, ...shell });
    if (connecting.kind !== 'connected')
      throw new Error('problem' in connecting ? connecting.problem : 'Nobody listens.');
    const { client } = connecting;
    this.#client = client;
    void client.closed.then(() => {
      if (this.#client === client) this.#client = null;
    });
    return client;
  }
}
