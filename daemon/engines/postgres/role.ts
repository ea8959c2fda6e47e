/** Makes a fitting role on PostgreSQL in one transaction, and removes it in one. */

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Answer, CallContext, Database, PlannedRole, StatementOutcome, WantedRole } from '../engine.ts';
import { withoutStatement } from '../role.ts';
import { postgresExcess } from './role/excess.ts';
import { postgresRoleFacts } from './role/facts.ts';
import { postgresName, postgresNotes, postgresStatements, postgresSteps } from './role/steps.ts';

const unread = { columns: () => {}, row: () => true };
const limits = { cellBytes: 1_024, wireBytes: 64 * 1_024 };

/** PostgreSQL would cut a longer name, which might be another role's. */
const longestNameBytes = 63;

/** @param others whether clients may name other databases of the connection. */
export async function planRole(
  database: Database,
  context: CallContext,
  wanted: WantedRole,
  others: boolean,
): Promise<Answer<PlannedRole>> {
  if (Buffer.byteLength(wanted.name) > longestNameBytes)
    return unsupported(`A role's name has at most ${longestNameBytes} bytes on PostgreSQL.`);
  const answer = await postgresRoleFacts(database, context, wanted);
  if (answer.kind !== 'done') return answer;
  const facts = answer.value;
  if (facts.isTaken) return unsupported(`There is already a role ${JSON.stringify(wanted.name)} on this server.`);
  const missing = wanted.schemas?.find(name => !facts.schemas.some(schema => schema.name === name));
  if (missing !== undefined)
    return unsupported(`There is no schema ${JSON.stringify(missing)} that ${facts.presentRole} may use.`);
  if (facts.schemas.length === 0) return unsupported(`${facts.presentRole} may use no schema but the system's own.`);
  const role = postgresName(wanted.name);
  const removal = [`DROP OWNED BY ${role}`, `DROP ROLE ${role}`];
  const stays = `the role ${JSON.stringify(wanted.name)} is still there; \`${removal.join('; ')}\` removes it`;
  const run = (statements: readonly string[]) => runTogether(database, context, statements);
  return {
    kind: 'done',
    value: {
      steps: postgresSteps(facts, wanted),
      notes: postgresNotes(facts, others),
      mayMake: facts.mayCreateRoles,
      async make(password) {
        const outcome = await run(postgresStatements(facts, wanted, scramVerifier(password, randomBytes(16))));
        if (outcome.kind === 'done') return { kind: 'made' };
        // Only the server knows whether a COMMIT without an answer took effect.
        const unknown = outcome.kind === 'outcome_unknown' ? `if ${stays}` : null;
        return { kind: 'failed', failure: withoutStatement(outcome, /SCRAM-SHA-256/), stays: unknown };
      },
      async remove() {
        // Unless it is a superuser, only a member may drop what a role owns and was granted.
        const outcome = await run([`GRANT ${role} TO CURRENT_USER`, ...removal]);
        return { stays: outcome.kind === 'done' ? null : stays };
      },
      excess: (asNewRole, asked) => postgresExcess(asNewRole, asked, wanted),
    },
  };
}

/**
 * Runs them as one statement, so as one transaction. The body is a literal in which only the quote
 * has a meaning.
 */
function runTogether(
  database: Database,
  context: CallContext,
  statements: readonly string[],
): Promise<StatementOutcome> {
  const body = `BEGIN\n${statements.join(';\n')};\nEND`;
  const sql = `DO '${body.replaceAll("'", "''")}'`;
  return database.run({ ...context, sql, parameters: [], session: 'write', limits }, unread);
}

function unsupported(message: string): Answer<never> {
  return { kind: 'unsupported', message };
}

/** PostgreSQL's default (`scram_iterations`, RFC 7677 §4). */
const iterations = 4_096;

/**
 * A password in the form that PostgreSQL stores (RFC 5803). Computed here, so neither the server's
 * log nor its statistics see the password.
 * @param password of ASCII, which SASLprep leaves as it is. @param salt 16 bytes
 */
export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
