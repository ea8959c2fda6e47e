/** What is said where a server isn't the one that it was, or proves nothing. */

import type { IdentityRefusal } from '../../daemon/access/server-identity.ts';
import { identitySentences } from '../../daemon/engines/server-identity.ts';
import { anyOf } from '../begins-with.ts';

/** @returns a pattern for the sentence of one of these refusals. */
export const refusedAs = (...reasons: readonly IdentityRefusal[]): RegExp =>
  anyOf(...reasons.map(reason => identitySentences[reason]));
