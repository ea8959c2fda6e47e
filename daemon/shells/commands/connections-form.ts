/**
 * `connections.form` (spec §6): the form of a new or a saved connection, what a pasted one fills
 * in, and what was typed as a request. What is pasted or typed may hold a password, so nothing of
 * it is recorded.
 */

import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { parseTunnelledUrl } from '../../../shared/ssh-url.ts';
import { english, type Reason, say } from '../../guard/reason.ts';
import { command, done, refused } from '../command.ts';
import type { Said } from '../messages/ask.ts';
import { type ConnectionUrlView, connectionForm } from '../messages/connections.ts';
import { connectionFields } from './connection-fields.ts';
import { draftOf } from './connection-form-draft.ts';
import { formSections, placeKeys } from './connection-form-sections.ts';
import { formValues, pastedValues } from './connection-form-values.ts';
import { unknownConnection, viewOfConnection } from './connection-view.ts';
import { namedConnection } from './shapes.ts';

const expected = 'the text of a connection is expected';

/** What may be typed without a proof: the rest may hold a secret, and no brake needs it. */
const narrowingFields: ReadonlySet<string> = new Set(['externalClients', 'externalClients.forSeconds', 'aiPolicy']);
const isNarrowing = (typed: object): boolean => Object.keys(typed).every(key => narrowingFields.has(key));

/** Saves and dials nothing; a refusal repeats no part of a secret. */
export const connectionsForm = command('connections.form', {
  shape: namedConnection.partial().extend({
    /** To be taken apart. */
    url: z.string(expected).max(65_536, expected).optional(),
    /** By the fields' keys, what was changed. */
    typed: z.record(z.string().max(64), z.string('a text is expected')).optional(),
    /** The digest of the form that was typed into: what was typed is about what it showed. */
    digest: z.string().max(64).optional(),
    /** The person's home folder, for `~/` and relative paths. */
    home: z.string('a folder is expected').refine(isAbsolute, 'the whole path of a folder is expected'),
  }),
  /** `draft`: what was typed as `connections.save` and `connections.try` take it, unchecked. */
  result: connectionForm.extend({ draft: connectionFields.optional() }),
  // `connections.save` judges whether a level lowers.
  brake: ({ url, typed = {} }) => url === undefined && isNarrowing(typed),
  privilegeIncrease: 'never',
  // The answer reveals nothing new.
  records: 'itself',
  run: ({ connection: asked, url, typed, digest: seen, home }, { ports, at }) => {
    const found = asked === undefined ? null : ports.connections.find(asked);
    if (asked !== undefined && found === null) return unknownConnection(asked);
    const saved = found && viewOfConnection(found, ports);
    const read = url === undefined ? null : parseTunnelledUrl(url, { cwd: home, home });
    if (read?.kind === 'refused') return refused('unreadable_text', read.problem);
    if (read !== null && saved !== null && read.endpoint.engine !== saved.engine)
      return refused(
        'unreadable_text',
        "A connection can't change its kind of database; add a new connection instead.",
      );
    const [sections, values] = [formSections(saved), formValues(saved)];
    const digest = createHash('sha256')
      .update(JSON.stringify([sections, values]))
      .digest('hex');
    // A brake is about no other field.
    if (saved !== null && typed !== undefined && !isNarrowing(typed) && seen !== digest)
      return refused(
        'changed_since',
        say('The connection %@ was changed meanwhile; open it again.', JSON.stringify(saved.name)),
      );
    return done({
      sections,
      place: placeKeys,
      values: read === null ? values : pastedValues(read),
      digest,
      notes: read === null ? [] : notesOf(read),
      ...(typed && { draft: draftOf(saved, typed, { home, at }) }),
    });
  },
});

/** What no field shows. */
function notesOf({ passwordIsPlaceholder, tunnel, ignored }: ConnectionUrlView): Said[] {
  const names = [...new Set(ignored)];
  const shown = names.join(', ');
  const notes: Reason[] = [
    ...(passwordIsPlaceholder ? [say("A placeholder stands in the password's place; type the password.")] : []),
    ...(tunnel?.kind === 'ssh' ? [say('It goes through SSH, by %@.', tunnel.destination)] : []),
    ...(names.length === 1 ? [say('%@ in the URL has no effect here.', shown)] : []),
    ...(names.length > 1 ? [say('%@ in the URL have no effect here.', shown)] : []),
  ];
  return notes.map(note => ({ text: english(note), parts: note }) as Said);
}
