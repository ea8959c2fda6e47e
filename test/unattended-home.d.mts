/** Types of unattended-home.mjs for suites. */

export function beginUnattended(home: string): void;
