import { type ContactMethod, type NextPage } from '@tocsin/events';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { METHOD_NAMES } from '../messages/delivery.ts';
import { DELIVERIES } from '../messages/delivery-document.ts';

/** The fields of the rows of pages that say when a message about an alert is due. */
interface OpenRow {
  readonly _id: string;
  readonly queue?: string;
  readonly nextAt?: Date;
  readonly nextDueAt?: Date;
  readonly username?: string;
  readonly method?: ContactMethod;
  readonly cancelReason?: string;
  readonly page: { readonly alertId: string; readonly userId: string; readonly alertVersion?: number };
  readonly next?: {
    readonly page: { readonly alertId: string; readonly userId: string; readonly alertVersion: number };
    readonly cancelReason?: string;
  };
}

/** Finds the next page of an alert among the messages that are still to be sent. A row with content has a version of its alert. */
export class NextPages {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The page of an alert whose next message, or the repetition of whose steps, is due first; undefined where none is. */
  async find(alertId: string): Promise<NextPage | undefined> {
    const [message, repetition] = await Promise.all([this.#message(alertId), this.#repetition(alertId)]);
    if (message === undefined || repetition === undefined) return message ?? repetition;
    return message.at <= repetition.at ? message : repetition;
  }

  async #message(alertId: string): Promise<NextPage | undefined> {
    const row = await this.#rows().findOne(
      {
        'page.alertId': alertId,
        'page.alertVersion': { $gte: 0 },
        // Status updates have none: no message about them is repeated.
        'page.cancelOn': { $exists: true },
        queue: { $exists: true },
        cancelReason: { $exists: false },
      },
      { sort: { nextAt: 1 }, projection: { nextAt: 1, username: 1, method: 1, 'page.userId': 1 } },
    );
    if (row?.nextAt === undefined || row.method === undefined) return undefined;
    const why = `${METHOD_NAMES[row.method]} by a notification rule`;
    return { at: row.nextAt.toISOString(), users: [userOf(row.page.userId, row.username)], why };
  }

  async #repetition(alertId: string): Promise<NextPage | undefined> {
    const row = await this.#rows().findOne(
      {
        'next.page.alertId': alertId,
        'next.page.alertVersion': { $gte: 0 },
        'next.cancelReason': { $exists: false },
        nextDueAt: { $exists: true },
      },
      { sort: { nextDueAt: 1 }, projection: { nextDueAt: 1, username: 1, 'page.userId': 1 } },
    );
    if (row?.nextDueAt === undefined) return undefined;
    const why = 'steps of a notification rule that start again';
    return { at: row.nextDueAt.toISOString(), users: [userOf(row.page.userId, row.username)], why };
  }

  #rows() {
    return collectionOf<OpenRow>(this.#connection, DELIVERIES);
  }
}

/** A page without a message has no user name in its row. */
const userOf = (id: string, username = id): NextPage['users'][number] => ({ id, username });
