/**
 * For a Sallyport that npx runs. It is in npm's cache, which npm may empty, so its paths are
 * written nowhere. Works on names; looks at no file.
 */

/** @param path the real path of one of its programs. */
export function isInNpxCache(path: string): boolean {
  return path.split('/').includes('_npx');
}

/**
 * Starts the bridge on any machine with npm, which fetches the package if it isn't in its cache.
 */
export const npxBridge = { command: 'npx', args: ['-y', 'sallyport', 'mcp'] } as const;

export const npxIsNoHome =
  "npx runs this Sallyport from npm's cache, which may be emptied, so clients are told to start `npx -y sallyport mcp`. `npm install --global sallyport` gives it a place that stays.";
