/** Databases in TOML: Supabase's `config.toml`, and URLs or related settings in any other. */

import { basename } from 'node:path';
import { isObject } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, unsetVariable, unusable } from './candidate.ts';
import { expanded, type Variables } from './expanded.ts';
import { leaves } from './leaves.ts';
import { connectionOfParts } from './parts.ts';
import { inVariables } from './variables.ts';

export const supabaseFile = 'supabase/config.toml';

/** @param where ends the sentence that says where it was found. */
export async function inToml(
  text: string,
  path: string,
  where: string,
  shell: Variables,
  base: PathBase,
): Promise<FoundDatabases> {
  const { parse } = await import('smol-toml');
  try {
    const found = parse(text.replace(/^\ufeff/, ''));
    return path.endsWith(`/${supabaseFile}`)
      ? inSupabase(found, where, shell, base)
      : inVariables(expanded(Object.fromEntries(leaves(found, '')), shell), where, base);
  } catch {
    return unusable(basename(path), 'It is not TOML.');
  }
}

/** Supabase's command starts it here, with an account that its documentation names. */
function inSupabase(found: object, where: string, shell: Variables, base: PathBase): FoundDatabases {
  const { port: written = 54_322 } = 'db' in found && isObject(found.db) ? found.db : {};
  const [, variable] = /^env\((\w+)\)$/.exec(`${written}`) ?? [];
  const port = variable === undefined ? `${written}` : shell[variable];
  if (port === undefined) return unsetVariable(`db ${where}`);
  const place = { host: '127.0.0.1', port, user: 'postgres', password: 'postgres' };
  const connection = connectionOfParts({ engine: 'postgres', ...place, database: 'postgres' }, base);
  if (connection.kind === 'refused') return unusable(`db ${where}`, connection.problem);
  return { candidates: [{ name: 'supabase', from: `db ${where}`, connection }], unreadable: [] };
}
