/**
 * `search_query_history` (spec §9): the client's own statements, of earlier conversations too; with
 * Full Access everybody's on the connections that it sees.
 */

import * as z from 'zod';
import { accountOf } from '../../../access/tokens/token.ts';
import { wholeCharacters } from '../../../engines/shorten.ts';
import { isWholeSight, mayName, type Sight, wholeSight } from '../../../guard/sight.ts';
import type { Refusal } from '../../../refusal.ts';
import type { HistoryEntry, HistoryQuestion, StatementHistory } from '../../../statement/history.ts';
import { firstFitting } from '../bounded.ts';
import { success, type Tool, type ToolCall } from '../tool.ts';
import { answerBytes } from './result-answer.ts';
import { resolveFor, type ToolPorts, usableConnections } from './tool-ports.ts';

export interface HistoryToolPorts extends ToolPorts {
  readonly history: StatementHistory;
}

const isoInstant = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]);
const instant = z
  .string()
  .max(40)
  .refine(text => isoInstant.safeParse(text).success, 'an ISO 8601 instant, such as 2026-01-31T12:00:00Z')
  .optional();

const input = z.strictObject({
  query: z.string().min(1).max(500).optional().describe('Words that all occur, or "a phrase"'),
  connection: z.string().min(1).max(256).optional(),
  since: instant.describe('ISO 8601'),
  until: instant,
  limit: z.number().int().min(1).max(200).optional().describe('Default 20'),
});

const output = z.object({
  statements: z.array(
    z.object({
      time: z.string(),
      connection: z.string(),
      token: z.string(),
      client: z.string().optional(),
      statement: z.string().nullable(),
      cut: z.boolean().optional(),
      class: z.string(),
      outcome: z.string(),
      rows: z.number().optional(),
      duration_ms: z.number().optional(),
    }),
  ),
  older_left_out: z.number().optional(),
  hint: z.string().optional(),
});

const defaultLimit = 20;
/** The largest share of an answer that one of several statements may take. */
const largestPart = 1 / 8;

export function searchQueryHistory(ports: HistoryToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'search_query_history',
    title: 'Search earlier statements',
    description: 'Earlier statements, of other conversations too.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, args) {
      const within = await connectionsOf(ports, call, args.connection);
      if (within.kind === 'refused') return within;
      const isEverybodys = call.principal.scope === 'fullAccess';
      const { query: text = null, limit = defaultLimit } = args;
      const asked = { text, until: instantOf(args.until), limit };
      const since = instantOf(args.since);
      const open = within.ids.filter(id => sightOf(ports, id) === null);
      const kept = { connections: open, ...(isEverybodys ? everybodys : ownOf(call)) };
      const found = [await ports.history.search({ ...asked, ...kept, since })];
      for (const id of within.ids) found.push(await searchInSight(ports, call, id, { ...asked, since }));
      const entries = found
        .flat()
        .sort((one, other) => other.id - one.id)
        .slice(0, limit);
      const all = { text: null, since: null, until: null, limit: 1 };
      const others = entries.length === 0 ? await ports.history.search({ ...kept, ...all }) : entries;
      const { maxBytes } = answerBytes(undefined, ports.limits());
      const longest = entries.length === 1 ? maxBytes : Math.floor(maxBytes * largestPart);
      // The newest; `until` with the last one's time gets the others.
      const statements = firstFitting(
        entries.map(entry => wireForm(entry, longest)),
        maxBytes,
      );
      const leftOut = entries.length - statements.length;
      const whose = isEverybodys ? 'any client' : 'this client';
      const why = open.length < within.ids.length ? outOfSight : whyNone(whose, others.length > 0);
      const hint = entries.length > 0 ? null : ports.history.isOn() ? why : switchedOff;
      return success({
        ...(hint !== null && { hint }),
        statements,
        ...(leftOut > 0 && { older_left_out: leftOut }),
      });
    },
  };
}

const everybodys = { principal: null, client: null };

/** Told apart as access requests are: the bridge's process changes, its client's name doesn't. */
function ownOf({ principal, client }: ToolCall): { readonly principal: string; readonly client: string } {
  return { principal: accountOf(principal), client };
}

const switchedOff = 'The user has switched the history off, so statements are not kept now.';
const outOfSight =
  'Where tables are kept out of sight or columns masked, only what this client ran since the connection was last changed is told, and nothing that may name a hidden table.';

function whyNone(whose: string, areThereOthers: boolean): string {
  return areThereOthers
    ? `None of what ${whose} ran there matches; leave out query, since or until to see the rest.`
    : `Nothing that ${whose} ran there is still kept.`;
}

function sightOf({ connections }: Pick<ToolPorts, 'connections'>, id: string): Sight | null {
  const { sight = wholeSight, masks } = connections.find(id) ?? {};
  // What others wrote may hold values of a masked column.
  return masks === undefined && isWholeSight(sight) ? null : sight;
}

const page = 200;
const mostPages = 50;

/**
 * Of a connection that hides tables or masks columns: its client's own statements that ran under
 * this very sight.
 * Earlier ones, and others', may name what it must not meet, also as a view that reads it.
 */
async function searchInSight(
  ports: HistoryToolPorts,
  call: ToolCall,
  id: string,
  asked: Pick<HistoryQuestion, 'text' | 'since' | 'until' | 'limit'>,
): Promise<readonly HistoryEntry[]> {
  const sight = sightOf(ports, id);
  const changed = Date.parse(ports.connections.find(id)?.updatedAt ?? '');
  if (sight === null || Number.isNaN(changed)) return [];
  const since = Math.max(changed, asked.since ?? changed);
  const entries: HistoryEntry[] = [];
  let before: number | null = null;
  for (let count = 0; count < mostPages && entries.length < asked.limit; count++) {
    const question: HistoryQuestion = { ...asked, since, connections: [id], ...ownOf(call), before, limit: page };
    const found = await ports.history.search(question);
    entries.push(...found.filter(({ statement }) => statement === null || !mayName(sight, statement)));
    before = found.at(-1)?.id ?? null;
    if (found.length < page) break;
  }
  return entries.slice(0, asked.limit);
}

type Within =
  | { readonly kind: 'within'; readonly ids: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * A connection that is hidden now stays hidden, whatever ran there; one that asks first tells
 * nothing before the approval.
 */
async function connectionsOf(ports: ToolPorts, call: ToolCall, named: string | undefined): Promise<Within> {
  if (named !== undefined) {
    const found = await resolveFor(ports, call, named);
    return found.kind === 'refused' ? found : { kind: 'within', ids: [found.resolved.connection.id] };
  }
  return { kind: 'within', ids: usableConnections(ports, call.principal).map(({ connection }) => connection.id) };
}

function instantOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}

type WireForm = z.infer<typeof output>['statements'][number];

/** @param longest bytes of the statement as JSON. */
function wireForm(entry: HistoryEntry, longest: number): WireForm {
  const { statement } = entry;
  const bytes = statement === null ? 0 : Buffer.byteLength(JSON.stringify(statement));
  const isLong = statement !== null && bytes > longest;
  return {
    time: entry.time,
    connection: entry.connection.name,
    token: entry.tokenName,
    ...(entry.client !== null && { client: entry.client }),
    statement: isLong ? wholeCharacters(statement, Math.floor((statement.length * longest) / bytes)) : statement,
    ...((isLong || entry.isCut) && { cut: true }),
    class: entry.class,
    outcome: entry.outcome,
    ...(entry.rows !== null && { rows: entry.rows }),
    ...(entry.durationMilliseconds !== null && { duration_ms: Math.round(entry.durationMilliseconds * 100) / 100 }),
  };
}
