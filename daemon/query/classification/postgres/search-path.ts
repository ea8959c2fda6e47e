/** A function's own `SET search_path`, as the catalog keeps it: `search_path=app, "$user", "Mixed"`. */

const item = /\s*(?:"((?:[^"]|"")*)"|([^\s",]+))\s*(?:,|$)/y;

/** @returns null where there is none, or where it isn't understood: then names are looked for in the session's path. */
export function searchPathOf(setting: string | null): readonly string[] | null {
  if (setting === null) return null;
  const text = setting.slice(setting.indexOf('=') + 1);
  const schemas = ['pg_catalog'];
  item.lastIndex = 0;
  while (item.lastIndex < text.length) {
    const match = item.exec(text);
    if (match === null) return null;
    schemas.push(match[1]?.replaceAll('""', '"') ?? match[2]?.toLowerCase() ?? '');
  }
  return schemas;
}
