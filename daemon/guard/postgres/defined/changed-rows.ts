/**
 * What a definition did to rows that were in the catalogs before. The server counts each row of a
 * catalog that is added, changed or deleted; the rows of the relations that the statement names are
 * read before and after. Whatever the counts have besides those is a change that nobody named.
 */

import { type Reason, say } from '../verdict.ts';
import type { CatalogRow, DefinedAfter, DefinedBefore, RowBefore } from './facts.ts';

export function changedRows(
  before: DefinedBefore,
  after: DefinedAfter,
  isNew: (oid: number) => boolean,
  nameOf: (oid: number) => string,
): Reason[] {
  const keyOf = ({ catalog, key }: CatalogRow): string => `${catalog} ${key}`;
  const now = new Map(after.rows.map(row => [keyOf(row), row]));
  const gone = before.rows.filter(row => !now.has(keyOf(row)));
  const stayed = before.rows.flatMap(was => {
    const is = now.get(keyOf(was));
    return is === undefined ? [] : [{ was, is }];
  });
  const sizes = new Map(before.groups.map(group => [group[0], group.length]));
  /** How many rows of as many parts of a tree it stands for. */
  const times = ({ unit }: RowBefore): number => sizes.get(unit) ?? 1;
  const unnamed = Object.entries(after.counts).filter(([catalog, [inserted, , deleted, ours]]) => {
    const named = sum(stayed.filter(({ is }) => is.catalog === catalog && is.isOurs).map(({ was }) => times(was)));
    const lost = sum(gone.filter(row => row.catalog === catalog).map(times));
    return ours === null || ours - inserted + deleted - lost !== named;
  });
  const again = new Set([...after.defaults, ...after.constraints, ...after.indexes].map(({ written }) => written));
  const isMadeAgain = ({ content }: CatalogRow): boolean => again.has(String(content.more));
  // A table that is written anew gets another TOAST table.
  const replaced = new Set(
    before.rows.filter(row => isMadeAgain(row) || Number(row.content.relnamespace) === toastSchema).map(of => of.key),
  );
  const lost = new Set(
    gone
      .filter(row => !isMadeAgain(row) && !replaced.has(String(row.relation)) && !isNew(row.relation))
      .map(of => of.relation),
  );
  return [
    ...unnamed.map(([catalog]) => say('It changes or removes something that is there already (%@).', catalog)),
    ...[...lost].map(relation => say('It removes a part of %@.', nameOf(relation))),
    ...stayed
      .filter(({ is }) => !isNew(is.relation))
      .map(({ was, is }) => changeOf(was, is, nameOf(is.relation)))
      .filter(reason => reason !== null),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const toastSchema = 99;

/** Options that only say how a relation is stored and looked after. */
const storage =
  /^(fillfactor|parallel_workers|toast_tuple_target|autovacuum_[a-z_]+|vacuum_[a-z_]+|log_autovacuum_min_duration|deduplicate_items|buffering|fastupdate|gin_pending_list_limit|pages_per_range|autosummarize)=/;

/** @param options `pg_class.reloptions`: null, or `name=value` each. */
function isStorageOption(options: unknown): boolean {
  return options === null || (Array.isArray(options) && options.every(option => storage.test(String(option))));
}

/** What may become of a value without anybody's statement meaning something else. */
const harmless: Readonly<Record<string, (was: unknown, is: unknown, row: CatalogRow) => boolean>> = {
  convalidated: (_, is) => is === true,
  indisvalid: (_, is) => is === true,
  indisready: (_, is) => is === true,
  reloftype: (_, is) => Number(is) === 0,
  relispartition: (_, is, { content }) => is === true && /^[iI]$/.test(String(content.relkind)),
  relpersistence: (_, is) => is === 'p',
  relreplident: (_, is) => is === 'f',
  reloptions: (was, is, { content }) => content.relkind !== 'v' && isStorageOption(was) && isStorageOption(is),
  atttypid: (was, is) => isText(was) && isText(is),
  atttypmod: (_, is, { content }) => isText(content.atttypid) && Number(is) === -1,
};

const isText = (type: unknown): boolean => Number(type) === 25 || Number(type) === 1043;

function changeOf(was: CatalogRow, is: CatalogRow, name: string): Reason | null {
  const keys = [...new Set([...Object.keys(was.content), ...Object.keys(is.content)])];
  const changed = keys.filter(key => {
    const [from, to] = [was.content[key], is.content[key]];
    if (key === 'more' && is.catalog !== 'pg_rewrite') return false;
    return JSON.stringify(from) !== JSON.stringify(to) && harmless[key]?.(from, to, is) !== true;
  });
  if (changed.length === 0) return null;
  if (is.catalog === 'pg_rewrite') return say('CREATE OR REPLACE VIEW loses the query that %@ had.', name);
  if (changed.includes('attnotnull'))
    return say('It restricts what others may write to %@, which takes no NULL then.', name);
  if (changed.some(key => /^att(type?id|typmod)$/.test(key)))
    return say(
      'It changes the type of a column of %@, so what compares or computes with it means something else.',
      name,
    );
  return say("It changes %@ in a way that isn't known to keep what others find (%@).", name, changed.join(', '));
}
