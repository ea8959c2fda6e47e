/**
 * The tokens of a condition, and how they hang together: parentheses, separators, likeness. Parts of it are cut out without
 * copying or walking them, so that a condition of any shape costs no more than its length. Judges nothing.
 */

import { closingsOf } from './parentheses.ts';

/** As the tokenizer gives them: keywords and names in lower case. */
export interface ConditionToken {
  readonly kind: string;
  readonly text: string;
}

/** What is looked for in a condition by its place. */
type Mark = 'or' | 'and' | 'connective word' | 'comparison' | 'between' | 'where';

const comparisons = new Set('= == <> != < > <= >= <=> is like glob regexp rlike'.split(' '));

function marksOf(token: ConditionToken): readonly Mark[] {
  const { kind, text } = token;
  if (kind !== 'word' && kind !== 'operator') return [];
  if (comparisons.has(text)) return ['comparison'];
  if (kind === 'operator') return text === '||' ? ['or'] : text === '&&' ? ['and'] : [];
  if (text === 'or' || text === 'and') return [text, 'connective word'];
  return text === 'between' || text === 'where' ? [text] : [];
}

/** What one walk over a whole condition finds out. */
class Outline {
  readonly closings: readonly (number | undefined)[];
  /** How many parentheses are open before each token. */
  readonly depths: readonly number[];
  /** Where each mark stands, in order: everywhere, and at each depth. */
  private readonly places = new Map<string, number[]>();
  readonly tokens: readonly ConditionToken[];

  constructor(tokens: readonly ConditionToken[]) {
    this.tokens = tokens;
    this.closings = closingsOf(tokens, depthChange);
    const depths: number[] = [];
    let depth = 0;
    for (const [at, token] of tokens.entries()) {
      depths.push(depth);
      depth += depthChange(token);
      for (const mark of marksOf(token)) {
        this.note(mark, at);
        this.note(`${mark} ${depth}`, at);
      }
    }
    this.depths = depths;
  }

  private note(key: string, at: number): void {
    const places = this.places.get(key);
    if (places === undefined) this.places.set(key, [at]);
    else places.push(at);
  }

  /** @param depth null for a mark at any depth. @returns its places from `from` on, before `to`. */
  *find(mark: Mark, depth: number | null, from: number, to: number): Generator<number> {
    const places = this.places.get(depth === null ? mark : `${mark} ${depth}`) ?? [];
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    for (let place = places[low]; place !== undefined && place < to; place = places[++low]) yield place;
  }
}

/** A part of a condition, from one token to another. */
export class Part {
  private readonly outline: Outline;
  private readonly from: number;
  private readonly to: number;

  private constructor(outline: Outline, from: number, to: number) {
    [this.outline, this.from, this.to] = [outline, from, Math.max(from, to)];
  }

  static whole(tokens: readonly ConditionToken[]): Part {
    return new Part(new Outline(tokens), 0, tokens.length);
  }

  get length(): number {
    return this.to - this.from;
  }

  at(index: number): ConditionToken | undefined {
    return index >= 0 && index < this.length ? this.outline.tokens[this.from + index] : undefined;
  }

  tokens(): readonly ConditionToken[] {
    return this.outline.tokens.slice(this.from, this.to);
  }

  slice(start: number, end = this.length): Part {
    return new Part(this.outline, this.from + Math.min(start, this.length), this.from + Math.min(end, this.length));
  }

  /** Where the parenthesis at `open` is closed; the length where it isn't. */
  closing(open: number): number {
    return Math.min((this.outline.closings[this.from + open] ?? this.to) - this.from, this.length);
  }

  /** Without the parentheses around the whole of it. */
  unwrapped(): Part {
    let inside: Part = this;
    while (inside.length >= 2 && isOperator(inside.at(0), '(') && inside.closing(0) >= inside.length - 1)
      inside = inside.slice(1, inside.length - 1);
    return inside;
  }

  /** The parts between marks outside parentheses; one where there are none. */
  split(mark: Mark): Part[] {
    const parts: Part[] = [];
    let start = this.from;
    for (const place of this.outline.find(mark, this.depth, this.from, this.to)) {
      parts.push(new Part(this.outline, start, place));
      start = place + 1;
    }
    return [...parts, new Part(this.outline, start, this.to)];
  }

  /** The first mark outside parentheses, or anywhere; -1 where there is none. */
  find(mark: Mark, where: 'outside parentheses' | 'anywhere'): number {
    const depth = where === 'anywhere' ? null : this.depth;
    const found = this.outline.find(mark, depth, this.from, this.to).next();
    return found.done === true ? -1 : found.value - this.from;
  }

  isSameAs(other: Part): boolean {
    if (this.length !== other.length) return false;
    for (let index = 0; index < this.length; index++) {
      const [one, two] = [this.at(index), other.at(index)];
      if (one?.kind !== two?.kind || one?.text !== two?.text) return false;
    }
    return true;
  }

  private get depth(): number {
    return this.outline.depths[this.from] ?? 0;
  }
}

export function depthChange(token: ConditionToken): number {
  if (token.kind !== 'operator') return 0;
  return token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
}

export function isWord(token: ConditionToken | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text;
}

export function isOperator(token: ConditionToken | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}

/** How many parentheses are open at once, at most. */
export function deepest(tokens: readonly ConditionToken[]): number {
  let depth = 0;
  let most = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    most = Math.max(most, depth);
  }
  return most;
}
