/** The statements that make a fitting user on MySQL and MariaDB, each explained. Runs nothing. */

import { createHash } from 'node:crypto';
import { shownText } from '../../../../shared/shown-text.ts';
import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { RoleStep, WantedRole } from '../../engine.ts';
import type { MysqlRoleFacts } from './facts.ts';

/** The classifier and the preview need SHOW VIEW and TRIGGER; without them they can only refuse. */
export const privilegesOf = {
  readOnly: ['SELECT', 'SHOW VIEW'],
  readWrite: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'SHOW VIEW', 'TRIGGER'],
} as const;

export function accountOf(name: string, host: string): string {
  return `${quoteIdentifier('mysql', name)}@${quoteIdentifier('mysql', host)}`;
}

/**
 * In a grant `_` and `%` are wildcards: `my_shop` would open `my2shop` too. A backslash makes them
 * literal.
 */
export function grantTarget(database: string, namesAreLiteral: boolean): string {
  const pattern = namesAreLiteral ? database : database.replace(/[\\_%]/g, '\\$&');
  return `${quoteIdentifier('mysql', pattern)}.*`;
}

interface Target {
  readonly on: string;
  /** What may be read; null: all. */
  readonly columns: readonly string[] | null;
}

/** A database's grants are on all of it, or on what may be met, where nothing is a wildcard. */
export function grantTargets({ inSight, namesAreLiteral }: MysqlRoleFacts, database: string): readonly Target[] {
  if (inSight === null) return [{ on: grantTarget(database, namesAreLiteral), columns: null }];
  return inSight
    .filter(({ schema }) => schema === database)
    .map(({ name, columns }) => ({
      on: `${quoteIdentifier('mysql', database)}.${quoteIdentifier('mysql', name)}`,
      columns,
    }));
}

/** SELECT is of columns where some are masked; all may be written. */
function privilegesOn({ columns }: Target, access: WantedRole['access']): string {
  return privilegesOf[access]
    .flatMap(privilege => {
      if (privilege !== 'SELECT' || columns === null) return [privilege];
      return columns.length === 0 ? [] : [`SELECT (${columns.map(name => quoteIdentifier('mysql', name)).join(', ')})`];
    })
    .join(', ');
}

/**
 * @param password null if a person runs the statements: the placeholder is no SQL, so nothing is
 *   made with it.
 */
export function mysqlSteps(
  facts: MysqlRoleFacts,
  wanted: WantedRole,
  databases: readonly string[],
  password: string | null,
): RoleStep[] {
  const account = accountOf(wanted.name, facts.host);
  const limit = facts.isMariadb ? `\n  WITH MAX_STATEMENT_TIME ${wanted.statementSeconds}` : '';
  const which = facts.inSight === null ? '' : 'what is in sight of ';
  const timed = facts.isMariadb ? ' Its statements end after a while.' : '';
  return [
    {
      why: `A user that may sign in from where the present one does, and nothing else yet.${timed}`,
      statements: [`CREATE USER ${account}\n  ${identified(facts.isMariadb, password)}${limit}`],
    },
    ...databases.map(database => ({
      why:
        wanted.access === 'readOnly'
          ? `It reads ${which}the database ${shownText(database)}; SHOW VIEW lets Sallyport see what a view does.`
          : `It reads and changes rows of ${which}${shownText(database)}. SHOW VIEW and TRIGGER let Sallyport see what a change sets off; TRIGGER also makes and drops triggers, for which a client needs your yes.`,
      statements: grantTargets(facts, database).map(
        target => `GRANT ${privilegesOn(target, wanted.access)}\n  ON ${target.on} TO ${account}`,
      ),
    })),
  ];
}

/**
 * MariaDB writes statements into its general and binary logs unchanged. So it gets only the hash,
 * of a password too long to guess. MySQL removes passwords from its logs and salts its hashes.
 */
function identified(isMariadb: boolean, password: string | null): string {
  if (password === null) return 'IDENTIFIED BY <a new password, in quotes>';
  if (!isMariadb) return `IDENTIFIED BY '${password}'`;
  const once = createHash('sha1').update(password).digest();
  return `IDENTIFIED VIA mysql_native_password USING '*${createHash('sha1').update(once).digest('hex').toUpperCase()}'`;
}
