/** Names of questions that people type: eight letters and digits, none of which looks like another. */

/** 32 of them, so that five bits choose one evenly: without 0, 1, l and o. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const length = 8;

/** @param randomBytes as many as asked for. */
export function newQuestionId(randomBytes: (count: number) => Uint8Array): string {
  return Array.from(randomBytes(length), byte => alphabet[byte % alphabet.length] ?? '').join('');
}
