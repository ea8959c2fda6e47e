/** Keeps why a start failed, for programs that ask for the daemon, and in the log (spec §2). */

import { rmSync } from 'node:fs';
import { locationsIn } from '../../shared/locations.ts';
import { startFailureFile } from '../../shared/start-failure.ts';
import { errorCode } from '../disk-fault.ts';
import { replacePrivateFileSync } from './atomic-file.ts';
import { openLog } from './log/log.ts';

/** A full disk may be the reason; standard error has the sentence too. */
export function keepStartFailure(home: string, words: string): void {
  const sentence = words.replace(/\.$/, '');
  try {
    openLog(locationsIn(home).logs).error({}, `the daemon could not start: ${sentence}`);
    replacePrivateFileSync(startFailureFile(home), `${JSON.stringify({ at: Date.now(), sentence })}\n`);
  } catch (error) {
    if (errorCode(error) === '') throw error;
  }
}

export function forgetStartFailure(home: string): void {
  rmSync(startFailureFile(home), { force: true });
}
