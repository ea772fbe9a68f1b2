import { UnavailableError } from '@tocsin/core';
import { type AlertIdentifier, NextPageAnswer, type NextPageQuestion } from '@tocsin/events';
import type { InternalClient, Principal } from '@tocsin/http';
import { z } from 'zod';
import type { ReadAlerts } from '../alerts/operations.ts';
import { nextPageOf, type NextPageReport, type NextPageResult } from './next-page.ts';

/** A service that pages users by itself. */
export type Pager = Pick<InternalClient, 'post'>;

export interface ReadNextPagesDependencies {
  readonly alerts: Pick<ReadAlerts, 'get'>;
  /** Scheduling, whose rules fire, and notifier, which has the messages of pages. */
  readonly pagers: readonly Pager[];
}

const Answer = z.object({ data: NextPageAnswer });

/** Says when an alert next pages users by itself, and whom. */
export class ReadNextPages {
  readonly #alerts: Pick<ReadAlerts, 'get'>;
  readonly #pagers: readonly Pager[];

  constructor({ alerts, pagers }: ReadNextPagesDependencies) {
    this.#alerts = alerts;
    this.#pagers = pagers;
  }

  /** @throws NotFoundError when the key finds no such alert. */
  async get(identifier: AlertIdentifier, by: Principal): Promise<NextPageResult> {
    const alert = await this.#alerts.get(identifier, by);
    if (alert.status !== 'open') return nextPageOf(alert, []);
    return nextPageOf(alert, await Promise.all(this.#pagers.map((pager) => reportOf(pager, { alertId: alert.id }))));
  }
}

async function reportOf(pager: Pager, question: NextPageQuestion): Promise<NextPageReport> {
  try {
    const answer = Answer.safeParse((await pager.post('/internal/next-page', question)).body);
    return answer.success ? answer.data.data : 'no-answer';
  } catch (error) {
    if (error instanceof UnavailableError) return 'no-answer';
    throw error;
  }
}
