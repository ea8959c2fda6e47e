/** The line with Approve, Deny and the time that is left. */

import { shownSeconds } from './countdown.ts';
import type { Paint } from './place.ts';

interface Buttons {
  readonly focus: 'approve' | 'deny' | null;
  readonly isDimmed: boolean;
  readonly secondsLeft: number;
}

/** Dimmed is told without colour too: no brackets. */
export function buttonLine({ focus, isDimmed, secondsLeft }: Buttons, paint: Paint): string {
  const mark = (button: Buttons['focus']): string => (focus === button ? '>' : ' ');
  const approve = isDimmed ? paint('dim', '  Approve  ') : paint('green', '[ Approve ]');
  const left = secondsLeft > 0 ? `${shownSeconds(secondsLeft)} left` : 'time is up';
  return `${mark('approve')} ${approve} ${mark('deny')} [ Deny ]   ${left}`;
}
