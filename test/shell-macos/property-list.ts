/** Reads a property list with Python's own library, as a second opinion on what we treat as XML. */

import { execFileSync } from 'node:child_process';

const reader = 'import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))';

/** @throws if it is no property list. */
export function propertyList(file: string): Record<string, unknown> {
  return JSON.parse(execFileSync('python3', ['-c', reader, file], { encoding: 'utf8' }));
}
