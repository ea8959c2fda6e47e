/** What a JSON text says, where it is one: text that others wrote is asked, never trusted. */

/** Undefined for what is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * From here on programs write an integer with an exponent, as JavaScript does: below, with all its
 * digits.
 */
export const exponentsFrom = 1e21;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
