/** Keeps how far forwarding came, in a small file of the home: each batch is one write. */

import { parsedJson } from '../../../shared/json.ts';
import { readPrivateFile } from '../../../shared/private-files.ts';
import { replacePrivateFile } from '../atomic-file.ts';
import type { Cursor } from './forwarding.ts';

const mostBytes = 4_096;

/** A file that can't be read counts as none: forwarding begins with the next row. */
export function cursorIn(path: string): Cursor {
  return {
    read(place) {
      const file = readPrivateFile(path, mostBytes);
      const kept =
        file.kind === 'read' ? (parsedJson(file.text) as { place?: unknown; number?: unknown } | null) : null;
      return kept?.place === place && Number.isSafeInteger(kept.number) ? Number(kept.number) : null;
    },
    write: (place, number) => replacePrivateFile(path, JSON.stringify({ place, number })),
  };
}
