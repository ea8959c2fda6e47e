/** Files that a Docker Compose file includes (Compose's specification, "Include"). */

import { dirname, resolve } from 'node:path';
import { isObject } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { filled, type Variables } from './expanded.ts';

export interface Included {
  /** A whole path, or a URL. */
  readonly file: string;
  /** In which its relative paths begin. */
  readonly folder: string;
  /** Whole paths of files with variables. */
  readonly variables: readonly string[];
}

/** What a Compose file includes: one file, a list, or lists. */
export function includedIn(document: unknown, known: Variables, { cwd }: PathBase): readonly Included[] {
  const included = isObject(document) && Array.isArray(document.include) ? document.include : [];
  const pathsIn = (written: unknown): readonly string[] =>
    (Array.isArray(written) ? written : [written])
      .filter(path => typeof path === 'string')
      .map(path => filled(path, known))
      .map(path => (path.includes('://') ? path : resolve(cwd, path)));
  return included.flatMap(each => {
    const listed: Record<string, unknown> = isObject(each) ? each : { path: each };
    const files = pathsIn(listed.path);
    const [folder = dirname(files[0] ?? cwd)] = pathsIn(listed.project_directory);
    return files.map(file => ({ file, folder, variables: pathsIn(listed.env_file) }));
  });
}
