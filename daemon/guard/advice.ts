/**
 * What a model may do instead of a forbidden statement. A reason says what is wrong and, behind a
 * semicolon, what to do about it; one that has nothing of its own to say gets the common advice.
 * None says how a guard is switched off.
 */

const common = 'do without it, or ask the user to do it';

/** Instead of what only another engine, or a program for people, has. */
export const listingTools = 'list_tables lists the schemas and tables, describe_table tells the columns of a table.';

export const hasOwnAdvice = (reason: string): boolean => reason.includes('; ');

export function withAdvice(reason: string): string {
  return hasOwnAdvice(reason) ? reason : `${reason.replace(/\.$/, '')}; ${common}.`;
}
