/**
 * `connections.parse` (spec §6): takes a pasted connection apart. It may hold a password, so
 * nothing of it is recorded.
 */

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { parseTunnelledUrl } from '../../../shared/ssh-url.ts';
import { command, done, refused } from '../command.ts';
import { connectionUrlView } from '../messages/connections.ts';

const expected = 'the text of a connection is expected';

/** Saves and dials nothing; a refusal repeats no part of a secret. */
export const connectionsParse = command('connections.parse', {
  shape: z.strictObject({
    url: z.string(expected).max(65_536, expected),
    /** The person's home folder, for `~/` and relative paths. */
    home: z.string('a folder is expected').refine(isAbsolute, 'the whole path of a folder is expected'),
  }),
  result: connectionUrlView,
  privilegeIncrease: 'never',
  // The text may hold a password, and the answer reveals nothing new.
  records: 'itself',
  run: ({ url, home }) => {
    const read = parseTunnelledUrl(url, { cwd: home, home });
    if (read.kind === 'refused') return refused('unreadable_text', read.problem);
    const { kind: _, ...view } = read;
    return done(view);
  },
});
