/**
 * JSON-RPC error codes that daemon, bridge and clients share. Sources: spec §4, §15, MCP
 * 2026-07-28.
 */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  unsupportedProtocolVersion: -32022,
  internal: -33000,
  sessionUnknown: -33001,
  cancelled: -33002,
  tooLarge: -33005,
  switchedOff: -33006,
  forbidden: -33007,
  tokenExpired: -33008,
  unauthenticated: -33009,
  rateLimited: -33010,
} as const;

/**
 * The MCP revisions that the daemon serves, newest first. `server/discover`, the handshake and
 * refusals all quote this list.
 */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
type ProtocolVersion = (typeof protocolVersions)[number];

/** The one stateless revision (spec §4); the others start with `initialize`. */
export const modernProtocolVersion = '2026-07-28' satisfies ProtocolVersion;

/** The answer to an `initialize` of an unknown newer revision. */
export const newestLegacyProtocolVersion = '2025-11-25' satisfies ProtocolVersion;
