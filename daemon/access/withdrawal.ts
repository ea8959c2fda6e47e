/** Why a call that runs may not go on (spec §6, Narrowing). Only types. */

export type Withdrawal =
  /** Its token lacks its tool now. */
  | { readonly kind: 'tool' }
  /** Removed, blocked, never for AI, or taken off the token's allowlist. */
  | { readonly kind: 'connection'; readonly connection: string }
  /** Its policy wants the user's yes first now. */
  | { readonly kind: 'yes_first'; readonly connection: string }
  | { readonly kind: 'writing'; readonly by: 'connection' | 'time' | 'token'; readonly connection: string };
