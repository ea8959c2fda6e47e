/** Built-in functions that nobody calls by name, each looked at: they only compute. */

import { readFileSync } from 'node:fs';

export const uncalledBuiltIns: ReadonlySet<string> = new Set(
  readFileSync(new URL('uncalled-built-ins.txt', import.meta.url), 'utf8').split(/\s+/),
);
