import {
  cancelsOf,
  type ContactMethod,
  type NextPageAnswer,
  NextPageQuestion,
  type Page,
  pagesOf,
  type SimulatedMessages,
  SimulatedPages,
  type TimedCancel,
} from '@tocsin/events';
import { inSteps, UnavailableError } from '@tocsin/core';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import { fetchMissing, type UserReplica } from '../messages/user-client.ts';
import type { NextPages } from './next-page-store.ts';
import { simulate } from './simulate.ts';

export interface SimulatePagesPorts {
  readonly users: UserReplica;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

const MAX_MESSAGES = 1_000;
/** How long a simulation may take, in real time. The event loop runs after each step. */
const MAX_MS = 1_000;

/** Computes the messages that pages would lead to by the users' rules of today. Writes nothing. */
export class SimulatePages {
  readonly #ports: SimulatePagesPorts;

  constructor(ports: SimulatePagesPorts) {
    this.#ports = ports;
  }

  /**
   * The messages that `pages` would come to until `cancels` end them, at most 1 000.
   *
   * @throws UnavailableError when it cannot be asked who a user is.
   */
  async simulate(pages: readonly Page[], cancels: readonly TimedCancel[]): Promise<SimulatedMessages> {
    const { channels, users } = this.#ports;
    const ids = pages.map(({ userId }) => userId);
    const unresolved = await fetchMissing(users, ids);
    if (unresolved.size > 0) throw new UnavailableError('Users cannot be looked up at present.');
    const endsAt = performance.now() + MAX_MS;
    const result = await inSteps(
      simulate(pages, {
        channels,
        cancels,
        user: (id) => users.get(id),
        maxMessages: MAX_MESSAGES,
        isOver: () => performance.now() > endsAt,
      }),
    );
    return {
      messages: result.deliveries.map(({ dueAt, method, page: { actionType, userId, why }, username }) => ({
        at: dueAt.toISOString(),
        userId,
        username,
        method,
        actionType,
        why,
      })),
      findings: result.findings.map(({ at, outcome, subject, text }) => ({
        at: at.toISOString(),
        subject,
        outcome,
        text,
      })),
      truncated: result.truncated,
    };
  }
}

/** The messages that pages would lead to. */
export const simulationRoute = (simulation: SimulatePages): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/simulate',
    body: SimulatedPages,
    handle: async ({ body }) => ({
      body: { data: await simulation.simulate(pagesOf(body), cancelsOf(body)) },
    }),
  });

/** When the next message about an alert is due, and to whom. */
export const nextPageRoute = (messages: Pick<NextPages, 'find'>): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/next-page',
    body: NextPageQuestion,
    handle: async ({ body }) => {
      const data: NextPageAnswer = { next: await messages.find(body.alertId) };
      return { body: { data } };
    },
  });
