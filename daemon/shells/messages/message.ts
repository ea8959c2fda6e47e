/**
 * What a shape says to TypeScript: as zod infers it, and whoever reads a message changes nothing in
 * it.
 */

import type * as z from 'zod';

export type Message<Shape extends z.ZodType> = Unchanged<z.infer<Shape>>;

type Unchanged<Value> = Value extends object ? { readonly [Member in keyof Value]: Unchanged<Value[Member]> } : Value;
