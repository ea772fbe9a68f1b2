import { z } from 'zod';
import type { AlertIdentifier } from '../messages/alert-commands.ts';
import { absentWhenEmpty, optionalReference } from '../primitives.ts';
import { ALERT_LIMITS, AlertIdentifierQuery, createAlertBody, type CreateAlertBody } from './alerts.ts';
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

const at = z.preprocess(absentWhenEmpty, calendarDate.optional());
const integrationId = optionalReference(100);
const reference = optionalReference(ALERT_LIMITS.alias);

const Known = z
  .object({ alertId: reference, identifier: reference, ...AlertIdentifierQuery.shape, at })
  .transform(({ alertId, identifier, identifierType: type, ...rest }) => ({
    at: rest.at,
    identifier: alertId === undefined ? { type, value: identifier ?? '' } : { type: 'id' as const, value: alertId },
  }));

const Sent = z
  .intersection(z.object({ integrationId, at }), createAlertBody('reject'))
  .transform((sent) => ({ at: sent.at, integrationId: sent.integrationId, alert: sent }));

/**
 * An alert as `POST /v2/alerts` takes it, with `integrationId` and `at` if need be; or one that is there, as `alertId`, or as
 * `identifier` with `identifierType`.
 */
export const EvaluatePoliciesBody: z.ZodType<EvaluatePoliciesBody> = z
  .looseObject({ alertId: reference, identifier: reference }, NOT_AN_OBJECT)
  .transform((body, context): EvaluatePoliciesBody => {
    const isKnown = body.alertId !== undefined || body.identifier !== undefined;
    return isKnown ? readBy(Known, body, context) : readBy(Sent, body, context);
  });
