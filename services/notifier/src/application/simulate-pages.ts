import type { ContactMethod, Page, SimulatedMessages, TimedEvent } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { simulated } from '../domain/simulate.ts';
import type { Users } from '../ports/users.ts';
import { fetchMissing } from './fetch-missing.ts';

export interface SimulatePagesPorts {
  readonly users: Users;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

const MOST_MESSAGES = 1_000;
/** How long a simulation may take, in real time. */
const MOST_MS = 500;

/** Tells what users would be told by their own rules, as these are today. Writes nothing. */
export class SimulatePages {
  readonly #ports: SimulatePagesPorts;

  constructor(ports: SimulatePagesPorts) {
    this.#ports = ports;
  }

  /**
   * The messages that `pages` would come to while `events` happen to their alert, at most 1 000.
   *
   * @throws UnavailableError when it cannot be asked who a user is.
   */
  async simulate(pages: readonly Page[], events: readonly TimedEvent[]): Promise<SimulatedMessages> {
    const { channels, users } = this.#ports;
    const ids = pages.map(({ userId }) => userId);
    const away = await fetchMissing(users, ids);
    if (away.size > 0) throw new UnavailableError('Users cannot be looked up at present.');
    const endsAt = performance.now() + MOST_MS;
    const told = simulated(pages, {
      channels,
      events,
      user: (id) => users.get(id),
      most: MOST_MESSAGES,
      isOver: () => performance.now() > endsAt,
    });
    return {
      messages: told.deliveries.map(({ dueAt, method, page: { actionType, userId, why }, username }) => ({
        at: dueAt.toISOString(),
        userId,
        username,
        method,
        actionType,
        why,
      })),
      verdicts: told.verdicts.map(({ at, outcome, subject, text }) => ({
        at: at.toISOString(),
        subject,
        outcome,
        text,
      })),
      truncated: told.truncated,
    };
  }
}
