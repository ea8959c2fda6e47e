import { describe, expect, test } from '@jest/globals';
import { aiPolicies, externalClientsLevels } from '../../daemon/access/connection.ts';
import { effectiveAccess } from '../../daemon/access/effective-access.ts';
import { scopes } from '../../daemon/access/tokens/token.ts';
import type { Classification } from '../../daemon/query/classification/classification.ts';
import { decide, type StatementTool } from '../../daemon/query/decide.ts';
import { connectionWith, principalWith } from '../access/principals.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

function classified(changes: Partial<Classification>): Classification {
  return {
    class: 'read',
    reason: 'Because.',
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

/** What each tool does with each statement where writing is allowed. */
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
    // execute_query may have refused it by the rows that it changed.
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

/** Where only reading is allowed, reads and what is forbidden stay as they are and all the rest is denied. */
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
        const decision = decide(tool, classification, access, 'Shop');
        const said =
          decision.kind === 'run'
            ? decision.session
            : decision.refusal.kind === 'tool_error'
              ? decision.refusal.word
              : decision.refusal.kind;
        expect([tool, statement, said]).toEqual([tool, statement, expected]);
      }
    }
  });
});

test('what a person can do about it is said as a command, with its end', () => {
  const limited = (limitedBy: 'connection' | 'token', statement: Statement = 'bounded DML') =>
    decide(
      'execute_query',
      statements[statement],
      { kind: 'visible', level: 'readOnly', limitedBy, askFirst: false },
      'My shop',
    );
  const saying = (command: string) => ({ refusal: { sentence: expect.stringContaining(`\`sallyport ${command}\``) } });
  expect(limited('connection')).toMatchObject(
    saying("connections set 'My shop' --external-clients read-write --for 1h"),
  );
  expect(limited('token')).toMatchObject(saying('tokens mint --name writer --scope read-write --expires 1'));
  // The level alone, or a token that only writes, would bring the next refusal.
  const takes = (what: RegExp) => ({ refusal: { sentence: expect.stringMatching(what) } });
  expect(limited('connection', 'DROP')).toMatchObject(
    takes(
      /It is destructive, so it also takes a token with Full Access and the user's yes\. .* read-write --for 1h`\.$/,
    ),
  );
  expect(limited('token', 'DROP')).toMatchObject(takes(/the user's yes\. .*--scope full-access --expires 1`\.$/));
});

test('what a reason advises itself is not topped by opening the connection for writing', () => {
  const reason = 'shop.len() is not built in; check its name.';
  const readOnly = { kind: 'visible', level: 'readOnly', limitedBy: 'connection', askFirst: false } as const;
  expect(decide('execute_query', classified({ class: 'write', reason }), readOnly, 'Shop')).toMatchObject({
    refusal: { sentence: expect.stringMatching(/^This connection is read only .*; check its name\.$/) },
  });
});

test('the connection being why is said in the words clients know', () => {
  const readOnly = { kind: 'visible', level: 'readOnly', limitedBy: 'connection', askFirst: false } as const;
  expect(decide('execute_query', statements.DROP, readOnly, 'Shop')).toMatchObject({
    refusal: { sentence: expect.stringContaining('This connection is read only for external clients.') },
  });
});

test('what has a data change within it is told apart from one that is itself such a change', () => {
  const writing = { kind: 'visible', level: 'readWrite', limitedBy: 'nothing', askFirst: false } as const;
  const reason = 'DELETE removes the rows of c3 that its WHERE selects.';
  for (const kind of ['write', 'destructive'] as const)
    expect(decide('preview_write', classified({ class: kind, reason }), writing, 'Shop')).toMatchObject({
      refusal: {
        word: 'unsupported',
        sentence: `${reason} Only a statement that is itself an INSERT, UPDATE, DELETE, REPLACE or MERGE can be previewed, none that has one within it.`,
      },
    });
});
