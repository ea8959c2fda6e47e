/** The questions of a daemon without an attached shell, so none is ever approved. */

import { deskOfRun, openConfirmations } from '../../../daemon/questions.ts';
import { noFault } from '../../access/desk/desk-for-tests.ts';
import { unrecorded } from '../../activity/unrecorded.ts';

/** @param now wall clock, milliseconds since 1970. */
export function nobodyAnswers(now: () => number) {
  return openConfirmations({
    desk: deskOfRun({ now, elapsed: now, report: noFault }),
    someoneAnswers: () => false,
    whileWaiting: (_, work) => work(),
    rememberHours: () => 8,
    log: { info() {}, warn() {}, error() {} },
    activity: unrecorded.activity,
    elapsed: now,
  });
}
