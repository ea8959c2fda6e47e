/**
 * The types of the table of English and German (texts.json): the compiler finds a text that isn't
 * there. The English with `%@` for each value, or `%lld` for each number, is a text's key and code.
 * A counted text has its forms for one in both languages.
 */

import type table from './texts.json';

type Table = typeof table;
type Worded = { [Key in keyof Table]: Table[Key] extends string ? Key : never }[keyof Table];
/** A text with a number says it nowhere but where that number is given. */
export type NumberText = Extract<Worded, `${string}%lld${string}`>;
export type Text = Exclude<Worded, NumberText>;

/** One value for each `%@`. */
export type Values<Code extends string> = Code extends `${string}%@${infer Rest}` ? [string, ...Values<Rest>] : [];

/** A text within another sentence: without its capital letter and its full stop. */
export type Clause<Sentence = Text> = Sentence extends `${infer Words}.` ? Uncapitalize<Words> : never;

/** What is put together is English only; a literal is a text. */
export type TextOr<Words> = Words extends string ? (Record<never, 1> extends Record<Words, 1> ? Words : Text) : Words;
