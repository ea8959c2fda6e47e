/**
 * Finds tables and routines by words in their names, columns and comments, best first. If no word
 * occurs as it is spelled, the nearest words that do are looked for instead. After these come names
 * that abbreviate: a part of the name begins a word, or is the first letters of the whole phrase.
 */

import { distanceFrom } from '../../shared/edit-distance.ts';
import type { Answer, CallContext, CatalogText, Database } from '../engines/engine.ts';
import { beginning, wholeCharacters } from '../engines/shorten.ts';

interface CatalogMatch {
  readonly schema: string | null;
  readonly name: string;
  readonly kind: CatalogText['kind'];
  readonly comment: string | null;
  /** Where the words are: `name`, `comment`, `columns a, b`. */
  readonly where: string;
  /** How many of the words it has, abbreviated ones included. */
  readonly met: number;
  /** True if only its schema's name has a word; such a match comes last. */
  readonly bySchemaAlone: boolean;
}

interface CatalogSearch {
  readonly matches: readonly CatalogMatch[];
  /** The words that were looked for instead, if those of the question are nowhere; else null. */
  readonly insteadOf: readonly string[] | null;
}

const mostWords = 8;
const mostNearWords = 6;
/** Words that tell nothing, as in `bill of materials`, while every second name has them. */
const small: ReadonlySet<string> = new Set([
  'a',
  'an',
  'and',
  'by',
  'for',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);
/** So `invoice` finds `bil.inv`; with two letters `status` would find each `st`. */
const leastAbbreviation = 3;
/** More abbreviated names would bury what was meant, and other words find them. */
const mostAbbreviated = 10;
const mostColumnsNamed = 4;
const commentShown = 80;
const mostPartsNamed = 4;
/** On SQLite a column's name may be as long as a book. */
const columnNameShown = 64;
/** Letters of a word that are compared with all words of the catalog: each one costs time. */
const wordCompared = 128;

/** @param asked words in any case, with blanks or punctuation between them. */
export async function searchCatalog(
  database: Database,
  context: CallContext,
  asked: string,
): Promise<Answer<CatalogSearch>> {
  const given = wordsIn(asked);
  const telling = given.filter(word => !small.has(word));
  const words = [...new Set((telling.length > 0 ? telling : given).map(singular))].slice(0, mostWords);
  const initials = given.map(word => [...word][0]).join('');
  const beginnings = words.map(word => wholeCharacters(word, leastAbbreviation)).filter(isLongEnough);
  const found = await database.catalogTexts(context, [...words, ...beginnings, ...[initials].filter(isLongEnough)]);
  if (found.kind !== 'done') return found;
  const short = abbreviationScore(initials);
  const phrase = matchesOf(found.value, [initials], short);
  const abbreviated = [...phrase, ...matchesOf(found.value, words, short)];
  const matches = matchesOf(found.value, words, scoreOf, short);
  if (matches.length > 0) {
    const whole = matches.filter(({ met }) => met === words.length);
    // No name has all words, so one that abbreviates the phrase comes first: `dob` is the whole
    // `date of birth`, and every second table has a date.
    const best = whole.length > 0 ? matches : [...phrase, ...without(matches, phrase)];
    return { kind: 'done', value: { matches: followed(best, abbreviated), insteadOf: null } };
  }

  const all = await database.catalogTexts(context, null);
  if (all.kind !== 'done') return all;
  const near = nearWords(all.value, words);
  const nearest = followed(matchesOf(all.value, near, scoreOf), abbreviated);
  return { kind: 'done', value: { matches: nearest, insteadOf: near.length === 0 ? null : near } };
}

/** True if `token` begins `word`. In `parcel_weight`, `parcel` is a part and no abbreviation. */
function isAbbreviated(word: string, token: string): boolean {
  return word !== token && word.startsWith(token) && /^\p{L}/u.test(word.slice(token.length));
}

function wordsIn(asked: string): readonly string[] {
  return asked
    .toLowerCase()
    .split(/[\s.,;*%"'`]+/)
    .filter(word => word !== '');
}

function isLongEnough(text: string): boolean {
  return text.length >= leastAbbreviation;
}

/** Puts abbreviated names behind the matches, but before those found by their schema alone. */
function followed(matches: readonly CatalogMatch[], abbreviated: readonly CatalogMatch[]): readonly CatalogMatch[] {
  const better = matches.filter(({ bySchemaAlone }) => !bySchemaAlone);
  const added = without(abbreviated, better).slice(0, mostAbbreviated);
  return [...better, ...added, ...without(matches, [...better, ...added])];
}

/** The matches that are not among the others, each once. */
function without(matches: readonly CatalogMatch[], others: readonly CatalogMatch[]): readonly CatalogMatch[] {
  const keyOf = ({ schema, name, kind }: CatalogMatch) => JSON.stringify([schema, name, kind]);
  const known = new Set(others.map(keyOf));
  return [...new Map(matches.map(match => [keyOf(match), match])).values()].filter(match => !known.has(keyOf(match)));
}

/** The singular of an English word: `invoices` finds `inv_invoice_no` as `invoice`. */
function singular(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/, '')
    .replace(/(?<=(?:ss|x|ch|sh))es$/, '')
    .replace(/(?<!s|u)s$/, '');
}

/** A word that was found in a text of a table or routine. */
interface Hit {
  readonly word: string;
  /** False if only `also` found it. */
  readonly isStrong: boolean;
  readonly score: number;
  readonly part: string;
  readonly column: string | null;
}

/** How well a text has a word, and in which part of its table; null if it hasn't. */
type ScoreOf = (text: CatalogText, lower: string, word: string) => { score: number; part: string } | null;

/**
 * The tables and routines whose texts have any of the words, best first.
 * @param also finds words in another way. It counts only in a table in which `scoreOf` found one.
 */
function matchesOf(
  texts: readonly CatalogText[],
  words: readonly string[],
  scoreOf: ScoreOf,
  also?: ScoreOf,
): readonly CatalogMatch[] {
  const found = new Map<string, { readonly of: CatalogText; readonly hits: Hit[] }>();
  for (const text of texts) {
    const lower = text.text.toLowerCase();
    for (const word of words) {
      const strong = scoreOf(text, lower, word);
      const hit = strong ?? also?.(text, lower, word) ?? null;
      if (hit === null) continue;
      const key = JSON.stringify([text.schema, text.object, text.kind]);
      const known = found.get(key) ?? { of: text, hits: [] };
      found.set(key, known);
      known.hits.push({ ...hit, word, isStrong: strong !== null, column: text.column });
    }
  }
  return [...found.values()]
    .filter(({ hits }) => hits.some(({ isStrong }) => isStrong))
    .map(({ of, hits }) => scored(of, hits))
    .sort(
      (a, b) =>
        Number(a.match.bySchemaAlone) - Number(b.match.bySchemaAlone) || b.score - a.score || compare(a.match, b.match),
    )
    .map(({ match }) => match);
}

function scored(of: CatalogText, hits: readonly Hit[]): { readonly score: number; readonly match: CatalogMatch } {
  const strong = new Set(hits.filter(({ isStrong }) => isStrong).map(({ word }) => word));
  const told = hits.filter(({ isStrong, word }) => isStrong || !strong.has(word));
  const best = new Map<string, number>();
  for (const { word, score } of told) best.set(word, Math.max(best.get(word) ?? 0, score));
  const parts = new Set(told.filter(({ part }) => part !== 'column').map(({ part }) => part));
  const columns = new Set(told.filter(({ part }) => part === 'column').map(({ column }) => column ?? ''));
  return {
    score: [...best.values()].reduce((sum, score) => sum + score, 0) + 100 * (best.size - 1),
    match: {
      schema: of.schema,
      name: of.object,
      kind: of.kind,
      comment: of.objectComment,
      where: [...partsNamed([...parts]), ...columnsNamed([...columns])].join('; '),
      met: best.size,
      bySchemaAlone: columns.size === 0 && [...parts].every(part => part === 'schema'),
    },
  };
}

/** Finds a word as it is spelled: names count for more than comments, whole words than parts. */
const scoreOf: ScoreOf = (text, lower, word) => {
  if (!lower.includes(word)) {
    const isOfSchema = text.column === null && !text.isComment && text.schema?.toLowerCase().includes(word) === true;
    return isOfSchema ? { score: 5, part: 'schema' } : null;
  }
  const isWord = tokensOf(text.text).includes(word);
  const whole = (singular(lower) === word ? 10 : 0) + (isWord ? 10 : 0) + (lower.startsWith(word) ? 2 : 0);
  if (text.part !== undefined) return { score: 25 + whole, part: `${text.part} ${shortName(text.text)}` };
  if (!text.isComment)
    return text.column === null ? { score: 60 + whole, part: 'name' } : { score: 30 + whole, part: 'column' };
  if (text.column === null)
    return { score: 35 + whole, part: text.text === text.objectComment ? 'comment' : shown(text.text, word) };
  return { score: 20 + whole, part: `column ${shortName(text.column)}: ${shown(text.text, word)}` };
};

/** Finds abbreviations: the more letters of the word a name has, the likelier that is meant. */
function abbreviationScore(initials: string): ScoreOf {
  return (text, _lower, word) => {
    if (text.isComment || text.part !== undefined) return null;
    const isMeant = (token: string) =>
      isLongEnough(token) && (word === initials ? token === word : isAbbreviated(word, token));
    const letters = Math.max(
      0,
      ...tokensOf(text.text)
        .filter(isMeant)
        .map(token => token.length),
    );
    if (letters === 0) return null;
    return text.column === null ? { score: 60 + letters, part: 'name' } : { score: 30 + letters, part: 'column' };
  };
}

/** What is around the word in a comment that is not shown with its table. */
function shown(text: string, word: string): string {
  const line = text.replace(/\s+/g, ' ');
  const start = Math.max(0, line.toLowerCase().indexOf(word) - commentShown / 2);
  const cut = wholeCharacters(line, commentShown, start);
  return `"${start > 0 ? '…' : ''}${cut}${start + commentShown < line.length ? '…' : ''}"`;
}

/**
 * A few of the places where a word was found, the table's own first: a thousand columns may have it
 * in their comments.
 */
function partsNamed(parts: readonly string[]): readonly string[] {
  const rest = parts.length - mostPartsNamed;
  if (rest <= 0) return parts;
  const ofColumn = (part: string) => Number(part.startsWith('column '));
  return [...parts.toSorted((a, b) => ofColumn(a) - ofColumn(b)).slice(0, mostPartsNamed), `and ${rest} more`];
}

function shortName(name: string): string {
  return beginning(name, columnNameShown);
}

function columnsNamed(columns: readonly string[]): readonly string[] {
  if (columns.length === 0) return [];
  const rest = columns.length - mostColumnsNamed;
  const named = columns.slice(0, mostColumnsNamed).map(shortName).join(', ');
  return [`${columns.length === 1 ? 'column' : 'columns'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`];
}

function compare(a: CatalogMatch, b: CatalogMatch): number {
  const [one, other] = [`${a.schema}.${a.name}`, `${b.schema}.${b.name}`];
  // A table comes before a routine of the same name, always, so that pages don't overlap.
  if (one === other) return a.kind < b.kind ? 1 : -1;
  return one.length - other.length || (one < other ? -1 : 1);
}

/** The words of a name or comment: `invHdr_no` has inv, hdr and no. */
function tokensOf(text: string): readonly string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(token => token !== '')
    .map(singular);
}

/** The words of the catalog that are nearest to each word of the question. */
function nearWords(texts: readonly CatalogText[], words: readonly string[]): readonly string[] {
  const known = new Set(
    texts.flatMap(({ text, isComment }) => [...tokensOf(text), ...(isComment ? [] : [text.toLowerCase()])]),
  );
  return words.flatMap(whole => {
    const word = wholeCharacters(whole, wordCompared);
    const far = Math.floor(word.length / 3);
    const distance = distanceFrom(word);
    const near = [...known]
      .filter(candidate => Math.abs(candidate.length - word.length) <= far && candidate.length > 2)
      .map(candidate => ({ candidate, distance: distance(candidate) }))
      .filter(({ distance }) => distance <= far);
    const nearest = Math.min(...near.map(({ distance }) => distance));
    return near
      .filter(({ distance }) => distance === nearest)
      .map(({ candidate }) => candidate)
      .slice(0, mostNearWords);
  });
}
