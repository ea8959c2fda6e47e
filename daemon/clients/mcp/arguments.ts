/**
 * Checks a call's arguments against the tool's schema (spec §4). An unknown name is one refusal, a
 * wrong type or range another; each has a sentence that a model can act on. Runs nothing.
 */

import type * as z from 'zod';
import { exponentsFrom } from '../../../shared/json.ts';
import { type Refusal, toolError } from '../../refusal.ts';
import { meantArguments } from './meant-arguments.ts';
import type { CatalogEntry } from './tool-catalog.ts';

type ParsedArguments =
  | { readonly kind: 'accepted'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function parseArguments(entry: CatalogEntry, written: Readonly<Record<string, unknown>>): ParsedArguments {
  const { tool, accepted } = entry;
  const unknown = Object.keys(written).find(name => !accepted.includes(name));
  if (unknown !== undefined) {
    return { kind: 'refused', refusal: { kind: 'unknown_argument', tool: tool.name, argument: unknown, accepted } };
  }
  const { given, inexact } = meantArguments(entry, written);
  if (inexact !== null) {
    const sentence = `'${inexact.argument}' has the number ${shown(inexact.number)}, which would be rounded; send it as a string.`;
    return { kind: 'refused', refusal: toolError('invalid_argument', sentence) };
  }
  const rounded = roundedInteger(given, []);
  if (rounded !== null) {
    const sentence = `${nameOf(rounded)} is an integer that JSON numbers can't carry exactly; send it as a string.`;
    return { kind: 'refused', refusal: toolError('invalid_argument', sentence) };
  }
  const broken = brokenText(given, []);
  if (broken !== null) {
    const sentence = `${nameOf(broken)} holds half of a surrogate pair, which is no character; remove it.`;
    return { kind: 'refused', refusal: toolError('invalid_argument', sentence) };
  }
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { kind: 'accepted', value: parsed.data };
  const faults = firstOfEach(parsed.error.issues)
    .slice(0, 3)
    .map(issue => faultOf(issue, written, given));
  const sentence = faults.map(({ must, was }) => `${must}${was}.`).join(' ');
  // The given value may be a statement or a connection string.
  const forLog = faults[0]?.must ?? '';
  return { kind: 'refused', refusal: { kind: 'tool_error', word: 'invalid_argument', sentence, forLog } };
}

/** A value of the wrong type may break the right type's bounds as well; that adds nothing. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  return [...new Map(issues.toReversed().map(issue => [JSON.stringify(issue.path), issue])).values()].toReversed();
}

type Path = readonly PropertyKey[];

/**
 * An integer beyond 2^53 was rounded when the request was parsed, or before: running it would be a
 * silent lie. A number with an exponent is a double; other large ones are refused if reading
 * changes them (json-numbers.ts).
 */
function roundedInteger(value: unknown, path: Path): Path | null {
  if (typeof value === 'number') return isRoundedInteger(value) ? path : null;
  return firstWithin(value, path, roundedInteger);
}

function isRoundedInteger(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < exponentsFrom;
}

/**
 * Databases' texts are UTF-8 without such halves: each engine would store something else and report
 * success.
 */
function brokenText(value: unknown, path: Path): Path | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : path;
  return firstWithin(value, path, brokenText);
}

function firstWithin(value: unknown, path: Path, find: (inner: unknown, at: Path) => Path | null): Path | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = find(inner, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

/** @param written quoted, unless it was read as something with parts. */
function faultOf(
  issue: z.core.$ZodIssue,
  written: unknown,
  given: unknown,
): { readonly must: string; readonly was: string } {
  const value = valueAt(written, issue.path) ?? valueAt(given, issue.path);
  if (value === undefined) return { must: `${nameOf(issue.path)} is required: ${expectation(issue)}`, was: '' };
  return { must: `${nameOf(issue.path)} must be ${expectation(issue)}`, was: `; it was ${shown(value)}` };
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? issue.expected;
    case 'too_small':
      return `${listOf(issue.origin)}${issue.inclusive === false ? 'more than' : 'at least'} ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `${listOf(issue.origin)}${issue.inclusive === false ? 'less than' : 'at most'} ${amount(issue.maximum, issue.origin)}`;
    case 'invalid_value':
      return `${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(value => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return `without ${issue.keys.map(key => `'${key}'`).join(', ')}`;
    case 'invalid_union':
      return unionWords(issue);
    case 'invalid_format':
      return issue.format === 'regex'
        ? `text that matches ${issue.pattern ?? 'its pattern'}`
        : `a valid ${issue.format}`;
    default:
      return issue.message;
  }
}

/** zod's words about a union that has none of its own. */
const unsaid = 'Invalid input';

function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  if (issue.message !== unsaid) return issue.message;
  const words = new Set(issue.errors.flatMap(alternatives => alternatives.slice(0, 1).map(expectation)));
  return words.size === 0 ? 'one of the accepted shapes' : [...words].join(' or ');
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function listOf(origin: string): string {
  return origin === 'array' ? 'a list of ' : '';
}

function amount(limit: number | bigint, origin: string): string {
  if (origin === 'string') return limit === 1 ? '1 character' : `${limit} characters`;
  if (origin === 'array') return limit === 1 ? '1 item' : `${limit} items`;
  return String(limit);
}

function nameOf(path: Path): string {
  return path.length === 0 ? 'The arguments' : `'${path.map(String).join('.')}'`;
}

function valueAt(given: unknown, path: Path): unknown {
  let value = given;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** The value, short enough to read; for a long one its kind and size. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string' && value.length > 40) return `text of ${value.length} characters`;
  return JSON.stringify(value);
}
