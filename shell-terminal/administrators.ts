/** Roles that are administrators by custom, recognised by name; for when the server isn't asked. */

import { shellWord } from '../shared/client-configs.ts';
import type { ConnectionView } from '../shared/control-commands.ts';

const administrators: Readonly<Record<ConnectionView['engine'], string | null>> = {
  postgres: 'postgres',
  mysql: 'root',
  sqlite: null,
};

/** One sentence; null if the name is none of these. */
export function administratorAdvice({
  name,
  engine,
  user,
}: Pick<ConnectionView, 'name' | 'engine' | 'user'>): string | null {
  if (user === null || user !== administrators[engine]) return null;
  return `${name} signs in as ${user}, which may do anything there; \`sallyport connections role ${shellWord(name)}\` prints the SQL for a role with only the rights that clients need.`;
}
