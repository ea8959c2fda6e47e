/**
 * Makes a fitting user on MySQL and MariaDB. Grants can't be rolled back, so it is made step by
 * step and dropped if a later step fails.
 */

import { shownText } from '../../../shared/shown-text.ts';
import type {
  Answer,
  CallContext,
  Database,
  DatabaseFailure,
  PlannedRole,
  StatementOutcome,
  WantedRole,
} from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { withoutStatement } from '../role.ts';
import { grantsIn } from './follow/grants.ts';
import { type MysqlRoleFacts, mysqlRoleFacts } from './role/facts.ts';
import { accountOf, grantTargets, mysqlSteps, privilegesOf } from './role/steps.ts';

const unread = { columns: () => {}, row: () => true };
const limits = { cellBytes: 1_024, wireBytes: 64 * 1_024 };

export async function planRole(
  database: Database,
  context: CallContext,
  wanted: WantedRole,
): Promise<Answer<PlannedRole>> {
  const answer = await mysqlRoleFacts(database, context, wanted);
  if (answer.kind !== 'done') return answer;
  const facts = answer.value;
  const longest = facts.isMariadb ? 80 : 32;
  if ([...wanted.name].length > longest) return unsupported(`A user's name has at most ${longest} characters here.`);
  if (facts.isTaken) return unsupported(`There is already a user ${JSON.stringify(wanted.name)} on this server.`);
  const chosen = chooseDatabases(facts, wanted);
  if (typeof chosen === 'string') return unsupported(chosen);
  const account = accountOf(wanted.name, facts.host);
  const run = (sql: string) => runAlone(database, context, sql);
  const drop = `DROP USER ${account}`;
  const stays = `the user ${JSON.stringify(wanted.name)} is still there; \`${drop}\` removes it`;
  const remove = async () => ({ stays: (await run(drop)).kind === 'done' ? null : stays });
  return {
    kind: 'done',
    value: {
      steps: mysqlSteps(facts, wanted, chosen.databases, null),
      notes: notesOf(facts, wanted, chosen.leftOut),
      mayMake: facts.mayCreateUsers,
      async make(password) {
        const [create = '', ...grants] = mysqlSteps(facts, wanted, chosen.databases, password).flatMap(
          ({ statements }) => statements,
        );
        const created = await run(create);
        // An existing user of that name is somebody else's and is not dropped.
        if (created.kind !== 'done')
          return {
            kind: 'failed',
            failure: own(created),
            stays: created.kind === 'outcome_unknown' ? `if ${stays}` : null,
          };
        for (const grant of grants) {
          const granted = await run(grant);
          if (granted.kind !== 'done') return { kind: 'failed', failure: own(granted), stays: (await remove()).stays };
        }
        return { kind: 'made' };
      },
      remove,
      excess: (asNewUser, asked) => mysqlExcess(asNewUser, asked, wanted, facts, chosen.databases),
    },
  };
}

interface Chosen {
  readonly databases: readonly string[];
  readonly leftOut: number;
}

/**
 * MySQL can't escape unprintable characters: a pasted statement would differ from the one shown.
 */
function chooseDatabases({ databases }: MysqlRoleFacts, { schemas }: WantedRole): Chosen | string {
  const missing = schemas?.find(name => !databases.includes(name));
  if (missing !== undefined)
    return `There is no database ${JSON.stringify(missing)} of users' that the present user may see.`;
  const wanted = schemas ?? databases;
  const shown = wanted.filter(name => shownText(name) === name);
  if (shown.length === 0) return "There is no database of users' that the present user may see.";
  return { databases: shown, leftOut: wanted.length - shown.length };
}

function notesOf({ isMariadb, inSight }: MysqlRoleFacts, { schemas }: WantedRole, leftOut: number): string[] {
  return [
    ...(isMariadb ? [] : ['MySQL keeps no longest time of a user; Sallyport still ends what takes too long.']),
    ...(schemas === null ? ['Databases that are made later are left out.'] : []),
    ...(inSight === null
      ? []
      : ['It gets the tables and columns that clients of this connection may read, and none that is made later.']),
    ...(leftOut > 0 ? ['Databases whose names have characters that cannot be shown are left out.'] : []),
    'Stored functions and procedures are left out: `GRANT EXECUTE` opens one, and it acts with the rights of whoever made it.',
  ];
}

/** Account statements commit by themselves. */
function runAlone(database: Database, context: CallContext, sql: string): Promise<StatementOutcome> {
  return database.run({ ...context, sql, parameters: [], session: 'alone', limits }, unread);
}

/**
 * Leaves out that something may stay: such a statement does nothing before its error, which the
 * adapter can't know.
 */
function own(said: DatabaseFailure): DatabaseFailure {
  // A syntax error quotes the text near it.
  const failure = withoutStatement(said, / near |IDENTIFIED/i);
  return failure.kind === 'query_failed' ? { ...failure, message: failure.said ?? failure.message } : failure;
}

/** Every grant of the new user must be an intended one. */
async function mysqlExcess(
  database: Database,
  context: CallContext,
  wanted: WantedRole,
  facts: MysqlRoleFacts,
  databases: readonly string[],
): Promise<Answer<string | null>> {
  const who = await lookUp(database, context, 'SELECT CURRENT_USER()', []);
  if (who.kind !== 'done') return who;
  if (who.value[0]?.[0] !== `${wanted.name}@${facts.host}`)
    return { kind: 'done', value: 'the server signs it in as another user' };
  const grants = await lookUp(database, context, 'SHOW GRANTS', []);
  if (grants.kind !== 'done') return grants;
  const meant: readonly string[] = privilegesOf[wanted.access];
  const targets = databases.flatMap(name => grantTargets(facts, name));
  const isMeant = (line: string): boolean => {
    if (line.startsWith('GRANT USAGE ON *.* TO ')) return true;
    const [grant] = grantsIn([line]);
    if (grant === undefined || line.endsWith(' WITH GRANT OPTION')) return false;
    const target = targets.find(({ on }) => on.toLowerCase() === grant.on.toLowerCase());
    return target !== undefined && grant.privileges.every(privilege => isGranted(privilege, target.columns));
  };
  const isGranted = (privilege: string, columns: readonly string[] | null): boolean => {
    const [, name = '', list] = /^([A-Z ]+?) ?(?:\((.*)\))?$/s.exec(privilege) ?? [];
    if (!meant.includes(name)) return false;
    if (list === undefined) return name !== 'SELECT' || columns === null;
    const named = [...list.matchAll(/`((?:[^`]|``)*)`|[^\s,]+/g)].map(
      ([whole, quoted]) => quoted?.replaceAll('``', '`') ?? whole,
    );
    return name === 'SELECT' && named.every(column => columns?.includes(column) === true);
  };
  const other = grants.value.map(([line]) => String(line)).find(line => !isMeant(line));
  if (other === undefined) return { kind: 'done', value: null };
  // After the name there may be a password hash.
  const [, what = 'more', whom = 'it'] = /^GRANT (.+?) TO (\S+)/s.exec(other) ?? [];
  return { kind: 'done', value: `the server grants ${what} to ${whom}; revoke that, then try again` };
}

function unsupported(message: string): Answer<never> {
  return { kind: 'unsupported', message };
}
