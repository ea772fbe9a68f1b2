import { AlertIdentifierQuery, ExplainAlertQuery, type AnswerOf } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { type Admission, defineRoute, type Route } from '@tocsin/http';
import type { ReadNextPages } from './next-page-operations.ts';
import type { NextPageResult } from './next-page.ts';
import type { ExplainAlerts, ExplainedAlert } from './operations.ts';
import type { ExplanationStep } from './explanation.ts';

/** Our own: which users were notified of an alert, which were not, and why; and which users it pages next. */
export function explanationRoutes(
  explanations: ExplainAlerts,
  nextPages: ReadNextPages,
  pool: Admission,
): readonly Route[] {
  return [
    defineRoute({
      operation: 'explain-alert',
      query: ExplainAlertQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = { type: query.identifierType, value: params['identifier'] ?? '' };
        const explained = await explanations.explain(identifier, query.user, principal);
        return { body: { data: explanationJson(explained) } };
      },
    }),
    defineRoute({
      operation: 'get-next-page',
      // Scheduling evaluates the configuration for it, as for a simulation.
      pool,
      query: AlertIdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = { type: query.identifierType, value: params['identifier'] ?? '' };
        return { body: { data: nextPageJson(await nextPages.get(identifier, principal)) } };
      },
    }),
  ];
}

function nextPageJson(result: NextPageResult): AnswerOf<'get-next-page'>['data'] {
  if (result.state !== 'due' && result.state !== 'starts') return { ...result, users: [] };
  const users = result.state === 'due' ? result.users.values() : [];
  return { ...result, at: formatInstant(result.at), users };
}

function explanationJson({ alert, steps, truncated, users }: ExplainedAlert): AnswerOf<'explain-alert'>['data'] {
  const { id, message, tinyId } = alert;
  return {
    alert: { id, tinyId: String(tinyId), message },
    users: users.values().map(({ outcome, reason, user }) => ({ user, outcome, reason })),
    steps: steps.values().map(stepJson),
    truncated,
  };
}

/**
 * A step without addresses of contacts, which keys that read alerts may not see. User names are shown, as in the log.
 */
function stepJson({ actor, at, facts, outcome, stage, subject, text }: ExplanationStep) {
  const shown = Object.fromEntries(Object.entries(facts).filter(([name]) => name !== 'to'));
  const by = actor === undefined ? {} : { actor };
  return { at: formatInstant(at), stage, subject, outcome, text, ...by, facts: shown };
}
