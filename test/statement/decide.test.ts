import { describe, expect, test } from '@jest/globals';
import { aiPolicies, externalClientsLevels } from '../../daemon/access/connection.ts';
import { effectiveAccess } from '../../daemon/access/effective-access.ts';
import { scopes } from '../../daemon/access/tokens/token.ts';
import { advise, type ReasonPart, say, worded } from '../../daemon/guard/reason.ts';
import type { Classification } from '../../daemon/guard/types.ts';
import { decide, type StatementTool } from '../../daemon/statement/decide.ts';
import { connectionWith, principalWith } from '../access/principals.ts';
import { saidOf } from '../clients/mcp/said.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

function classified(changes: Partial<Classification>): Classification {
  return {
    class: 'read',
    reason: 'Because.',
    reasonParts: [],
    tables: [],
    calls: [],
    needsOwnSession: false,
    isDml: false,
    isUnboundedDml: false,
    ...changes,
  };
}

const statements = {
  read: classified({}),
  'bounded DML': classified({ class: 'write', isDml: true }),
  'DDL that loses nothing': classified({ class: 'write' }),
  'maintenance outside a transaction': classified({ class: 'write', needsOwnSession: true }),
  'a plan of what writes': classified({ class: 'write', isPlan: true }),
  'unbounded DML': classified({ class: 'destructive', isDml: true, isUnboundedDml: true }),
  DROP: classified({ class: 'destructive' }),
  'DROP DATABASE': classified({ class: 'destructive', needsOwnSession: true }),
  forbidden: classified({ class: 'forbidden' }),
} as const;
type Statement = keyof typeof statements;

/** What each tool does with each statement if writing is allowed. */
const whenWritable: Record<StatementTool, Record<Statement, string>> = {
  execute_query: {
    read: 'read',
    'bounded DML': 'write',
    'DDL that loses nothing': 'write',
    'maintenance outside a transaction': 'alone',
    'a plan of what writes': 'read',
    'unbounded DML': 'denied',
    DROP: 'denied',
    'DROP DATABASE': 'denied',
    forbidden: 'unsupported',
  },
  export_data: {
    read: 'read',
    'bounded DML': 'denied',
    'DDL that loses nothing': 'denied',
    'maintenance outside a transaction': 'denied',
    'a plan of what writes': 'denied',
    'unbounded DML': 'denied',
    DROP: 'denied',
    'DROP DATABASE': 'denied',
    forbidden: 'unsupported',
  },
  confirm_destructive_operation: {
    read: 'denied',
    // execute_query may have refused it because of the rows that it changes.
    'bounded DML': 'write',
    'DDL that loses nothing': 'write',
    'maintenance outside a transaction': 'denied',
    'a plan of what writes': 'denied',
    'unbounded DML': 'write',
    DROP: 'write',
    'DROP DATABASE': 'alone',
    forbidden: 'unsupported',
  },
  preview_write: {
    read: 'unsupported',
    'bounded DML': 'rollback',
    'DDL that loses nothing': 'unsupported',
    'maintenance outside a transaction': 'unsupported',
    'a plan of what writes': 'unsupported',
    'unbounded DML': 'rollback',
    DROP: 'unsupported',
    'DROP DATABASE': 'unsupported',
    forbidden: 'unsupported',
  },
};

/**
 * If only reading is allowed, reads and forbidden statements stay the same, and all others are
 * denied.
 */
function whenReadOnly(tool: StatementTool, statement: Statement): string {
  return statement === 'read' || statement === 'forbidden' ? whenWritable[tool][statement] : 'denied';
}

const writeUntils = { 'no end': null, past: '2026-11-20T11:59:59Z', 'to come': '2026-11-20T12:00:01Z' };
const allowlists = { all: 'all', listed: [connectionWith().id], 'not listed': [] } as const;

