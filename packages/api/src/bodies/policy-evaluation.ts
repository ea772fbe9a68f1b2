import { ALERT_LIMITS, type AlertIdentifier, blankIsAbsent, given, optional, optionalReference } from '@tocsin/events';
import { z } from 'zod';
import { AlertIdentifierQuery, createAlertBody, type CreateAlertBody } from '../resources/alert-bodies.ts';
import { calendarDate } from './dates.ts';
import { NOT_AN_OBJECT, readBy } from './refusals.ts';

/** About which alert a caller asks what policies would do to it, if it were created at `at`. */
export type EvaluatePoliciesBody = { readonly at: Date | undefined } & (
  | {
      readonly alert: CreateAlertBody;
      /** Through which integration it comes; that of the key where absent. */
      readonly integrationId: string | undefined;
    }
  | { readonly identifier: AlertIdentifier }
);

const at = blankIsAbsent(calendarDate);
const integrationId = optionalReference(100);
const reference = optionalReference(ALERT_LIMITS.alias);
const nothing = optional(z.literal(''));

const Known: z.ZodType<EvaluatePoliciesBody> = z
  .object({ alertId: reference, identifier: reference, ...AlertIdentifierQuery.shape, at })
  .transform(({ alertId, identifier, identifierType: type, ...rest }) => ({
    at: rest.at,
    identifier: alertId === undefined ? { type, value: identifier ?? '' } : { type: 'id' as const, value: alertId },
  }))
  .meta({ anyOf: [given('alertId'), given('identifier')] });

const Sent: z.ZodType<EvaluatePoliciesBody> = z
  .intersection(z.object({ alertId: nothing, identifier: nothing, integrationId, at }), createAlertBody('reject'))
  .transform((sent) => ({ at: sent.at, integrationId: sent.integrationId, alert: sent }));

const Naming = z.object({ alertId: reference, identifier: reference }, NOT_AN_OBJECT);

/**
 * An alert as `POST /v2/alerts` takes it, with `integrationId` and `at` if need be; or one that is there, as `alertId`, or as
 * `identifier` with `identifierType`.
 */
export const EvaluatePoliciesBody: z.ZodType<EvaluatePoliciesBody> = z.preprocess(
  refusingAsMeant,
  z.union([Sent, Known]),
);

/** Refuses what one of both refuses, whichever is meant: a union has no words for it. */
function refusingAsMeant(body: unknown, context: z.RefinementCtx): unknown {
  const { alertId, identifier } = readBy(Naming, body, context);
  if (context.issues.length === 0)
    readBy(alertId === undefined && identifier === undefined ? Sent : Known, body, context);
  return body;
}
