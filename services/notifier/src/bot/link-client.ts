import { UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';
import { z } from 'zod';

const Answer = z.object({
  data: z.object({ result: z.enum(['linked', 'expired', 'elsewhere', 'full']), username: z.string().optional() }),
});

/** What came of a link by which an account of Telegram becomes a device of a user. */
export type LinkAnswer = z.infer<typeof Answer>['data'];

const Removal = z.object({ data: z.object({ username: z.string().optional() }) });

/** Asks directory, which has the links. */
export class LinkClient {
  readonly #client: Pick<InternalClient, 'post'>;

  constructor(client: Pick<InternalClient, 'post'>) {
    this.#client = client;
  }

  /**
   * Makes an account a device of the user who got the code. A repeat has no further effect, and the same answer.
   *
   * @throws UnavailableError where directory does not answer.
   */
  async use(code: string, account: string): Promise<LinkAnswer> {
    const { body, status } = await this.#client.post('/internal/telegram-links/uses', { code, account });
    const read = Answer.safeParse(body);
    if (status === 200 && read.success) return read.data.data;
    throw new UnavailableError('An account of Telegram cannot be linked now.');
  }

  /**
   * Deletes the device that an account is. Resolves with the name of its user; undefined where it is no device. A repeat changes nothing.
   *
   * @throws UnavailableError where directory does not answer.
   */
  async remove(account: string): Promise<string | undefined> {
    const { body, status } = await this.#client.post('/internal/telegram-links/removals', { account });
    const read = Removal.safeParse(body);
    if (status === 200 && read.success) return read.data.data.username;
    throw new UnavailableError('A device of Telegram cannot be deleted now.');
  }
}
