import type { ResponderReference, ResponderType } from '@tocsin/contracts';
import { NotFoundError, UnavailableError } from '@tocsin/errors';
import type { Resolution } from '../domain/decided.ts';
import type { ResponderDirectory } from '../ports/responder-directory.ts';

/** How many references are looked up concurrently. */
const AT_ONCE = 16;
/** How long owners are asked for the references of one call. Milliseconds of real time. */
const LIMIT_MS = 2_000;

/**
 * Resolves each of `references` once: from the replica, else by its owner. Owners are asked for 2 s. Once the owner of one type
 * could not be asked, no more of that type are asked. The rest counts as unreachable, so a batch waits for one time-out and not
 * for hundreds.
 *
 * With `untilUnknown` it stops after the first that does not exist. All before that one are resolved, so a caller can
 * name the first in their order.
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
 * The resolution of a reference that must exist. `what` is its word in a refusal, such as `Team`.
 *
 * @throws NotFoundError when it does not exist, UnavailableError when its owner could not be asked; both name it.
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
