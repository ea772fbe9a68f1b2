import { InvalidError } from '@tocsin/core';

/** The most bytes of one kind of configuration that one team, or the account, may have: a process holds or writes all of it at once. */
export const MAX_BYTES_OF_TEAM = 4_000_000;

/** The bytes of `value` as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * A team over the bound may still make a thing smaller, or write it at its size.
 *
 * @throws InvalidError when a team that has `present` bytes of `things` would gain `gained`, and have too many.
 */
export function requireBytesOfTeam(things: string, gained: number, present: number): void {
  if (gained <= 0 || present + gained <= MAX_BYTES_OF_TEAM) return;
  throw InvalidError.about('ownerTeam', `A team has at most ${MAX_BYTES_OF_TEAM} bytes of ${things}.`);
}
