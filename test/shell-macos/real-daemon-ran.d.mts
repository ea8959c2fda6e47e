export function notRun(said: string): string | null;
