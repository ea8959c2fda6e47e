/**
 * Opens Sallyport.app where nobody can be asked (spec §12): after a login the daemon may run before
 * the app does. On macOS alone, and only the app whose daemon this is: another would not be let in.
 */

import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { appAround } from '../../shared/app-bundle.ts';
import { startLink } from '../../shared/launch.ts';

const askingAppLimits = {
  /** From its opening until it asks. */
  patienceMilliseconds: 10_000,
  pollMilliseconds: 100,
  /** Who doesn't come keeps no call waiting for a while. */
  pauseMilliseconds: 60_000,
} as const;

interface AskingAppOptions {
  readonly platform: NodeJS.Platform;
  /** The path that the daemon runs by. */
  readonly program: string;
  readonly someoneAnswers: () => boolean;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
  /** For tests; else macOS's own. */
  readonly opener?: string;
  readonly limits?: { readonly [Name in keyof typeof askingAppLimits]?: number };
}

/**
 * @returns what resolves once somebody can be asked or nobody comes, for all who wait together;
 * null if there is no app.
 */
export function askingApp(options: AskingAppOptions): (() => Promise<void>) | null {
  const { platform, program, someoneAnswers, elapsed, opener = '/usr/bin/open' } = options;
  const limits = { ...askingAppLimits, ...options.limits };
  const app = appAround(platform, program);
  if (app === null) return null;
  let opening: Promise<void> | null = null;
  let gaveUpAt = Number.NEGATIVE_INFINITY;

  async function open(bundle: string): Promise<void> {
    const begun = elapsed();
    let failed = false;
    // In the background: its question comes to the front by itself, and nothing else of it should.
    // By the link that asks for a daemon, which is this one: without any it would take itself for
    // opened by a person, and show Settings.
    const started = spawn(opener, ['-g', '-a', bundle, startLink], { stdio: 'ignore' });
    started.once('error', () => {
      failed = true;
    });
    started.once('exit', code => {
      failed ||= code !== 0;
    });
    while (!failed && !someoneAnswers() && elapsed() - begun < limits.patienceMilliseconds) {
      await wait(limits.pollMilliseconds);
    }
    if (!someoneAnswers()) gaveUpAt = elapsed();
  }

  return () => {
    if (opening === null && elapsed() - gaveUpAt < limits.pauseMilliseconds) return Promise.resolve();
    opening ??= open(app).finally(() => {
      opening = null;
    });
    return opening;
  };
}
