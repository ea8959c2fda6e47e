/** The database engines that Sallyport knows, by the words that stand in the store, in messages and in the command line. */

export const engines = ['postgres', 'mysql', 'sqlite'] as const;
export type Engine = (typeof engines)[number];
