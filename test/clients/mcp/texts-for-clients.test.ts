/**
 * All sentences for clients, taken from the modules that make them: none says how to get more
 * access (spec §4). test/attacks/what-clients-read.test.ts has the answers of a running daemon.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as bridgeFailures from '../../../bridge/failures.ts';
import { type Scope, scopes } from '../../../daemon/access/tokens/token.ts';
import { unclassified } from '../../../daemon/classifier/unclassified.ts';
import { type HttpRefusal, refuse } from '../../../daemon/clients/http/refuse.ts';
import { instructionsFor } from '../../../daemon/clients/mcp/instructions.ts';
import { promptList } from '../../../daemon/clients/mcp/prompts.ts';
import { questionForm } from '../../../daemon/clients/mcp/question-text.ts';
import { resourceTemplates } from '../../../daemon/clients/mcp/resources/address.ts';
import { buildCatalog } from '../../../daemon/clients/mcp/tool-catalog.ts';
import { allTools } from '../../../daemon/clients/mcp/tools/index.ts';
import type { DatabaseFailure } from '../../../daemon/engines/engine.ts';
import { tlsReason } from '../../../daemon/engines/tls-reason.ts';
import type { Refusal } from '../../../daemon/refusal.ts';
import { refusalOf } from '../../../daemon/statement/failure-refusals.ts';
import type { TimeoutRaise } from '../../../daemon/statement/waiting-words.ts';
import { harmless, textsIn, waysToGetMore } from '../../attacks/ways-to-get-more.ts';
import { saidOf } from './said.ts';

const catalog = buildCatalog(allTools({} as Parameters<typeof allTools>[0]));
const toolsOf = (scope: Scope): readonly string[] => catalog.listFor(scope).map(({ name }) => name);
const lackedBy = (scope: Scope): readonly string[] =>
  toolsOf('fullAccess').filter(name => !toolsOf(scope).includes(name));

function expectNothing(text: string, allowed: readonly string[] = []): void {
  expect({ text, ways: waysToGetMore(text, allowed) }).toEqual({ text, ways: [] });
}

test('the search finds what it should', () => {
  for (const way of [
    '`sallyport connections set Shop --external-clients read-write --for 1h`',
    'run sallyport resume',
    'with --ca',
    'more than results.maxRows allows',
    '`chmod 600 secrets.json`',
  ])
    expect(waysToGetMore(`It says ${way}.`)).not.toEqual([]);
  expect(waysToGetMore('Sallyport is paused -- so what? `parameters` is an argument, --, a-b--c.')).toEqual([]);
  expect(waysToGetMore('run `sallyport start`', harmless)).toEqual([]);
});

const noYes = (why: Extract<Refusal, { kind: 'no_yes' }>['why']): Refusal => {
  return { kind: 'no_yes', why, connection: 'Shop', secondsLeft: 9 };
};
const reason = 'DROP destroys the table.';
const refusals: { readonly [Kind in Refusal['kind']]: readonly Refusal[] } = {
  tool_error: [
    { kind: 'tool_error', word: 'denied', sentence: 'It is so.' },
    { kind: 'tool_error', word: 'not_connected', sentence: 'Its host key is unknown.', request: 'kept' },
  ],
  read_only: (['connection', 'token'] as const).flatMap(limitedBy =>
    [true, false].flatMap(flag => [
      { kind: 'read_only', limitedBy, isDestructive: flag, reason, reasonAdvises: false } as const,
      { kind: 'read_only', limitedBy, isDestructive: flag, reason, reasonAdvises: true } as const,
      { kind: 'read_only', limitedBy, isDestructive: flag, reason, reasonAdvises: false, request: 'kept' } as const,
    ]),
  ),
  needs_yes: (['statement', 'rows'] as const).flatMap(because =>
    [true, false].flatMap(canBePreviewed => [
      { kind: 'needs_yes', because, told: [reason], canBePreviewed } as const,
      { kind: 'needs_yes', because, told: [reason], canBePreviewed, request: 'kept' } as const,
    ]),
  ),
  no_yes: (['no', 'timeout', 'nobody', 'too_long_for_client', 'too_many_open', 'quiet'] as const).map(noYes),
  withdrawn: [null, false, true].flatMap(mayHaveRun =>
    [
      { kind: 'tool' } as const,
      { kind: 'connection', connection: 'Shop' } as const,
      { kind: 'yes_first', connection: 'Shop' } as const,
      ...(['connection', 'time', 'token'] as const).map(by => ({ kind: 'writing', by, connection: 'Shop' }) as const),
    ].map(why => ({ kind: 'withdrawn', why, mayHaveRun }) as const),
  ),
  asked_already: (['waiting', 'again', 'refused'] as const).map(
    state => ({ kind: 'asked_already', state, since: 0 }) as const,
  ),
  unrecordable: [{ kind: 'unrecordable', problem: 'The log can not be written: `chmod 600 /home/x/secrets.json`.' }],
  masked: [
    { kind: 'masked', columns: [{ schema: 'public', table: 'users', column: 'email' }] },
    {
      kind: 'masked',
      columns: Array.from({ length: 10 }, (_, at) => ({ schema: null, table: 'users', column: `c${at}` })),
    },
  ],
  connection_unavailable: [
    { kind: 'connection_unavailable', asked: 'Shop', usable: [] },
    { kind: 'connection_unavailable', asked: 'Shop', usable: ['Other'] },
  ],
  tool_out_of_scope: [{ kind: 'tool_out_of_scope', tool: 'a_tool', needs: 'fullAccess', has: 'readOnly' }],
  unknown_tool: [{ kind: 'unknown_tool', tool: 'a_tool' }],
  unknown_argument: [{ kind: 'unknown_argument', tool: 'a_tool', argument: 'x', accepted: ['sql'] }],
  malformed_cursor: [{ kind: 'malformed_cursor' }],
  invalid_request_state: [{ kind: 'invalid_request_state' }],
  cancelled: [{ kind: 'cancelled' }],
};

const failures: { readonly [Kind in DatabaseFailure['kind']]: DatabaseFailure } = {
  query_failed: { kind: 'query_failed', message: 'no such table: x', code: '1' },
  read_only: { kind: 'read_only', message: 'it only reads' },
  timeout: { kind: 'timeout', seconds: 3 },
  server_limit: { kind: 'server_limit', limit: 'transaction_timeout' },
  locked: { kind: 'locked', seconds: 3, holder: '"psql" of the user "ada"' },
  no_answer: { kind: 'no_answer', stage: 'statement', seconds: 3 },
  busy: { kind: 'busy', why: { who: 'server', said: 'too many clients at db:5432', seconds: 3 } },
  no_free_session: { kind: 'no_free_session', seconds: 3, sessions: 4, own: 1 },
  not_connected: { kind: 'not_connected', message: 'nothing listens there' },
  outcome_unknown: { kind: 'outcome_unknown', reason: 'it was cut off' },
  cancelled: { kind: 'cancelled' },
  not_committed: { kind: 'not_committed', remains: [] },
  unproved_wall: { kind: 'unproved_wall', said: 'no READ ONLY at db:5432' },
  masked: { kind: 'masked', columns: [{ schema: null, table: 'users', column: 'email' }] },
  not_as_provided: { kind: 'not_as_provided' },
  unsupported: { kind: 'unsupported', message: 'it has none' },
};

describe.each(scopes)('to a client whose token has %s', scope => {
  test.each(Object.values(refusals).flat())('%j', refusal => {
    const said = saidOf(refusal, scope);
    expectNothing(said);
    for (const tool of lackedBy(scope)) expect(said).not.toContain(tool);
  });

  test('the failures of a database', () => {
    for (const failure of Object.values(failures))
      for (const time of ['can-raise', 'at-maximum', 'fixed'] as const satisfies TimeoutRaise[])
        expectNothing(
          saidOf(refusalOf(failure, { name: 'Shop', host: 'db', socketPath: null, filePath: null }, time), scope),
        );
  });

  test('instructions, tools, prompts and templates name no tool that it lacks', () => {
    const told = textsIn([instructionsFor(scope), catalog.listFor(scope), promptList, resourceTemplates]).join('\n');
    expectNothing(told);
    for (const tool of lackedBy(scope)) expect(told).not.toContain(tool);
  });
});

const http: { readonly [Kind in HttpRefusal['kind']]: readonly HttpRefusal[] } = {
  method_not_allowed: [{ kind: 'method_not_allowed', allow: 'POST' }],
  path_unknown: [{ kind: 'path_unknown' }],
  expectation_unknown: [{ kind: 'expectation_unknown' }],
  forbidden_host: [{ kind: 'forbidden_host' }],
  forbidden_origin: [{ kind: 'forbidden_origin' }],
  body_too_large: [{ kind: 'body_too_large', capBytes: 9 }],
  body_too_complex: [{ kind: 'body_too_complex', sentence: 'x' }],
  inexact_number: [{ kind: 'inexact_number', number: '1e999' }],
  body_incomplete: [{ kind: 'body_incomplete' }],
  body_too_slow: [{ kind: 'body_too_slow' }],
  invalid_exchange: [{ kind: 'invalid_exchange', sentence: 'x' }],
  challenge_mismatch: [{ kind: 'challenge_mismatch' }],
  code_not_found: [{ kind: 'code_not_found' }],
  code_expired: [{ kind: 'code_expired' }],
  unauthenticated: (['missing', 'malformed', 'unknown', 'revoked', 'dead_bridge_token'] as const).map(why => {
    return { kind: 'unauthenticated', reason: why };
  }),
  token_expired: [{ kind: 'token_expired' }],
  clock_behind: [{ kind: 'clock_behind', tokenMadeAt: '2026-01-01T00:00:00Z' }],
  limited: [{ kind: 'limited', limit: 'rate', sentence: 'x', retryAfterSeconds: 3 }],
  exchange_limited: [{ kind: 'exchange_limited', retryAfterSeconds: 3 }],
  switched_off: (['stopping', 'switched_off', 'paused', 'moved'] as const).map(why => ({ kind: 'switched_off', why })),
  not_json_content: [{ kind: 'not_json_content' }],
  not_json: [{ kind: 'not_json' }],
  not_a_message: [{ kind: 'not_a_message' }],
  batch: [{ kind: 'batch' }],
  protocol_version: [{ kind: 'protocol_version', requested: '2020-01-01' }],
  invalid_initialize: [{ kind: 'invalid_initialize' }],
  two_versions: [{ kind: 'two_versions', header: 'a', body: 'b' }],
  session_missing: [{ kind: 'session_missing' }],
  session_unknown: [{ kind: 'session_unknown' }],
  cancelled: [{ kind: 'cancelled' }],
  internal: [{ kind: 'internal', requestId: 'r' }],
};

test.each(Object.values(http).flat())('over HTTP: %j', refusal => {
  const { headers, body } = refuse(refusal, 1);
  expectNothing(`${body} ${JSON.stringify(headers)}`);
});

test('the bridge’s own sentences name only what starts Sallyport, or looks at it', () => {
  const made = [
    bridgeFailures.notRunning('it ended'),
    bridgeFailures.unprovenDaemon('it is another', '/tmp/handshake.json'),
    bridgeFailures.foreignHome("Sallyport's home can't be used: /tmp/home belongs to another user."),
    bridgeFailures.outdated(['2025-11-25']),
    ...[true, false, null].map(isOlder => bridgeFailures.incompatible({ version: '1', isOlder })),
    bridgeFailures.unforeseen(new Error('x')),
    bridgeFailures.strangeAnswer(500),
    bridgeFailures.tooLong(9),
    bridgeFailures.unknownLogLevel(['debug']),
  ];
  const fixed = Object.values(bridgeFailures).filter(each => typeof each === 'object');
  expect(fixed.length).toBeGreaterThan(5);
  for (const { message } of [...made, ...fixed]) expectNothing(message, harmless);
});

test('why a certificate is refused, why a statement wasn’t classified, and how the user is asked', () => {
  for (const words of ['self-signed certificate', 'altnames', 'alert unknown ca', 'key values mismatch', 'expired'])
    expectNothing(`TLS failed (${words})${tlsReason(words).why}.`);
  for (const each of Object.values(unclassified))
    expectNothing(textsIn(typeof each === 'function' ? each(9 as never) : each).join('\n'));
  const connection = { id: 'i', name: 'Shop', tags: [], colour: null };
  const statement = { text: 'drop table x', class: 'destructive', reason, reasonParts: [], tables: ['x'] } as const;
  for (const shown of [null, statement])
    expectNothing(
      textsIn(
        questionForm(
          { kind: 'first_use', client: 'c', connection, means: 'Read only.', statement: shown },
          { tokenName: 'token', isBox: false },
        ),
      ).join('\n'),
    );
});

/** The rooms that write text for clients. */
const rooms = [
  'daemon/clients/mcp',
  'daemon/clients/http',
  'daemon/statement',
  'daemon/access',
  'daemon/classifier',
  'daemon/engines',
  'daemon/guard',
  'bridge',
];

