/**
 * A function's own `SET search_path`, as the catalog keeps it: `search_path=app, "$user", "Mixed"`.
 */

const item = /\s*(?:"((?:[^"]|"")*)"|([^\s",]+))\s*(?:,|$)/y;

/** Every schema: if a path isn't known, a name may be in any. */
export const anySchema: readonly string[] = ['*'];

/** @returns null if there is none. */
export function searchPathOf(setting: string | null): readonly string[] | null {
  if (setting === null) return null;
  const text = setting.slice(setting.indexOf('=') + 1);
  const schemas = ['pg_catalog'];
  item.lastIndex = 0;
  while (item.lastIndex < text.length) {
    const match = item.exec(text);
    const schema = match?.[1]?.replaceAll('""', '"') ?? match?.[2]?.toLowerCase();
    if (schema === undefined || schema === '$user') return anySchema;
    schemas.push(schema);
  }
  return schemas;
}
