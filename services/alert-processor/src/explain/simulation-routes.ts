import { SimulateAlertBody, type AnswerOf } from '@tocsin/api';
import { formatInstant, type SimulatedMessage, type TimedFinding } from '@tocsin/events';
import { type Admission, defineRoute, type Route } from '@tocsin/http';
import type { SimulateAlerts, Simulation } from './simulate-operations.ts';

/**
 * Operations of Tocsin: which users would be notified of an alert, when and how. The right to read configuration suffices: it writes
 * nothing (K3).
 */
export function simulationRoutes(simulations: SimulateAlerts, pool: Admission): readonly Route[] {
  return [
    defineRoute({
      operation: 'simulate-alert',
      pool,
      body: SimulateAlertBody,
      writtenNumbers: 'details',
      handle: async ({ body, principal, callerAddress }) => ({
        body: { data: simulationJson(await simulations.simulate(body, principal, callerAddress)) },
      }),
    }),
  ];
}

function simulationJson({
  at,
  command,
  messages,
  outcome,
  reason,
  truncated,
  findings,
}: Simulation): AnswerOf<'simulate-alert'>['data'] {
  const { alias, message, priority } = command.alert;
  return {
    at: formatInstant(at),
    outcome,
    ...(reason !== undefined && { reason }),
    alert: { message, alias, priority },
    messages: messages.map(messageJson),
    steps: findings.map(stepJson),
    truncated,
  };
}

const messageJson = ({ actionType, at, method, userId, username, why }: SimulatedMessage) => ({
  at: formatInstant(new Date(at)),
  user: { id: userId, username },
  method,
  actionType,
  why,
});

const stepJson = ({ at, outcome, subject, text }: TimedFinding) => ({
  at: formatInstant(new Date(at)),
  subject,
  outcome,
  text,
});
