/** Words for the model why there was no yes, and what it may do (spec §4, §12). Decides nothing. */

import type { Verdict } from '../access/questions/approvals.ts';
import { type Refusal, toolError } from '../refusal.ts';

const howToAttach = 'Ask the user to run `sallyport approvals --follow` in a terminal, then call again.';

export const tooLongForClient: Refusal = toolError(
  'denied',
  `The statement is too long to be shown in this client, and nobody else can be asked. ${howToAttach}`,
);

export function refusalOfVerdict(verdict: Exclude<Verdict, { kind: 'yes' }>, connection: string): Refusal {
  switch (verdict.kind) {
    case 'no':
      return toolError('user_cancelled', 'The user said no, so nothing ran. Ask them what to do instead.');
    case 'timeout':
      return toolError('timeout', 'The user did not answer in time, so nothing ran. Call again when they are there.');
    case 'nobody':
      return toolError('denied', `This needs the user's yes, and nobody can be asked now. ${howToAttach}`);
    case 'too_many_open':
      return toolError(
        'denied',
        'Too many of your questions wait for the user already; call again once they are answered.',
      );
    case 'quiet':
      return toolError(
        'denied',
        `The user has just said no about "${connection}", so nothing about it is asked for another ${verdict.secondsLeft} s. Talk to them first.`,
      );
    case 'cancelled':
      return { kind: 'cancelled' };
  }
}
