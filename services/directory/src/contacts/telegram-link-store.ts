import { collectionOf, type Connection, type IndexPlan, orUnavailable } from '@tocsin/mongo';
import { forgottenUntil, type TelegramLink, type UsedLink } from './telegram-link.ts';

const TELEGRAM_LINKS = 'telegram_links';

/** A user has one link at most. */
type LinkDocument = Omit<TelegramLink, 'userId'> & { readonly _id: string; readonly account?: string };

export const telegramLinkIndexes: readonly IndexPlan[] = [
  { collection: TELEGRAM_LINKS, keys: { codeHash: 1 }, options: { unique: true }, serves: 'the use of a link' },
  { collection: TELEGRAM_LINKS, keys: { expiresAt: 1 }, serves: 'the removal of links that ended a day ago' },
];

/** Keeps the links by which users link their accounts of Telegram. */
export class TelegramLinkStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Keeps a link in place of the one that its user had, which works no more. */
  async put({ userId, ...link }: TelegramLink): Promise<void> {
    await orUnavailable(this.#links().replaceOne({ _id: userId }, link, { upsert: true }));
  }

  /** Lets one account use a link: the first that comes in time, and this one again later. Undefined where the link is not for it. */
  async use(
    codeHash: string,
    { account, now }: { readonly account: string; readonly now: Date },
  ): Promise<UsedLink | undefined> {
    const isFree = { account: { $exists: false }, expiresAt: { $gt: now } };
    const used = await orUnavailable(
      this.#links().findOneAndUpdate(
        { codeHash, $or: [{ account }, isFree] },
        { $set: { account } },
        { returnDocument: 'after' },
      ),
    );
    if (used === null) return undefined;
    const { _id: userId, ...link } = used;
    return { ...link, userId, account };
  }

  /** Ends a link that has linked its account: it makes no second device, also where its user deletes the first. */
  async end(codeHash: string, now: Date): Promise<void> {
    await orUnavailable(this.#links().updateOne({ codeHash, expiresAt: { $gt: now } }, { $set: { expiresAt: now } }));
  }

  async removeExpired(now: Date): Promise<void> {
    await orUnavailable(this.#links().deleteMany({ expiresAt: { $lte: forgottenUntil(now) } }));
  }

  #links() {
    return collectionOf<LinkDocument>(this.#connection, TELEGRAM_LINKS);
  }
}
