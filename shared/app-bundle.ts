/**
 * Whether this daemon is one of Sallyport.app, which other programs of the bundle depend on. macOS
 * alone has such bundles.
 */

/** @returns the bundle that `program`, an absolute path, lies in. */
export function appAround(platform: NodeJS.Platform, program: string): string | null {
  const [, app] = /^(\/.+\.app)\/Contents\//.exec(program) ?? [];
  return platform === 'darwin' && app !== undefined ? app : null;
}
