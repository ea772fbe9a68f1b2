import { SHADOW_SWITCH, type ShadowSwitchState } from '@tocsin/events';
import {
  type AnnouncedKind,
  changeConfiguration,
  type ConfigurationCollection,
  type Connection,
  type EntityStates,
} from '@tocsin/mongo';
import { type ShadowSwitch, switchMessage } from './shadow-switch.ts';

export const SWITCH: AnnouncedKind<ShadowSwitch, ShadowSwitchState> = {
  collection: 'shadow_switches',
  read: ({ _id: id, ...rest }) => ({ ...rest, id: id as typeof SHADOW_SWITCH }),
  message: switchMessage,
};

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
