/** Why a running call may not continue (spec §6, Narrowing). Only types. */

export type Withdrawal =
  /** Its token no longer covers its tool. */
  | { readonly kind: 'tool' }
  /** Removed, blocked, never for AI, or taken off the token's allowlist. */
  | { readonly kind: 'connection'; readonly connection: string }
  /** Its policy now requires the user's approval first. */
  | { readonly kind: 'yes_first'; readonly connection: string }
  | { readonly kind: 'writing'; readonly by: 'connection' | 'time' | 'token'; readonly connection: string };
