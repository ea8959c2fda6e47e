/** For `spawn(...)`. */
type Command = [program: string, words: string[]];
export function onTerminal(words: readonly string[], platform?: string): Command;
export function lineOnTerminal(line: string, platform?: string): Command;
export function missingForTerminals(platform?: string): string | null;
