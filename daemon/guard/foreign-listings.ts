/**
 * Recognizes statements that list tables and columns in another engine or in a client program for
 * people. It matches no statement that this engine has. Such a text is refused anyway, here or by
 * the server, but in words that name no tool.
 */

import type { Engine } from '../../shared/engine.ts';
import { listingTools } from './advice.ts';

const ofMysql =
  /^\s*(?:show\s+(?:full\s+)?(?:tables|databases|schemas|columns|fields|index|indexes|keys|create)|desc|describe)\b/i;
const ofClients = /^\s*(?:\\[dl]|\.(?:tables|schema|databases|indexes)\b)/i;
const ofSqlite = /^\s*pragma\b/i;

const foreign: Readonly<Record<Engine, { readonly name: string; readonly forms: readonly RegExp[] }>> = {
  postgres: { name: 'PostgreSQL', forms: [ofMysql, ofClients, ofSqlite] },
  mysql: { name: 'MySQL and MariaDB', forms: [ofClients, ofSqlite] },
  sqlite: { name: 'SQLite', forms: [ofMysql, ofClients] },
};

/** @returns the reason to refuse the text, or null. */
export function foreignListing(engine: Engine, sql: string): string | null {
  const { name, forms } = foreign[engine];
  return forms.some(form => form.test(sql)) ? `This isn't a statement of ${name}; ${listingTools}` : null;
}
