/** At least 1: how many times as long as on a quiet machine everything takes here and now. */
export function pace(): number;
export function watchPace(): Promise<void>;
