import { MAX_STATES_PER_LOOK_UP, type ResponderReference, type ResponderType } from '@tocsin/events';
import { NotFoundError, UnavailableError } from '@tocsin/core';
import type { Responders } from '@tocsin/kafka';
import type { Resolution } from '../alerts/decided.ts';

/**
 * Looks responders up in the replicas, and asks their owner for those that are missing, such as a team created just
 * now.
 */
export class ResponderDirectory {
  readonly #responders: Pick<Responders, 'everyone' | 'find' | 'findHeld'>;

  constructor(responders: Pick<Responders, 'everyone' | 'find' | 'findHeld'>) {
    this.#responders = responders;
  }

  /** Resolves users by id or user name, everything else by id or name. Never throws. */
  async resolve({ type, id, name }: ResponderReference): Promise<Resolution> {
    try {
      const found = await this.#responders.find(type, { id, name });
      return found === undefined ? { kind: 'unknown' } : { kind: 'known', ...found };
    } catch {
      return { kind: 'unreachable' };
    }
  }

  /** The resolution that is known here, without asking the owner. */
  known({ type, id, name }: ResponderReference): Resolution | undefined {
    const found = this.#responders.findHeld(type, { id, name });
    return found && { kind: 'known', ...found };
  }

  /** The present user name of a user, the name of anything else; undefined if it is not known, or no longer exists. */
  nameOf(type: ResponderType, id: string): string | undefined {
    return this.#responders.findHeld(type, { id })?.name;
  }

  /** The ids of all users that are known here. */
  everyone(): readonly string[] {
    return this.#responders.everyone();
  }
}

/** No owner is asked for anything more after this. Milliseconds of real time. */
const LIMIT_MS = 500;

/**
 * Resolves each of `references` once: from the replica, else by its owner. No owner is asked for more after 500 ms, or for more
 * of one type once it could not be asked. The rest counts as unreachable, so a batch waits for one time-out and not for
 * hundreds.
 */
export async function lookUp(
  references: readonly ResponderReference[],
  directory: ResponderDirectory,
): Promise<(reference: ResponderReference) => Resolution> {
  const resolutions = new Map<string, Resolution>();
  const distinct = new Map(references.map((reference) => [keyOf(reference), reference]));
  const missing = [...distinct].filter(([key, reference]) => {
    const known = directory.known(reference);
    if (known !== undefined) resolutions.set(key, known);
    return known === undefined;
  });
  const unavailable = new Set<ResponderType>();
  const until = performance.now() + LIMIT_MS;
  const ask = async ([key, reference]: readonly [string, ResponderReference]): Promise<void> => {
    if (unavailable.has(reference.type) || performance.now() >= until) return;
    const resolution = await directory.resolve(reference);
    if (resolution.kind === 'unreachable') unavailable.add(reference.type);
    resolutions.set(key, resolution);
  };
  for (let asked = 0; asked < missing.length; asked += MAX_STATES_PER_LOOK_UP)
    await Promise.all(missing.slice(asked, asked + MAX_STATES_PER_LOOK_UP).map(ask));
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
