/**
 * What holds for a Sallyport that npx runs: it lies in a folder of npm's cache, which npm may
 * empty, so no path of it is written anywhere. Knows the names; looks at no file.
 */

/** By the real path of one of its programs. */
export function isInNpxCache(path: string): boolean {
  return path.split('/').includes('_npx');
}

/** Starts the bridge wherever there is npm: it fetches the package where its cache has none. */
export const npxBridge = { command: 'npx', args: ['-y', 'sallyport', 'mcp'] } as const;

export const npxIsNoHome =
  "npx runs this Sallyport from npm's cache, which may be emptied, so clients are told to start `npx -y sallyport mcp`. `npm install --global sallyport` gives it a place that stays.";
