/** `execute_query` (spec §9): runs one statement of the client and returns its result set. */

import * as z from 'zod';
import { callSeconds } from '../../../../shared/call-time.ts';
import type { RequestOutcome } from '../../../access/requests/access-requests.ts';
import { type Dialect, isScalar } from '../../../engines/dialect.ts';
import { type Refusal, toolError } from '../../../refusal.ts';
import type { Call } from '../../../statement/call.ts';
import { maxParameters } from '../../../statement/query-limits.ts';
import type { ResultSet } from '../../../statement/result-set.ts';
import { type RunResult, runStatement } from '../../../statement/run-statement.ts';
import { laterOutcomeSentence } from '../later-outcome-words.ts';
import {
  answeredAlready,
  askedFor,
  circumstancesOf,
  ranAnswer,
  ranByOwner,
  runAllowed,
  withRequest,
} from '../request-access.ts';
import { whileRunning } from '../running-progress.ts';
import { refused, type Tool, type ToolCall } from '../tool.ts';
import { cursorOf } from './fetch-rows.ts';
import { hintOnEmpty } from './hint-on-empty.ts';
import { answerBytes, formats, maxBytesArgument, resultAnswer, resultSetOutput } from './result-answer.ts';
import { connectionArgument, databaseArgument, schemaArgument } from './shared-arguments.ts';
import { resolveFor, statementOf, type ToolPorts } from './tool-ports.ts';

/** PostgreSQL also takes lists and objects, which not every client's schema can express. */
const parameter = z.unknown().meta({ type: ['string', 'number', 'boolean'] });

const input = z.strictObject({
  connection: connectionArgument.describe('id or name'),
  sql: z.string().min(1).describe('One statement'),
  parameters: z.array(parameter).max(maxParameters).optional().describe('$1 on PostgreSQL, ? elsewhere'),
  max_rows: z.number().int().min(1).max(10_000).optional().describe('Default 500'),
  max_bytes: maxBytesArgument.describe('Default 24 KiB, 8 if not all rows fit'),
  timeout_seconds: z.number().min(callSeconds.least).max(callSeconds.most).optional().describe('Default 30'),
  schema: schemaArgument,
  database: databaseArgument,
  format: z.enum(formats).optional(),
});

const exactValues = 'bigint and numeric come as strings, on SQLite from 2^53, binary as \\x hex.';

export function executeQuery(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'execute_query',
    title: 'Run a query',
    description: `Runs one SQL statement: a read, or a write where the connection allows it; a write that empties a table or changes too many rows is rolled back. ${exactValues}`,
    scope: 'readOnly',
    // It may update and delete rows, which is more than the "additive" that `false` would promise.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    toReaders: {
      description: `Runs one SQL statement that reads. ${exactValues}`,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    },
    input,
    output: resultSetOutput,
    async run(call, args) {
      const found = await resolveFor(ports, call, args.connection);
      if (found.kind === 'refused') return found;
      const { resolved } = found;
      const { dialect } = ports.databases.of(resolved.connection);
      const given = args.parameters ?? [];
      const parameters = dialect.parameters(args.sql, given);
      if (parameters === null)
        return refused(toolError('invalid_argument', noParameter(given.findIndex(value => !isScalar(value)))));
      const format = args.format ?? 'rows';
      const reading = ports.held.begin(call.principal);
      let rows = 0;
      try {
        const statement = statementOf(ports, call, 'execute_query', {
          resolved,
          sql: args.sql,
          parameters,
          maxRows: args.max_rows,
          timeoutSeconds: args.timeout_seconds,
          schema: args.schema,
          database: args.database,
          room(bytes) {
            rows += 1;
            return reading.room(bytes);
          },
        });
        const later = await ports.unknownOutcomes.look(statement);
        const told = later.outcomes.map(laterOutcomeSentence);
        const ran = await whileRunning(
          call,
          () => runAsAllowed(ports, call, statement),
          seconds => `running for ${seconds} s${rows === 0 ? '' : `, ${rows} rows read`}`,
        );
        if (ran.kind === 'ran_by_owner') return ranAnswer(ran.outcome);
        if (ran.kind === 'refused') {
          const advised = withAdvice(dialect, statement, given, ran.refusal);
          if (advised.kind !== 'tool_error' || told.length === 0) return refused(advised);
          later.told();
          return refused({ ...advised, sentence: [advised.sentence, ...told].join(' ') });
        }
        later.told();
        const result = withWarnings(withBinaryWarning(dialect, statement, ran.resultSet), told);
        const hint = result.rows.length > 0 ? null : await hintOnEmpty(ports, call, statement, ran);
        const limits = ports.limits();
        const isUnbounded = args.max_bytes === undefined && args.max_rows === undefined;
        return resultAnswer({
          resolved,
          dialect,
          result,
          hint,
          format,
          from: 0,
          statement: result,
          maxRows: result.rows.length,
          ...answerBytes(args.max_bytes, limits),
          mayBeShort: { whereBytesEnd: args.max_bytes === undefined, whereRowsEnd: isUnbounded },
          cursorTo(index, spared) {
            const { connection } = resolved;
            const name = reading.hold({ result, connection, format, spared: { from: index, bytes: spared } });
            return name === null ? null : cursorOf(name, index);
          },
        });
      } finally {
        reading.end();
      }
    },
  };
}

