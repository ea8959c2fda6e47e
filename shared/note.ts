/**
 * What a person should know of the daemon's state (spec §2), as `status` tells it: a code for
 * programs, and our words for people.
 */

export const noteCodes = [
  'paused',
  /** Paused by the daemon itself, at its start or later. */
  'started_paused',
  /** No port, so no client is served. */
  'unserved',
  /** The wanted port belongs to another program; another one serves. */
  'port_taken',
  'switched_off',
  'no_descriptors',
  'several_apps',
  'taken_back',
  'unknown_to_log',
  'passphrase',
  'secrets',
  'damage',
  'activity',
  /** Rows don't arrive where the person keeps logs. */
  'forwarding',
  'clock',
  'token_refused',
  'box',
  'host_key',
  /** ~/.ssh/config says something else of a tunnel than when it was saved. */
  'ssh_configuration',
  'any_server',
  'one_wall',
  'same_place',
  'stalled',
  /** The policy file that was applied says something else now. */
  'policy_changed',
] as const;

export interface Note {
  readonly code: (typeof noteCodes)[number];
  /** One or more sentences. */
  readonly sentence: string;
  /** What to do, if the sentence doesn't say it: a clause without its full stop. */
  readonly advice?: string | undefined;
}

export function noteText({ sentence, advice }: Note): string {
  return advice === undefined ? sentence : `${sentence} ${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`;
}

/** @param told sentences of one kind. */
export function notesOf(code: Note['code'], told: readonly (string | null)[]): Note[] {
  return told.flatMap(sentence => (sentence === null ? [] : [{ code, sentence }]));
}
