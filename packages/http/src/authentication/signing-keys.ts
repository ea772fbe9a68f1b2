import { createHmac } from 'node:crypto';

/** One or two keys. The first signs. */
export type SigningKeys = readonly [Uint8Array, ...Uint8Array[]];

/** @throws RangeError unless there are one or two keys and none is blank (K6: two during a rotation). */
export function signingKeysOf(keys: readonly string[]): SigningKeys {
  if (keys.length > 2 || keys.some((key) => key.trim() === '')) {
    throw new RangeError('There are one or two signing keys, and none is blank.');
  }
  const [first, ...others] = keys.map((key) => new TextEncoder().encode(key));
  if (first === undefined) throw new RangeError('There is no signing key.');
  return [first, ...others];
}

/**
 * The keys for one purpose, 256 bits each, in the order of the keys that they are derived from.
 *
 * @throws RangeError as {@link signingKeysOf}
 */
export function derivedKeysOf(keys: readonly string[], purpose: string): SigningKeys {
  const [first, ...others] = signingKeysOf(keys);
  const derived = (key: Uint8Array) => createHmac('sha256', key).update(purpose).digest();
  return [derived(first), ...others.map(derived)];
}
