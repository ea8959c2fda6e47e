/**
 * The words of a desktop notification about access requests (spec §12): who asks and about which
 * connection, and no more. What a desktop shows can be read over a shoulder, and by every program
 * on the user's bus.
 */

import { shownName } from '../../shared/shown-text.ts';
import type { RequestFacts } from '../access/requests/access-requests.ts';

/** A desktop cuts a longer text off, and its last line is the one that says how to answer. */
const mostNamed = 3;

interface NotificationText {
  readonly summary: string;
  /** In the markup of the Desktop Notifications Specification. */
  readonly body: string;
}

/** @param waiting how many wait in all; some of them may have been told before. */
export function notificationText(
  untold: readonly { readonly facts: Pick<RequestFacts, 'client' | 'connection'> }[],
  waiting: number,
): NotificationText {
  const askers = [
    ...new Set(
      untold.map(
        ({ facts: { client, connection } }) =>
          `${asMarkup(client)} (so it calls itself), on ${asMarkup(connection.name)}`,
      ),
    ),
  ];
  const more = askers.length > mostNamed ? [`and ${askers.length - mostNamed} more`] : [];
  return {
    summary: waiting === 1 ? 'A question waits for you' : `${waiting} questions wait for you`,
    // A line each: no name holds a line feed, so none can imitate the last line.
    body: [...askers.slice(0, mostNamed), ...more, 'To answer, run: sallyport allow'].join('\n'),
  };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function asMarkup(name: string): string {
  return shownName(name).replace(/[&<>]/g, character => entities[character] ?? '');
}
