import { isDeepStrictEqual } from 'node:util';
import type { Put } from '@tocsin/core';
import { nextVersion, type Version } from '@tocsin/events';
import type { Change } from './configuration.ts';

/**
 * Writes `next` by `write`: as it is where it is new, and under the next version in the place of `present`. Where both are the same,
 * nothing is written or published (E10).
 */
export function putEntity<T extends { readonly version: Version }>(
  present: T | undefined,
  next: T,
  write: (entity: T) => Omit<Change<unknown>, 'answer'>,
): Change<Put<T>> {
  if (present === undefined) return { ...write(next), answer: { entity: next, present } };
  if (isDeepStrictEqual(next, present)) return { answer: { entity: present, present } };
  const entity = { ...next, version: nextVersion(present.version) };
  return { ...write(entity), answer: { entity, present } };
}