/** Files whose text only people read, or nobody. */
const forPeople: readonly string[] = [
  'daemon/access/store-doubt.ts',
  'daemon/engines/role.ts',
  'daemon/engines/sqlite/dial/saved-file.ts',
  'bridge/failures.ts',
  'bridge/daemon/finding.ts',
  'bridge/main.ts',
];

test('no text in the source of those rooms names a command or option, or a setting within a sentence', () => {
  const root = join(import.meta.dirname, '../../..');
  const found = rooms.flatMap(room =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .map(file => `${room}/${file}`)
      .filter(file => file.endsWith('.ts') && !forPeople.includes(file))
      .flatMap(file =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .filter(line => /['"`]/.test(line) && !/^\s*(?:\/\/|\/?\*|import )/.test(line))
          .filter(line => /[a-z] [a-z]/i.test(line.replace(/'[\w.]+'/g, '')))
          .flatMap(line => waysIn(line).map(way => `${file}: ${way}`)),
      ),
  );
  expect(found).toEqual([]);
});

/**
 * These don't count: a template's own backticks, a key between quotes that reads a value, and `--`
 * in code.
 */
function waysIn(line: string): string[] {
  const text = line
    .replace(/\['[\w.]+'\]|--\w+ (?:<|===)/g, '')
    .replaceAll('\\`', '')
    .replaceAll('`', '');
  return waysToGetMore(text).filter(way => !text.includes(`'${way}'`));
}