describe('scope × level × time × policy × allowlist × tool × statement', () => {
  const circumstances = scopes.flatMap(scope =>
    externalClientsLevels.flatMap(level =>
      Object.keys(writeUntils).flatMap(until =>
        aiPolicies.flatMap(policy => Object.keys(allowlists).map(list => ({ scope, level, until, policy, list }))),
      ),
    ),
  );

  test.each(circumstances)('%j', ({ scope, level, until, policy, list }) => {
    const access = effectiveAccess(
      principalWith({ scope, connections: allowlists[list as keyof typeof allowlists] }),
      connectionWith({
        externalClients: { level, writeUntil: writeUntils[until as keyof typeof writeUntils] },
        aiPolicy: policy,
      }),
      now,
    );
    if (level === 'blocked' || policy === 'never' || list === 'not listed') {
      expect(access.kind).toBe('hidden');
      return;
    }
    if (access.kind === 'hidden') throw new Error('hidden, and nothing hides it');
    const writable = scope !== 'readOnly' && level === 'readWrite' && until !== 'past';
    for (const tool of Object.keys(whenWritable) as StatementTool[]) {
      for (const [name, classification] of Object.entries(statements)) {
        const statement = name as Statement;
        const expected = writable ? whenWritable[tool][statement] : whenReadOnly(tool, statement);
        const decision = decide(tool, classification, access);
        const said = decision.kind === 'run' ? decision.session : saidOf(decision.refusal).split(':')[0];
        expect([tool, statement, said]).toEqual([tool, statement, expected]);
      }
    }
  });
});

const limited = (limitedBy: 'connection' | 'token', statement: Classification = statements.DROP) => {
  const access = { kind: 'visible', level: 'readOnly', limitedBy, askFirst: false } as const;
  const decision = decide('execute_query', statement, access);
  if (decision.kind === 'run') throw new Error('it runs');
  return decision.refusal;
};

test('a read-only refusal uses the known words, with the statement’s kind, and says that the user can allow it', () => {
  const { reason } = statements['bounded DML'];
  expect(saidOf(limited('connection', statements['bounded DML']))).toBe(
    `denied: This connection is read only for external clients. Read from it, or ask the user to run the statement. ${reason} Only the user can allow it.`,
  );
  expect(saidOf(limited('token', statements['bounded DML']))).toBe(
    `denied: This token may only read. Read from the connection, or ask the user to run the statement. ${reason} Only the user can allow it.`,
  );
  expect(limited('connection')).toMatchObject({ kind: 'read_only', isDestructive: true });
});

test('a reason with its own advice isn’t followed by what the user could allow', () => {
  const sentenceOf = (reason: readonly ReasonPart[]) =>
    saidOf(limited('connection', classified({ class: 'write', ...worded(reason) })));
  const name = 'shop.len()';
  expect(
    sentenceOf(
      advise(
        '%@ is not built in, and no code of it is found here; check its name, and whether this engine has it.',
        name,
      ),
    ),
  ).toMatch(/^denied: This connection is read only .*; check its name, and whether this engine has it\.$/);
  // What it says after a semicolon is no advice by that, nor is a name with one.
  for (const reason of [
    say('%@ changes what is replicated; UPDATE and DELETE fail on a published table without a key.', 'x'),
    say('%@ writes rows.', 'a; b'),
  ])
    expect(sentenceOf(reason)).toMatch(/ Only the user can allow it\.$/);
});

test('a destructive statement names the tool that asks for approval only to those that have it', () => {
  const access = { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false } as const;
  const decision = decide('execute_query', statements['unbounded DML'], access);
  if (decision.kind === 'run') throw new Error('it runs');
  expect(saidOf(decision.refusal, 'fullAccess')).toMatch(
    /preview_write tells what it would change\. confirm_destructive_operation runs it once the user approves\.$/,
  );
  expect(saidOf(decision.refusal, 'readWrite')).toMatch(
    /preview_write tells what it would change\. It needs the user's yes, which you can't ask for here: ask the user to run it\.$/,
  );
});

test('a statement that contains a data change is told from one that is itself such a change', () => {
  const writing = { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false } as const;
  const reason = 'DELETE removes the rows of c3 that its WHERE selects.';
  for (const kind of ['write', 'destructive'] as const)
    expect(decide('preview_write', classified({ class: kind, reason }), writing)).toMatchObject({
      refusal: {
        word: 'unsupported',
        sentence: `${reason} Only a statement that is itself an INSERT, UPDATE, DELETE, REPLACE or MERGE can be previewed, none that has one within it.`,
      },
    });
});
