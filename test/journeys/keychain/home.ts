/**
 * A home whose built daemon is started by hand with the bus of a private Secret Service, or
 * with none.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signalEach } from '../../servers/daemons.ts';
import type { SecretService } from '../../servers/secret-service.ts';
import { type Ran, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

export interface KeychainHome extends RealHome {
  /** The variables for the keychain, or for its absence. */
  readonly bus: Readonly<Record<string, string>>;
  readonly none: Readonly<Record<string, string>>;
  /** Resolves once it serves, or has ended. */
  startDaemon(environment?: Readonly<Record<string, string>>): Promise<RunningDaemon>;
  /** Runs a command that can reach the keychain. */
  ask(words: readonly string[], stdin?: string): Promise<Ran>;
  /** Runs it in this process; a worker process still asks the keychain. */
  askHere(words: readonly string[]): Promise<Ran>;
  askJson<Value>(...words: string[]): Promise<Value>;
  /** The bytes of all files in the home. */
  everyByte(): string;
}

export interface RunningDaemon {
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Stops it as `sallyport stop` does. */
  stop(): Promise<void>;
  signal(name: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export function keychainHome(service: SecretService): KeychainHome {
  const home = realHome();
  const { DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '' } = service.environment;
  const bus = { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR };
  const none = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${home.folder}/none` };
  const ask: KeychainHome['ask'] = (words, stdin = '') => home.run(words, { environment: bus, stdin });

  const askHere = (words: readonly string[]) => home.here(words, { environment: bus });

  /** A daemon that was killed leaves its handshake. */
  function serves(): boolean {
    const handshake = join(home.home, 'mcp-handshake.json');
    return existsSync(handshake) && home.daemons().includes(JSON.parse(readFileSync(handshake, 'utf8')).pid);
  }

  return {
    ...home,
    bus,
    none,
    ask,
    askHere,
    async startDaemon(environment = bus) {
      const child = home.spawnDaemon(environment);
      const ended = new Promise<number | null>(resolve => child.once('close', resolve));
      let over = false;
      void ended.then(() => {
        over = true;
      });
      await until(() => over || serves(), 'the daemon serves, or ends', 60);
      return {
        ended,
        async stop() {
          const stopped = await home.here(['stop'], { environment });
          if (stopped.code !== 0) throw new Error(stopped.stderr);
          await ended;
        },
        async signal(name) {
          signalEach(home.daemons(), name);
          return ended;
        },
      };
    },
    async askJson(...words) {
      const ran = await askHere([...words, '--json']);
      if (ran.code !== 0) throw new Error(`${words.join(' ')}: ${ran.code} ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    everyByte: () =>
      readdirSync(home.home, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('\n'),
  };
}
