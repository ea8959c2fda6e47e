/**
 * What a client's file becomes when an entry for Sallyport is put into it: added, or changed where
 * it differs, and nothing else (spec §16). Works on text alone; what it would write is read back
 * and compared before it is given out.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ClientEntry, EntryValue } from '../../shared/client-configs.ts';
import { isObject } from '../../shared/json.ts';
import type { ClientDocument, MemberValue, OpenDocument, Opened } from './document.ts';
import { edited } from './edits.ts';
import { openJson } from './json-document.ts';
import { openToml } from './toml-document.ts';
import { openYaml } from './yaml-document.ts';

export type Merged =
  /** @param entry as it then stands. */
  | { readonly kind: 'there'; readonly entry: Members }
  | { readonly kind: 'added'; readonly text: string }
  /**
   * @param was what stood in the place of each member that changed; undefined where it had none.
   */
  | { readonly kind: 'updated'; readonly text: string; readonly entry: Members; readonly was: Members }
  /** A part of a sentence: `is not JSON (line 3, column 5: comma expected)`. */
  | { readonly kind: 'refused'; readonly why: string };

export type Removed =
  | { readonly kind: 'absent' }
  | { readonly kind: 'removed'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string };

type Members = Readonly<Record<string, unknown>>;

/**
 * What is to be otherwise in the entry as it stands, or, a part of a sentence, why it is not
 * touched.
 */
export type Differences = (old: Members, entry: EntryValue) => EntryValue | string;

const openers: Readonly<Record<ClientEntry['format'], OpenDocument>> = {
  json: openJson,
  yaml: openYaml,
  toml: openToml,
};

/**
 * The parsers go as deep as a file does, and count how often its aliases multiply: past their
 * measure they throw.
 */
function opening(text: string, entry: ClientEntry): Opened {
  try {
    return openers[entry.format](text, entry);
  } catch (error) {
    if (error instanceof RangeError || error instanceof ReferenceError) return tooOdd;
    throw error;
  }
}

/**
 * The entry as it stands; null where there is none, or where that can't be told.
 * @param text without a byte order mark.
 */
export function entryIn(text: string, entry: ClientEntry): Members | null {
  const opened = opening(text, entry);
  return opened.kind === 'opened' && isObject(opened.document.entry) ? opened.document.entry : null;
}

/** @param text without a byte order mark. */
export function merge(text: string, entry: ClientEntry, differences: Differences): Merged {
  const opened = opening(text, entry);
  if (opened.kind === 'refused') return opened;
  const { document } = opened;
  if (document.entry === undefined) {
    const result = edited(text, document.add());
    return reads(result, entry, withEntry(document, entry, entry.value)) ? { kind: 'added', text: result } : tooOdd;
  }
  if (!isObject(document.entry)) return { kind: 'refused', why: `has an entry ${entry.name} that is no server` };
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
 * What a client's file becomes when the entry is taken out of it, with the map or list that held it
 * alone.
 * @param text without a byte order mark.
 */
export function withoutEntry(text: string, entry: ClientEntry): Removed {
  const opened = opening(text, entry);
  if (opened.kind === 'refused') return opened;
  const { document } = opened;
  if (document.entry === undefined) return { kind: 'absent' };
  const result = edited(text, document.remove());
  const isSure = withoutServer(document.value, entry).some(expected => reads(result, entry, expected));
  return isSure ? { kind: 'removed', text: result } : tooOdd;
}

/**
 * What may be left: where a comment stands in what held it, that stays, with nothing else in it.
 */
function withoutServer(value: unknown, { under, name }: ClientEntry): readonly unknown[] {
  if (!isObject(value)) return [value];
  const { [under]: servers, ...rest } = value;
  const others = Array.isArray(servers)
    ? servers.filter(server => !(isObject(server) && server.name === name))
    : withoutMember(servers, name);
  const left = { ...rest, [under]: others };
  if (Object.keys(others).length > 0) return [left];
  return Object.keys(rest).length > 0 ? [rest, left] : [rest, left, null];
}

function withoutMember(servers: unknown, name: string): object {
  return isObject(servers) ? Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name)) : {};
}

const tooOdd = { kind: 'refused', why: 'is written in a way that can only be changed by hand' } as const;

/** One member after the other: each may move the place of the next. */
function changed(text: string, entry: ClientEntry, members: readonly (readonly [string, MemberValue])[]): string {
  return members.reduce((current, [key, value]) => {
    const opened = opening(current, entry);
    return opened.kind === 'opened' ? edited(current, opened.document.set(key, value)) : current;
  }, text);
}

/** Whether a text says what it ought to: a file with a key twice, or with aliases, may not. */
function reads(text: string, entry: ClientEntry, expected: unknown): boolean {
  const opened = opening(text, entry);
  return opened.kind === 'opened' && isDeepStrictEqual(opened.document.value, expected);
}

function withEntry({ value }: ClientDocument, { under, kind, name, head }: ClientEntry, server: unknown): unknown {
  const root = isObject(value) ? value : headValue(head);
  const servers = root[under] ?? null;
  if (kind === 'member') return { ...root, [under]: { ...(isObject(servers) ? servers : {}), [name]: server } };
  const items: unknown[] = Array.isArray(servers) ? servers : [];
  const isThere = items.some(item => isObject(item) && item.name === name);
  const replaced = items.map(item => (isObject(item) && item.name === name ? server : item));
  return { ...root, [under]: isThere ? replaced : [...items, server] };
}

function headValue(head: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(head.map(line => line.split(': ')));
}
