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
