import { ExplainAlertQuery, type AnswerOf } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { defineRoute, type Route } from '@tocsin/http';
import type { ExplainAlerts, ExplainedAlert } from './operations.ts';
import type { ExplanationStep } from './explanation.ts';

/** Our own: which users were notified of an alert, which were not, and why. */
export function explanationRoutes(explanations: ExplainAlerts): readonly Route[] {
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
  ];
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
