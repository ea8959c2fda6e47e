/**
 * Which of several PostgreSQL servers to use: libpq's `target_session_attrs`, except `any`, which
 * asks for nothing.
 */

export const targetServersWords = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type TargetServersWord = (typeof targetServersWords)[number];
