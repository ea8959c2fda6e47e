/**
 * Which of several PostgreSQL servers will do: libpq's `target_session_attrs` but for `any`, which
 * is to ask nothing.
 */

export const targetServersWords = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type TargetServersWord = (typeof targetServersWords)[number];
