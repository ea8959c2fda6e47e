/** What AI clients may do on a connection now, in one sentence; printed after each change of it. */

import type { ConnectionView } from '../shared/control-commands.ts';
import { shownUntil } from './words.ts';

export function accessSentence(
  { externalClients, aiPolicy }: Pick<ConnectionView, 'externalClients' | 'aiPolicy'>,
  nowMilliseconds: number,
): string {
  const { now, writeUntil } = externalClients;
  if (now === 'blocked' || aiPolicy === 'never') return "AI clients don't see it.";
  const asks = aiPolicy === 'askEachTime';
  if (now === 'readOnly')
    return asks
      ? 'AI clients may read it once you approve each; none may write.'
      : 'AI clients may read it, and write nothing.';
  const until = writeUntil === null ? 'until you say otherwise' : `until ${shownUntil(writeUntil, nowMilliseconds)}`;
  return `AI clients may read it and write in it${asks ? ' once you approve each' : ''}, ${until}.`;
}