/**
 * Runs it as connection, token and guard allow it, or as the user has allowed it after an earlier
 * refusal.
 */
async function runAsAllowed(
  ports: ToolPorts,
  call: ToolCall,
  statement: Call,
): Promise<RunResult | { readonly kind: 'ran_by_owner'; readonly outcome: RequestOutcome }> {
  const { resolved, sql: text, parameters } = statement;
  const { schema, database } = statement.context;
  const asked = askedFor(call, 'execute_query', resolved, { text, parameters, schema, database });
  const before = ports.accessRequests.askedBefore(asked, circumstancesOf(resolved));
  const answered = answeredAlready(before);
  if (answered !== null) return { kind: 'refused', refusal: answered };
  const outcome = ranByOwner(ports.accessRequests, before, call.principal);
  if (outcome !== null) return { kind: 'ran_by_owner', outcome };
  if (before !== null && ports.accessRequests.take(before.id)) return runAllowed(ports, statement, before);
  const ran = await runStatement(ports, 'execute_query', statement);
  if (ran.kind === 'done') return ran;
  return {
    kind: 'refused',
    refusal: await withRequest(ports.accessRequests, resolved, asked, ran.refusal, ran.classification),
  };
}

/**
 * A statement in another engine's syntax fails with words that don't name that engine; SQLite's
 * adapter names it itself.
 */
function withAdvice(dialect: Dialect, { sql }: Call, given: readonly unknown[], refusal: Refusal): Refusal {
  if (refusal.kind !== 'tool_error') return refusal;
  const isSyntax = refusal.word === 'query_failed' || refusal.word === 'unsupported';
  const advice = isSyntax ? dialect.parameterAdvice?.(sql, given, refusal.sentence) : null;
  return advice == null ? refusal : toolError(refusal.word, `${refusal.sentence} ${advice}`);
}

function noParameter(index: number): string {
  return `'parameters.${index}' must be text, a number, true, false or null, and JSON as text: only PostgreSQL takes lists and objects.`;
}

const shownBinary = /^\\x(?:[0-9a-f]{2})+$/i;

/**
 * If binary isn't accepted in the form shown, a search for it finds nothing, and a write stores the
 * text.
 */
function withBinaryWarning({ shownBinaryWarning }: Dialect, { parameters }: Call, result: ResultSet): ResultSet {
  const isShownBinary = parameters.some(value => typeof value === 'string' && shownBinary.test(value));
  return withWarnings(result, shownBinaryWarning !== undefined && isShownBinary ? [shownBinaryWarning] : []);
}

function withWarnings(result: ResultSet, warnings: readonly string[]): ResultSet {
  return warnings.length === 0 ? result : { ...result, warnings: [...result.warnings, ...warnings] };
}
