import { SHADOW_SWITCH, type ShadowSwitchState } from '@tocsin/events';
import {
  type AnnouncedKind,
  changeConfiguration,
  collectionOf,
  type ConfigurationCollection,
  type Connection,
  type EntityStates,
  orUnavailable,
  type Stored,
} from '@tocsin/mongo';
import { type ShadowSwitch, switchMessage } from './shadow-switch.ts';

const read = ({ _id: id, ...rest }: Stored<ShadowSwitch>): ShadowSwitch => ({
  ...rest,
  id: id as typeof SHADOW_SWITCH,
});

export const SWITCH: AnnouncedKind<ShadowSwitch, ShadowSwitchState> = {
  collection: 'shadow_switches',
  read,
  message: switchMessage,
};

const READ_TIMEOUT_MS = 2_000;

export interface ShadowSwitchStoreOptions {
  readonly connection: Connection;
  readonly switches: ConfigurationCollection<ShadowSwitch>;
  readonly announcements: Pick<EntityStates<unknown>, 'publishNow'>;
}

/** Keeps the switch in MongoDB. Every change of it is published on `shadow-switches.v1`. */
export class ShadowSwitchStore {
  readonly #options: ShadowSwitchStoreOptions;

  constructor(options: ShadowSwitchStoreOptions) {
    this.#options = options;
  }

  /** Undefined before the first start of the account. */
  find(): Promise<ShadowSwitch | undefined> {
    return this.#options.switches.find({ _id: SHADOW_SWITCH });
  }

  /**
   * The switch as it is now, whichever member of the replica set takes itself for the primary.
   *
   * @throws UnavailableError where MongoDB does not answer.
   */
  async findNow(): Promise<ShadowSwitch | undefined> {
    const found = await orUnavailable(
      collectionOf<Stored<ShadowSwitch>>(this.#options.connection, SWITCH.collection).findOne(
        { _id: SHADOW_SWITCH },
        { readPreference: 'primary', readConcern: { level: 'linearizable' }, maxTimeMS: READ_TIMEOUT_MS },
      ),
    );
    return found === null ? undefined : read(found);
  }

  /** Replaces the switch by the result of `work`, whose errors are thrown. No other write comes in between. */
  change(work: (present: ShadowSwitch | undefined) => ShadowSwitch): Promise<ShadowSwitch> {
    const { connection, switches } = this.#options;
    return changeConfiguration(connection, async (session) => {
      const present = await switches.find({ _id: SHADOW_SWITCH }, session);
      const changed = work(present);
      if (changed !== present) await switches.write({ put: [changed] }, session);
      return changed;
    });
  }

  /**
   * Resolves when the topic has the switch as it is stored.
   *
   * @throws UnavailableError where it does not have it yet. The outbox publishes it later.
   */
  publishNow(): Promise<void> {
    return this.#options.announcements.publishNow([SHADOW_SWITCH]);
  }
}
