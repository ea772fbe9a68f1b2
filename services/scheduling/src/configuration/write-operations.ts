import { isDeepStrictEqual } from 'node:util';
import { nextVersion, type Version } from '@tocsin/events';
import type { Change } from './configuration.ts';

/** What a write of an entity under its id did. */
export interface Put<T> {
  readonly entity: T;
  /** What it was before: undefined where it was created, the same object where nothing changed. */
  readonly present: T | undefined;
}

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
