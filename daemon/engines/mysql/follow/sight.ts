/** What a client is told of a statement that reaches what is out of sight. */

import type { OutOfSight } from '../../../guard/mysql/sight.ts';
import type { SightText } from '../../../guard/mysql/sight-text.ts';
import type { DatabaseFailure } from '../../engine.ts';

const sentences = {
  catalog:
    "Some tables here are out of sight, so the server's own tables and SHOW aren't read: use list_tables and describe_table.",
  kind: 'Some tables here are out of sight, and a statement of this kind may reach any of them; ask the user to run it.',
  definition:
    'Some tables here are out of sight, so only plain tables, views and indexes are defined; ask the user to define it.',
  behind:
    'The statement reaches what is out of sight here, by a trigger or a foreign key, so nothing ran; ask the user to do it.',
  unlookable:
    "Some tables here are out of sight, and what stands behind a name here can't be looked into; use tables, or ask the user to show it.",
  plan: 'The plan would name what is behind a view, and some of it is out of sight; explain a statement on tables.',
} as const;

/** Hidden things are refused with the sentence and number that the server has for missing ones. */
export function outOfSight(found: OutOfSight, { isDrop }: SightText): DatabaseFailure {
  if (!('name' in found)) return { kind: 'unsupported', message: sentences[found.kind] };
  const { schema, name } = found.name;
  const whole = schema === null ? name : `${schema}.${name}`;
  const [message, code] =
    found.kind !== 'table'
      ? [`${found.kind.toUpperCase()} ${whole} does not exist`, '1305']
      : isDrop
        ? [`Unknown table '${whole}'`, '1051']
        : [`Table '${whole}' doesn't exist`, '1146'];
  return { kind: 'query_failed', message, code };
}
