import {
  eventsOf,
  type NextPageAnswer,
  NextPageQuestion,
  SimulatedAlert,
  simulatedPages,
  type SimulatedRun,
} from '@tocsin/events';
import type { NextPages } from './next-page-operations.ts';
import type { EscalationSimulator } from './simulation-operations.ts';
import type { Clock } from '@tocsin/core';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import { AUDIT_SLACK_MS, MAX_STUCK } from '@tocsin/service';
import type { EscalationStateStore } from './store.ts';

/** How many escalation states of open alerts there are, and how many of them are overdue. */
export const ledgerRoute = (
  states: Pick<EscalationStateStore, 'findOverdue' | 'countOpen'>,
  clock: Clock,
): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/ledger',
    handle: async () => {
      const overdue = await states.findOverdue(new Date(clock.now().getTime() - AUDIT_SLACK_MS), MAX_STUCK);
      return { body: { data: { runs: await states.countOpen(), overdue: overdue.length } } };
    },
  });

/** The users whom the escalations of an alert would page, and when. */
export const simulationRoute = (simulation: EscalationSimulator): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/simulate',
    body: SimulatedAlert,
    handle: async ({ body }) => {
      const { cancels, pages, truncated, findings } = await simulation.simulate(eventsOf(body), body.escalation);
      const data: SimulatedRun = {
        ...simulatedPages(pages, cancels),
        findings: findings.map(({ at, outcome, subject, text }) => ({ at: at.toISOString(), subject, outcome, text })),
        truncated,
      };
      return { body: { data } };
    },
  });

/** When the escalations of an alert next page users, and whom. */
export const nextPageRoute = (nextPages: Pick<NextPages, 'find'>): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/next-page',
    body: NextPageQuestion,
    handle: async ({ body }) => {
      const data: NextPageAnswer = await nextPages.find(body.alertId);
      return { body: { data } };
    },
  });
