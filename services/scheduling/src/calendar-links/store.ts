import { collectionOf, type Connection, type IndexPlan, orUnavailable } from '@tocsin/mongo';
import type { CalendarLink } from './calendar-link.ts';

const CALENDAR_LINKS = 'calendar_links';

interface CalendarLinkDocument extends Omit<CalendarLink, 'userId'> {
  /** The id of the user: each has one link at most. */
  readonly _id: string;
}

export const calendarLinkIndexes: readonly IndexPlan[] = [
  { collection: CALENDAR_LINKS, keys: { _id: 1 }, serves: 'the link of a user' },
  { collection: CALENDAR_LINKS, keys: { tokenHash: 1 }, options: { unique: true }, serves: 'the user of a link' },
];

/** Keeps the links to calendars. All methods throw UnavailableError while the database is unavailable. */
export class CalendarLinkStore {
  readonly #collection: ReturnType<typeof collectionOf<CalendarLinkDocument>>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, CALENDAR_LINKS);
  }

  /** Writes the link of a user in place of the one before, which opens nothing from then on. */
  async put({ userId, ...link }: CalendarLink): Promise<void> {
    await orUnavailable(this.#collection.replaceOne({ _id: userId }, link, { upsert: true }));
  }

  async ofUser(userId: string): Promise<CalendarLink | undefined> {
    return linkOf(await orUnavailable(this.#collection.findOne({ _id: userId })));
  }

  async ofToken(tokenHash: string): Promise<CalendarLink | undefined> {
    return linkOf(await orUnavailable(this.#collection.findOne({ tokenHash })));
  }

  /** Of all users who have a link. */
  async userIds(): Promise<readonly string[]> {
    const documents = await orUnavailable(this.#collection.find({}, { projection: { _id: 1 } }).toArray());
    return documents.map(({ _id }) => _id);
  }

  async remove(userId: string): Promise<void> {
    await orUnavailable(this.#collection.deleteOne({ _id: userId }));
  }
}

function linkOf(document: CalendarLinkDocument | null): CalendarLink | undefined {
  if (document === null) return undefined;
  const { _id: userId, createdAt, tokenHash } = document;
  return { userId, tokenHash, createdAt };
}
