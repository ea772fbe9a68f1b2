import { z } from 'zod';
import type { SimulatedAlert, SimulatedMessages, SimulatedPages, SimulatedRun } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';

/** Asks another service to simulate its part. */
export class HttpSimulator<Question, Answer> {
  readonly #client: Pick<InternalClient, 'post'>;
  readonly #answer: z.ZodType<{ readonly data: Answer }>;

  constructor(client: Pick<InternalClient, 'post'>, answer: z.ZodType<Answer>) {
    this.#client = client;
    this.#answer = z.object({ data: answer });
  }

  /** @throws UnavailableError when the service cannot be asked, or does not answer as expected. */
  async simulate(question: Question): Promise<Answer> {
    const { body, status } = await this.#client.post('/internal/simulate', question);
    const answer = this.#answer.safeParse(body);
    if (answer.success) return answer.data.data;
    throw new UnavailableError(`A simulation was answered ${status}, not as expected.`, { cause: answer.error });
  }
}

/** Asks scheduling whom the escalations of an alert would page. */
export type RunSimulator = Pick<HttpSimulator<SimulatedAlert, SimulatedRun>, 'simulate'>;

/** Asks notifier which messages users would get of pages. */
export type PageSimulator = Pick<HttpSimulator<SimulatedPages, SimulatedMessages>, 'simulate'>;
