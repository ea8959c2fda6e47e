/**
 * What waits for the person (spec §12), as one list and each in a few words: questions, whose
 * clients wait now, and access requests, whose clients have to ask again. Text from elsewhere is
 * escaped here.
 */

import type { AskView, DeskChange } from '../../shared/control-commands.ts';
import { shownName, shownText } from '../../shared/shown-text.ts';
import type { ControlClient } from '../control-client.ts';
import { narrowest as narrowestColumn, table, textWidth } from '../table.ts';
import { type Terminal, widthOf } from '../terminal.ts';
import { shownClock } from '../words.ts';

/** What an AI client asks: a question if a call of the client waits (`waits`), else a request. */
export interface Ask extends AskView {
  readonly connection: NonNullable<AskView['connection']>;
}

export type Ended = NonNullable<DeskChange['ended']>;

/**
 * What clients ask; not pairings, which have a sheet of their own, nor increases, which are the
 * app's.
 */
export function ofClients(asks: readonly AskView[]): readonly Ask[] {
  return asks.filter((ask): ask is Ask => ask.connection !== null);
}

/** Questions first, since somebody waits; then the oldest first. */
export async function waitingAsks(client: Pick<ControlClient, 'ask'>): Promise<readonly Ask[]> {
  return (await listedAsks(client)).asks;
}

const strength = ['forbidden', 'destructive', 'write', 'read'];

/**
 * Questions as they are; then the requests of one client together, its strongest first. The client
 * that has waited longest comes first.
 */
function grouped(asks: readonly Ask[]): readonly Ask[] {
  const clientOf = ({ client, token, waits }: Ask): string => JSON.stringify([waits, client, token]);
  const strengthOf = ({ statement, waits }: Ask): number => (waits ? 0 : strength.indexOf(statement?.class ?? 'read'));
  const clients = [...new Set(asks.map(clientOf))];
  const place = (ask: Ask): number => clients.indexOf(clientOf(ask));
  return asks.toSorted((one, other) => place(one) - place(other) || strengthOf(one) - strengthOf(other));
}

/** In the order in which they were asked, for a run. */
export function asAsked(asks: readonly Ask[]): readonly Ask[] {
  return asks.toSorted((one, other) => Date.parse(one.askedAt) - Date.parse(other.askedAt));
}

/**
 * On one line if it has the least, else on several: fewer tell neither a plan's first step nor a
 * statement's table. More than the most don't help.
 */
const listedCharacters = { least: 40, broken: 46, most: 200 } as const;

/** The same, and how many requests were not kept. */
export async function listedAsks(
  client: Pick<ControlClient, 'ask'>,
): Promise<{ asks: readonly Ask[]; unkept: number }> {
  const { asks, unkept = 0 } = await client.ask('desk.list', {});
  return { asks: grouped(ofClients(asks)), unkept };
}

/** The asks as a table with numbers, each on one line if the terminal has room. */
export function askTable(terminal: Terminal, asks: readonly Ask[]): string[] {
  const columns = {
    '#': (ask: Ask) => String(asks.indexOf(ask) + 1),
    ID: ({ id }: Ask) => id,
    CONNECTION: ({ connection: { name, colour, tags } }: Ask) =>
      [name, ...(colour === null ? [] : [colour]), ...tags].join(', '),
    CLIENT: ({ client, times }: Ask) => (times === 1 ? client : `${client} (${times} times)`),
    UNTIL: ({ expiresAt }: Ask) => shownClock(expiresAt),
  };
  const widest = (of: (ask: Ask) => string) => Math.max(...asks.map(ask => textWidth(shownText(of(ask)))));
  const taken = Object.entries(columns).reduce((sum, [title, of]) => sum + Math.max(title.length, widest(of)) + 2, 0);
  const room = (widthOf(terminal.stdout) ?? Number.POSITIVE_INFINITY) - taken;
  const characters = room < listedCharacters.least ? listedCharacters.broken : Math.min(room, listedCharacters.most);
  const deed = (ask: Ask) => wordsWithin(listedDeed(ask, characters), room);
  return table(terminal, asks, { ...columns, 'ASKS TO': deed }, 'ASKS TO');
}

/** A table breaks between words alone, and one word may be a whole list of columns. */
function wordsWithin(text: string, width: number): string {
  if (width < narrowestColumn) return text;
  return text
    .split(' ')
    .map(word => (textWidth(shownText(word)) <= width ? word : `${beginningIn(word, width - 1)}…`))
    .join(' ');
}

function beginningIn(word: string, width: number): string {
  let kept = '';
  for (const character of word) {
    if (textWidth(shownText(kept + character)) > width) break;
    kept += character;
  }
  return kept;
}

/** `run: update orders set … (41 lines)`; `run a plan of 7: 1. create …` */
function listedDeed(ask: Ask, characters: number): string {
  if (ask.statement === null) return titleOf(ask);
  const { text, lines, statements } = ask.statement;
  const shown = text.slice(0, 2 * characters).replace(/\s+/g, ' ');
  const whole = statements === undefined ? `run: ${shown}` : `run a plan of ${statements}: ${shown}`;
  if (whole.length <= characters && text.length < 2 * characters) return whole;
  const long = lines > 1 ? `… (${lines} lines)` : `… (${ask.statement.characters} characters)`;
  // In a narrow column the beginning of one line says more than its length.
  const size = statements !== undefined || (lines === 1 && characters < 60) ? '…' : long;
  return `${[...whole].slice(0, Math.max(characters - size.length, 8)).join('')}${size}`;
}

/** An ask's title, escaped: `Run a destructive statement?` */
export function titleOf({ title }: Ask): string {
  return shownText(title.text);
}

/** How an ask ended, in a word or two. */
export function endingOf({ waits }: Ask, because: Ended['because']): string {
  if (because === 'timeout') return 'Out of time';
  return waits
    ? { yes: 'Approved', no: 'Denied', cancelled: 'Withdrawn by its client' }[because]
    : { yes: 'Allowed', no: 'Refused', cancelled: 'No longer waits' }[because];
}

/** What an ask is about. Our own words come first: a cut line loses names, and not these words. */
export function aboutAsk(ask: Ask): string {
  return `${titleOf(ask)} (${shownName(ask.connection.name)}, ${shownName(ask.client)})`;
}
