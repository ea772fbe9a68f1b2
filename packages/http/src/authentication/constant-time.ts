import { timingSafeEqual } from 'node:crypto';

/** Whether both are the same bytes, found out in a time that depends on their lengths alone. For hashes, signatures and tokens. */
export const isEqualInConstantTime = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
