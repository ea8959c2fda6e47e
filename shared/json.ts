/** Reads JSON text that others wrote, without trusting it. */

/** Undefined if the text isn't JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * From this number on, programs write integers with an exponent, as JavaScript does; below it, with
 * all digits.
 */
export const exponentsFrom = 1e21;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
