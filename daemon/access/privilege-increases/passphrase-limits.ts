/** The numbers of the owner passphrase (spec §11): what guessing it costs, on this daemon and off it. */

export const passphraseLimits = {
  leastCharacters: 8,
  mostCharacters: 256,
  /** Wrong ones within the wait's time before it begins. */
  tries: 3,
  waitSeconds: 60,
} as const;

/**
 * For a new passphrase; a kept one is checked by its own. As strong as N = 2^17, p = 1 (OWASP, Password Storage), in half the
 * memory: 64 MiB, some 0.3 s.
 */
export const newScryptCost: ScryptCost = { N: 65_536, r: 8, p: 2 };

export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}
