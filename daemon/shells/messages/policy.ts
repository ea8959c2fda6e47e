/** What a policy file changes, and the policy that holds (spec §6, §11). */

import * as z from 'zod';
import type { Message } from './message.ts';

export const policyChange = z.strictObject({
  /** `hide`, or a setting's. */
  key: z.string(),
  /** One value, or a list's; null for writing that ends by itself, which no file can say. */
  from: z.array(z.string()).nullable(),
  to: z.array(z.string()).nullable(),
  /** True if the owner has to confirm it; else it applies at once. */
  widens: z.boolean(),
});
export type PolicyChangeView = Message<typeof policyChange>;

export const policyDifference = z.strictObject({
  connections: z.array(z.strictObject({ name: z.string(), changes: z.array(policyChange) })),
  settings: z.array(policyChange),
});
export type PolicyDifferenceView = Message<typeof policyDifference>;

/** The file that was applied last. */
export const appliedPolicy = z.strictObject({
  /** Absolute. */
  path: z.string(),
  /** SHA-256 of its bytes, 64 hexadecimal digits. */
  digest: z.string(),
  /** ISO 8601. */
  at: z.string(),
});
export type AppliedPolicyView = Message<typeof appliedPolicy>;

export const policyHeld = z.strictObject({
  /** JSON, of shared/sallyport.schema.json. */
  policy: z.string(),
  /** What no file can say of these. */
  unsaid: z.array(z.strictObject({ name: z.string(), why: z.enum(['write_ends', 'star_in_name']) })),
  /** Null if none was. */
  applied: appliedPolicy.nullable(),
});
export type PolicyHeldView = Message<typeof policyHeld>;
