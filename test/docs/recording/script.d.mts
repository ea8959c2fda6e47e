/** Types of script.mjs for tests. */

export interface Step {
  readonly type?: string;
}

export const script: readonly Step[];
export function typedLines(steps: readonly Step[]): readonly string[];
