/** Patterns for sentences that the program words, where what comes behind them differs. */

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** @returns a pattern for texts that begin so. */
export const beginsWith = (text: string): RegExp => new RegExp(`^${escaped(text)}`);

/**
 * @param parts in turn, with anything between them.
 * @returns a pattern for texts that have them.
 */
export const inTurn = (...parts: readonly string[]): RegExp => new RegExp(parts.map(escaped).join('.*'), 's');

/** @returns a pattern for texts that have one of these. */
export const anyOf = (...texts: readonly string[]): RegExp => new RegExp(texts.map(escaped).join('|'));
