import { withTimeout } from '@tocsin/core';
import type { ActionType } from '@tocsin/events';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { DELIVERIES, type DeliveryDocument } from '../../messages/delivery-document.ts';

/** A device of a user that may show pages about an alert. */
interface DeviceAndAlert {
  readonly alertId: string;
  readonly userId: string;
  /** The topic of the device. */
  readonly to: string;
}

/** A page that was sent to a device. */
export interface PushedPage {
  readonly deliveryId: string;
  /** The answer of the provider: of Telegram, Slack and Mattermost the id of the message. */
  readonly response: string;
}

/** A page in a message of a provider. */
export interface PageInMessage {
  readonly alertId: string;
  readonly pageId: string;
  readonly userId: string;
  readonly sentAt: Date;
}

/** The pages that ask for an action. */
const ASKING: readonly ActionType[] = ['create-alert', 'renotified-alert'];
/** A message goes out without the answer of a slow database. */
const TIMEOUT_MS = 1_000;

/** The pages that devices may show. */
export class PushedPages {
  readonly #connection: Connection;
  readonly #onFailure: (error: unknown) => void;

  /** `onFailure` is called when pages cannot be read. */
  constructor(connection: Connection, onFailure: (error: unknown) => void) {
    this.#connection = connection;
    this.#onFailure = onFailure;
  }

  /**
   * The newest message about this alert alone that was sent to a device; undefined where there is none, or it is not known within a second.
   * Never rejects.
   */
  async newest(of: DeviceAndAlert): Promise<PushedPage | undefined> {
    try {
      return await withTimeout(this.#find(of), TIMEOUT_MS, () => undefined);
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }

  /** The page about one alert that is a message of a provider; undefined where there is none. */
  async withMessage(to: string, response: string): Promise<PageInMessage | undefined> {
    const found = await collectionOf<DeliveryDocument>(this.#connection, DELIVERIES).findOne(
      { method: 'mobile', state: 'sent', to, reason: response, bundle: { $exists: false } },
      { sort: { endedAt: -1 }, projection: { page: 1, endedAt: 1 } },
    );
    if (found === null || !('page' in found) || found.endedAt === undefined) return undefined;
    const { alertId, pageId, userId } = found.page;
    return { alertId, pageId, userId, sentAt: found.endedAt };
  }

  async #find({ alertId, to, userId }: DeviceAndAlert): Promise<PushedPage | undefined> {
    const found = await collectionOf<DeliveryDocument>(this.#connection, DELIVERIES).findOne(
      {
        method: 'mobile',
        'page.alertId': alertId,
        'page.userId': userId,
        endedAt: { $exists: true },
        'page.actionType': { $in: [...ASKING] },
        to,
        state: 'sent',
        bundle: { $exists: false },
      },
      { sort: { endedAt: -1 }, projection: { reason: 1 } },
    );
    return found === null ? undefined : { deliveryId: found._id, response: found.reason ?? '' };
  }
}
