/**
 * Puts an entry for Sallyport into the text of a client's file: adds it, or changes what differs,
 * and nothing else (spec §16). Works on text only. Reads its result back and compares it before it
 * returns it.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ClientEntry, EntryValue } from '../../shared/client-configs.ts';
import { isObject } from '../../shared/json.ts';
import type { ClientDocument, MemberValue, OpenDocument, OpenedDocument } from './document.ts';
import { edited } from './edits.ts';
import { openJson } from './json-document.ts';
import { openToml } from './toml-document.ts';
import { openYaml } from './yaml-document.ts';

export type MergeResult =
  /** @param entry its state then. */
  | { readonly kind: 'there'; readonly entry: Members }
  | { readonly kind: 'added'; readonly text: string }
  /** @param was the old value of each changed member; undefined if it had none. */
  | { readonly kind: 'updated'; readonly text: string; readonly entry: Members; readonly was: Members }
  /** Part of a sentence: `is not JSON (line 3, column 5: comma expected)`. */
  | { readonly kind: 'refused'; readonly why: string };

export type RemoveResult =
  | { readonly kind: 'absent' }
  | { readonly kind: 'removed'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string };

type Members = Readonly<Record<string, unknown>>;

/**
 * The members of the existing entry that must change, or the reason not to touch it, as part of a
 * sentence.
 */
export type Differences = (old: Members, entry: EntryValue) => EntryValue | string;

const openers: Readonly<Record<ClientEntry['format'], OpenDocument>> = {
  json: openJson,
  yaml: openYaml,
  toml: openToml,
};

/**
 * The parsers descend as deep as the file does, and count how often its aliases multiply. Past
 * their limit they throw.
 */
function opening(text: string, entry: ClientEntry): OpenedDocument {
  try {
    return openers[entry.format](text, entry);
  } catch (error) {
    if (error instanceof RangeError || error instanceof ReferenceError) return tooOdd;
    throw error;
  }
}

/**
 * The existing entry; null if there is none, or it can't be read for sure.
 * @param text without a byte order mark.
 */
export function entryIn(text: string, entry: ClientEntry): Members | null {
  const opened = opening(text, entry);
  return opened.kind === 'opened' && isObject(opened.document.entry) ? opened.document.entry : null;
}

/** What a file means; null if it can't be read for sure. @param text without a byte order mark. */
export function valueIn(text: string, format: ClientEntry['format']): unknown {
  const nothing: ClientEntry = { format, kind: 'member', under: [], name: '', value: {}, head: [] };
  const opened = opening(text, nothing);
  return opened.kind === 'opened' ? opened.document.value : null;
}

/** @param text without a byte order mark. */
export function merge(text: string, entry: ClientEntry, differences: Differences): MergeResult {
  const opened = opening(text, entry);
  if (opened.kind === 'refused') return opened;
  const { document } = opened;
  if (document.entry === undefined) {
    const result = edited(text, document.add());
    return reads(result, entry, withEntry(document, entry, entry.value)) ? { kind: 'added', text: result } : tooOdd;
  }
  if (!isObject(document.entry)) return { kind: 'refused', why: `has an entry ${entry.name} that is not a server` };
  const old = document.entry;
  const changes = differences(old, entry.value);
  if (typeof changes === 'string') return { kind: 'refused', why: changes };
  if (Object.keys(changes).length === 0) return { kind: 'there', entry: old };
  const result = changed(text, entry, Object.entries(changes));
  const after = { ...old, ...changes };
  if (!reads(result, entry, withEntry(document, entry, after))) return tooOdd;
  const was = Object.fromEntries(Object.keys(changes).map(key => [key, old[key]]));
  return { kind: 'updated', text: result, entry: after, was };
}

/**
 * The text of a client's file without the entry, and without the map or list that held it alone.
 * @param text without a byte order mark.
 * @param isBare true to leave such a map there, as one that a person made.
 */
export function withoutEntry(text: string, entry: ClientEntry, isBare = false): RemoveResult {
  const opened = opening(text, entry);
  if (opened.kind === 'refused') return opened;
  const { document } = opened;
  if (document.entry === undefined) return { kind: 'absent' };
  const result = edited(text, document.remove(isBare));
  const isSure = withoutServer(document.value, entry.under, entry.name).some(expected =>
    reads(result, entry, expected),
  );
  return isSure ? { kind: 'removed', text: result } : tooOdd;
}

/** The acceptable remainders: if a comment is in the holder, the holder stays, otherwise empty. */
function withoutServer(value: unknown, [key = '', ...below]: readonly string[], name: string): readonly unknown[] {
  if (!isObject(value)) return [value];
  const { [key]: inner, ...rest } = value;
  const remainders = below.length > 0 ? withoutServer(inner, below, name) : [without(inner, name)];
  return remainders.flatMap(left => {
    if (left !== null && Object.keys(left as object).length > 0) return [{ ...rest, [key]: left }];
    const holders = left === null ? [rest] : [rest, { ...rest, [key]: left }];
    return Object.keys(rest).length > 0 ? holders : [...holders, null];
  });
}

function without(servers: unknown, name: string): unknown {
  return Array.isArray(servers)
    ? servers.filter(server => !(isObject(server) && server.name === name))
    : withoutMember(servers, name);
}

function withoutMember(servers: unknown, name: string): object {
  return isObject(servers) ? Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name)) : {};
}

const tooOdd = { kind: 'refused', why: 'is written in a way that can only be changed by hand' } as const;

/** One member after the other, because each may move the next. */
function changed(text: string, entry: ClientEntry, members: readonly (readonly [string, MemberValue])[]): string {
  return members.reduce((current, [key, value]) => {
    const opened = opening(current, entry);
    return opened.kind === 'opened' ? edited(current, opened.document.set(key, value)) : current;
  }, text);
}

/** True if the text now reads as intended; a file with duplicate keys or aliases may not. */
function reads(text: string, entry: ClientEntry, expected: unknown): boolean {
  const opened = opening(text, entry);
  return opened.kind === 'opened' && isDeepStrictEqual(opened.document.value, expected);
}

function withEntry({ value }: ClientDocument, { under, kind, name, head }: ClientEntry, server: unknown): unknown {
  return changedAt(isObject(value) ? value : headValue(head), under, servers => {
    if (kind === 'member') return { ...(isObject(servers) ? servers : {}), [name]: server };
    const items: unknown[] = Array.isArray(servers) ? servers : [];
    const isThere = items.some(item => isObject(item) && item.name === name);
    const replaced = items.map(item => (isObject(item) && item.name === name ? server : item));
    return isThere ? replaced : [...items, server];
  });
}

function changedAt(value: unknown, [key, ...below]: readonly string[], change: (servers: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const map = isObject(value) ? value : {};
  return { ...map, [key]: changedAt(map[key], below, change) };
}

function headValue(head: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(head.map(line => line.split(': ')));
}
