import type { ZodType } from 'zod';

export declare function swiftFiles(daemon: {
  readonly commands: readonly { readonly name: string; readonly shape: ZodType; readonly result: ZodType }[];
  readonly pushed: Readonly<Record<string, ZodType>>;
  readonly nouns: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}): ReadonlyMap<string, string>;
