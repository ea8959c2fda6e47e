/** What a client is told of a statement that may read a masked column. */

import type { OutOfReach } from '../../../guard/mysql/masks.ts';
import type { DatabaseFailure } from '../../engine.ts';

const sentences = {
  values:
    "Some columns here are masked, and what the server tells there holds values of rows or texts of others' statements, so it isn't read.",
  kind: 'Some columns here are masked, and a statement of this kind may read any of them; ask the user to run it.',
  definition: 'Some columns here are masked, and this definition may show one later; ask the user to define it.',
  unlookable:
    "Some columns here are masked, and what stands behind a name here can't be looked into; use tables, or ask the user to show it.",
  plan: 'The plan would tell what is behind a view that is shown, and some columns are masked; explain a statement on tables.',
} as const;

export function outOfReach(found: OutOfReach): DatabaseFailure {
  return found.kind === 'masked' ? found : { kind: 'unsupported', message: sentences[found.kind] };
}
