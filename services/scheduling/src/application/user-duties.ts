import type { Escalation } from '../domain/escalation.ts';
import { mentionsOf } from '../domain/mentions.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import { accessTo, type Caller } from './caller.ts';
import type { References } from './references.ts';

/** Lists what a user has to do with (part 3, 4.1). */
export class UserDuties {
  readonly #store: ConfigurationStore;
  readonly #references: References;

  constructor({ store, references }: { store: ConfigurationStore; references: References }) {
    this.#store = store;
    this.#references = references;
  }

  /**
   * The schedules with a rotation in which the user takes part, of those that the caller may see, in the order of their
   * creation.
   *
   * @throws NotFoundError when no user has that id or user name.
   */
  async schedules(identifier: string, caller: Caller): Promise<readonly Schedule[]> {
    const { id } = await this.#references.userCalled(identifier);
    return naming(id, (await this.#store.current()).schedules.all(), caller);
  }

  /** The escalations with a rule for the user in person, otherwise as `schedules`. */
  async escalations(identifier: string, caller: Caller): Promise<readonly Escalation[]> {
    const { id } = await this.#references.userCalled(identifier);
    return naming(id, (await this.#store.current()).escalations.all(), caller);
  }
}

const naming = <T extends Schedule | Escalation>(userId: string, things: readonly T[], caller: Caller) =>
  things.filter(
    (thing) =>
      accessTo(thing, caller) !== 'none' && mentionsOf(thing).some(({ type, id }) => type === 'user' && id === userId),
  );
