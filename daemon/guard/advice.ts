/**
 * What a model may do instead of a forbidden statement. A reason says what is wrong and, after a
 * semicolon, what to do about it. A reason without advice of its own gets the common advice. No
 * advice says how a guard is switched off.
 */

const common = 'do without it, or ask the user to do it';

/** Advice for a statement that only another engine, or a client program for people, has. */
export const listingTools = 'list_tables lists the schemas and tables, describe_table tells the columns of a table.';

const hasOwnAdvice = (reason: string): boolean => reason.includes('; ');

export function withAdvice(reason: string): string {
  return hasOwnAdvice(reason) ? reason : `${reason.replace(/\.$/, '')}; ${common}.`;
}
