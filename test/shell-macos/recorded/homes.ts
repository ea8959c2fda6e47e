/**
 * The homes that Sallyport.app may find itself in, each with a real control socket in this process
 * and the app connected to it, which answers.
 */

import { generateKeyPairSync } from 'node:crypto';
import { type AnsweredShell, answeredShell } from '../../shells/answered-shell.ts';
import { type DaemonChange, type DaemonInProcess, startDaemonInProcess } from '../../shells/daemon-in-process.ts';

export const ownerPassphrase = 'correct horse battery';

interface HomeKind {
  readonly change: DaemonChange;
  /** Chosen in the app, or on a terminal where the daemon can't tell the app from any program. */
  readonly isPassphraseSet?: true;
  readonly hasTouchId?: true;
}

const inKeychain = () => 'keychain' as const;
const homeKinds = {
  /** A Mac's at first: the app's click confirms. */
  click: { change: { backend: inKeychain } },
  passphrase: { change: { backend: inKeychain }, isPassphraseSet: true },
  'touch-id': { change: { backend: inKeychain }, isPassphraseSet: true, hasTouchId: true },
  /** The passphrase is off. */
  off: { change: { backend: inKeychain, passphrase: 'off' } },
  /** The secrets are in a file, so nothing proves that the app is it. */
  file: { change: {} },
  'file-passphrase': { change: {}, isPassphraseSet: true },
} as const satisfies Readonly<Record<string, HomeKind>>;

export type HomeName = keyof typeof homeKinds;
export const homeNames = Object.keys(homeKinds) as HomeName[];

export interface AppsHome {
  readonly daemon: DaemonInProcess;
  readonly app: AnsweredShell;
  readonly terminal: AnsweredShell;
  end(): Promise<void>;
}

export async function beginHome(name: HomeName): Promise<AppsHome> {
  const { change, isPassphraseSet, hasTouchId }: HomeKind = homeKinds[name];
  let terminalPath: string | null = '/dev/pts/3';
  const daemon = await startDaemonInProcess({
    ...change,
    platform: 'darwin',
    originOf: async pid => ({ pid, terminal: terminalPath, programs: ['Sallyport'], lineage: [`${pid}`] }),
  });
  const terminal = await answeredShell(daemon, 'terminal');
  const setPassphrase = (by: AnsweredShell) =>
    by.ask('passphrase.set', { passphrase: ownerPassphrase }, { confirm: 'app' });
  if (isPassphraseSet && change.backend === undefined) done(await setPassphrase(terminal));
  // Nobody starts the app in a terminal.
  terminalPath = null;
  const app = await answeredShell(daemon, 'app');
  done(await app.ask('desk.attach', { answers: true }));
  if (isPassphraseSet && change.backend !== undefined) done(await setPassphrase(app));
  if (hasTouchId) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
    done(await app.ask('passphrase.touchId', { publicKey: text }, { passphrase: ownerPassphrase }));
  }
  return {
    daemon,
    app,
    terminal,
    async end() {
      app.end();
      terminal.end();
      await daemon.end();
    },
  };
}

/** @throws Error if the daemon refused what a recording begins with. */
export function done(answer: Awaited<ReturnType<AnsweredShell['ask']>>): Record<string, unknown> {
  if (answer.result === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.result;
}
