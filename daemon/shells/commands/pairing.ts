/**
 * `pairing.begin` (spec §10, §11): turns a deep link into a request to draw, which ends when its
 * shell disconnects. Opens nothing itself.
 */

import * as z from 'zod';
import { pairingLimits } from '../../access/pairing/pairing.ts';
import { linkFaultSentences, readPairingLink } from '../../access/pairing/pairing-link.ts';
import { schemeOf } from '../../access/pairing/redirect.ts';
import { say } from '../../guard/reason.ts';
import { command, done, refused } from '../command.ts';
import { askView } from '../messages/ask.ts';
import { requesterWords } from '../requester-words.ts';

/**
 * Starts the server if it is off. Without a result nothing was kept. Ends when the shell
 * disconnects.
 */
export const pairingBegin = command('pairing.begin', {
  shape: z.strictObject({
    // More than a link may have; the link's reader words that it is too long.
    link: z.string('a link is expected').max(65_536, 'the link is far too long'),
    handler: z
      .strictObject({ scheme: z.string().max(64), app: z.string().min(1).max(256) })
      .nullable()
      .describe('the app that handles the scheme'),
  }),
  result: askView,
  privilegeIncrease: 'never',
  records: 'itself',
  run: async ({ link, handler }, context) => {
    const { pairings, activity } = context.ports;
    const who = await requesterWords(context);
    const note = (reason: string): void =>
      activity.record({ category: 'access', action: 'pairing.begin', outcome: 'denied', client: who, reason });
    // Only for the scheme that it was looked up for: shell and daemon must not read one link in two
    // ways.
    const handlerOf = (redirect: string) =>
      handler !== null && schemeOf(redirect) === handler.scheme.toLowerCase() ? handler.app : null;
    const read = readPairingLink(link, handlerOf);
    if (read.kind === 'refused') {
      note(read.fault);
      return refused('link_refused', linkFaultSentences[read.fault], { fault: read.fault });
    }
    const pairing = pairings.begin(read.request, context.signal);
    if (pairing === null) {
      note('too many wait');
      return refused(
        'too_many_wait',
        say(
          'Another pairing request is open and %@ more wait; answer those, then try again.',
          String(pairingLimits.waitingSheets),
        ),
      );
    }
    const { client } = read.request;
    const reason = `brought by ${who}`;
    activity.record({ category: 'access', action: 'pairing.begin', outcome: 'success', client, reason });
    return done(context.desk.begin(pairing, context.requester));
  },
});
