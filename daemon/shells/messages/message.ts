/** A shape's TypeScript type: as zod infers it, and read-only. */

import type * as z from 'zod';

export type Message<Shape extends z.ZodType> = Unchanged<z.infer<Shape>>;

type Unchanged<Value> = Value extends object ? { readonly [Member in keyof Value]: Unchanged<Value[Member]> } : Value;
