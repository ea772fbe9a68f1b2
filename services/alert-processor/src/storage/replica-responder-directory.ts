import type { ResponderReference, ResponderType } from '@tocsin/contracts';
import type { Responders } from '@tocsin/messaging';
import type { Resolution } from '../domain/decided.ts';
import type { KnownResponders, ResponderDirectory } from '../ports/responder-directory.ts';

/**
 * Looks responders up in the replicas, and asks their owner for those that are missing, such as a team created just
 * now.
 */
export class ReplicaResponderDirectory implements ResponderDirectory, KnownResponders {
  readonly #responders: Pick<Responders, 'everyone' | 'find' | 'held'>;

  constructor(responders: Pick<Responders, 'everyone' | 'find' | 'held'>) {
    this.#responders = responders;
  }

  async resolve({ type, id, name }: ResponderReference): Promise<Resolution> {
    try {
      const found = await this.#responders.find(type, { id, name });
      return found === undefined ? { kind: 'unknown' } : { kind: 'known', ...found };
    } catch {
      return { kind: 'unreachable' };
    }
  }

  known({ type, id, name }: ResponderReference): Resolution | undefined {
    const found = this.#responders.held(type, { id, name });
    return found && { kind: 'known', ...found };
  }

  nameOf(type: ResponderType, id: string): string | undefined {
    return this.#responders.held(type, { id })?.name;
  }

  everyone(): readonly string[] {
    return this.#responders.everyone();
  }
}
