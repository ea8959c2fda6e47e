/**
 * Tells whether this daemon belongs to Sallyport.app, so that other programs of the bundle depend
 * on it. Only macOS has such bundles.
 */

/** @returns the bundle around `program`, an absolute path. */
export function appAround(platform: NodeJS.Platform, program: string): string | null {
  const [, app] = /^(\/.+\.app)\/Contents\//.exec(program) ?? [];
  return platform === 'darwin' && app !== undefined ? app : null;
}
