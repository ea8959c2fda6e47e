/** Reads a property list as Python's own library does: a second opinion on what is XML to us. */

import { execFileSync } from 'node:child_process';

const reader = 'import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))';

/** @throws where it is no property list. */
export function propertyList(file: string): Record<string, unknown> {
  return JSON.parse(execFileSync('python3', ['-c', reader, file], { encoding: 'utf8' }));
}
