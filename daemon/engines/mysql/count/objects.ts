/**
 * What isn't a table, of the things that a statement on MySQL or MariaDB takes: objects named in
 * it, accounts, and the code that runs with the rights of an account that is dropped.
 */

import type { MysqlTaking } from '../../../guard/mysql/taking.ts';
import type { TakenObject } from '../../count/taken.ts';
import { shownName } from '../../count/taken-words.ts';
import { literal } from '../dialect/literal.ts';
import type { Ask } from './tables.ts';

export async function objectsOf(
  ask: Ask,
  { act: taken, objects, accounts }: MysqlTaking,
): Promise<readonly TakenObject[]> {
  const act = taken === 'emptied' ? 'altered' : taken;
  const named = accounts.map(
    ({ user, host }): TakenObject => ({ act, name: `account ${shownName(`${user}@${host}`)}` }),
  );
  const definers = taken === 'dropped' ? accounts.map(({ user, host }) => literal(`${user}@${host}`)) : [];
  const orphans = definers.length === 0 ? [] : await ask(orphansQuestion(definers.join(', ')));
  return [
    ...objects.map((name): TakenObject => ({ act, name })),
    ...named,
    ...orphans.map(
      ([kind, schema, name]): TakenObject => ({
        act: 'altered',
        name: `${kind} ${shownName(`${schema}.${name}`)}, which runs with the rights of that account`,
      }),
    ),
  ];
}

const orphansQuestion = (
  definers: string,
): string => `SELECT 'view', TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEWS WHERE DEFINER IN (${definers})
UNION ALL SELECT LOWER(ROUTINE_TYPE), ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES WHERE DEFINER IN (${definers})
UNION ALL SELECT 'trigger', TRIGGER_SCHEMA, TRIGGER_NAME FROM information_schema.TRIGGERS WHERE DEFINER IN (${definers})
UNION ALL SELECT 'event', EVENT_SCHEMA, EVENT_NAME FROM information_schema.EVENTS WHERE DEFINER IN (${definers}) ORDER BY 1, 2, 3`;
