import { UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';
import { z } from 'zod';

/** A schedule, and the team that wants to know who is on call in it; without one the whole account. */
export interface WantedSchedule {
  readonly scheduleId: string;
  readonly teamId?: string | undefined;
}

const Answer = z.object({
  id: z.string(),
  name: z.string(),
  /** Names are user names. */
  users: z.array(z.object({ id: z.string(), name: z.string() })),
  until: z.string().optional(),
});
export type UsersOnCall = z.infer<typeof Answer>;

const MAX_AT_ONCE = 50;

/** Asks scheduling who is on call. */
export class UsersOnCallClient {
  readonly #client: Pick<InternalClient, 'post'>;

  constructor(client: Pick<InternalClient, 'post'>) {
    this.#client = client;
  }

  /**
   * The users on call in each of the schedules, in their order; undefined where there is no such schedule, or the team may not name it.
   * `withEnd`: also when they change next.
   *
   * @throws UnavailableError where scheduling does not answer; the reason of `stopping` once that is aborted.
   */
  async of(
    wanted: readonly WantedSchedule[],
    { stopping, withEnd }: { readonly withEnd: boolean; readonly stopping?: AbortSignal },
  ): Promise<readonly (UsersOnCall | undefined)[]> {
    const answers: (UsersOnCall | undefined)[] = [];
    while (answers.length < wanted.length) {
      stopping?.throwIfAborted();
      const schedules = wanted.slice(answers.length, answers.length + MAX_AT_ONCE);
      const { body, status } = await this.#client.post('/internal/on-calls', { schedules, withEnd });
      // An answer that takes long is of the first schedules alone.
      const read = z.array(Answer.nullable()).min(1).max(schedules.length).safeParse(body['data']);
      if (status !== 200 || !read.success) throw new UnavailableError('It cannot be read who is on call.');
      answers.push(...read.data.map((each) => each ?? undefined));
    }
    return answers;
  }
}
