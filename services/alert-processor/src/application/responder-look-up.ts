import type { ResponderReference, ResponderType } from '@tocsin/contracts';
import { NotFoundError, UnavailableError } from '@tocsin/errors';
import type { Resolution } from '../domain/decided.ts';
import type { ResponderDirectory } from '../ports/responder-directory.ts';

/** How many references are asked for side by side. */
const AT_ONCE = 16;
/** How long owners are asked for the references of one call. Milliseconds of real time. */
const LIMIT_MS = 2_000;

/**
 * Resolves each of `references` once: by what is known here, else by its owner. No owner is asked any more after it could not be
 * asked once, or after 2 s: what is left is unreachable. So a batch waits for one time-out, not for hundreds, and names that
 * nobody knows delay others by seconds at most.
 *
 * With `untilUnknown` none are asked either after one that does not exist: those before it are resolved, so that the first in
 * their order can be named.
 */
export async function lookUp(
  references: readonly ResponderReference[],
  directory: ResponderDirectory,
  { untilUnknown = false }: { readonly untilUnknown?: boolean } = {},
): Promise<(reference: ResponderReference) => Resolution> {
  const distinct = [...new Map(references.map((reference) => [keyOf(reference), reference])).values()];
  const resolutions = new Map<string, Resolution>();
  const away = new Set<ResponderType>();
  const queue = distinct.values();
  const until = performance.now() + LIMIT_MS;
  let isEnough = false;
  const work = async (): Promise<void> => {
    for (const reference of queue) {
      if (isEnough) return;
      const mayAsk = !away.has(reference.type) && performance.now() < until;
      const resolution = directory.known(reference) ?? (mayAsk ? await directory.resolve(reference) : UNREACHABLE);
      if (resolution.kind === 'unreachable') away.add(reference.type);
      if (resolution.kind === 'unknown') isEnough = untilUnknown;
      resolutions.set(keyOf(reference), resolution);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, distinct.length) }, work));
  return (reference) => resolutions.get(keyOf(reference)) ?? UNREACHABLE;
}

/**
 * What `reference` stands for by `resolution`. `what` is how a refusal calls it, such as `Team`.
 *
 * @throws NotFoundError where it does not exist, UnavailableError where its owner could not be asked; both name it.
 */
export function existing(
  resolution: Resolution,
  { type, id, name }: ResponderReference,
  what: string,
): Extract<Resolution, { kind: 'known' }> {
  if (resolution.kind === 'known') return resolution;
  const named = id === undefined ? `${type === 'user' ? 'username' : 'name'}: ${name ?? ''}` : `id: ${id}`;
  if (resolution.kind === 'unknown') throw new NotFoundError(`${what} does not exist with ${named}`);
  throw new UnavailableError(`${what} with ${named} can not be looked up.`);
}

const UNREACHABLE: Resolution = { kind: 'unreachable' };

function keyOf({ type, id, name }: ResponderReference): string {
  return JSON.stringify([type, id, name]);
}
