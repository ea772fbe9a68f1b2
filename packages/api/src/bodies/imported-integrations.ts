import { blankIsAbsent, optional, text } from '@tocsin/events';
import { z } from 'zod';
import { IntegrationActionsBody } from '../resources/integration-actions.ts';
import { type IntegrationBody, integrationBody } from '../resources/integration-bodies.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

/** An integration of another account: the body that creates it, with all of its actions. */
export interface ImportIntegrationBody extends IntegrationBody {
  readonly actions: IntegrationActionsBody;
}

const NO_ACTIONS: IntegrationActionsBody = { ignore: [], create: [], close: [], acknowledge: [], addNote: [] };

/** The body of an import of an integration. Without `actions` it has those of a new one. `extraTypes` as of {@link integrationBody}. */
export const importIntegrationBody = (extraTypes: readonly string[]): z.ZodType<ImportIntegrationBody> =>
  z.intersection(
    integrationBody(extraTypes),
    z.object(
      {
        actions: optional(IntegrationActionsBody)
          .transform((actions) => actions ?? NO_ACTIONS)
          .meta({ description: 'As `PUT …/actions` takes them; without any, those of a new integration.' }),
      },
      NOT_AN_OBJECT,
    ),
  );

const KEY = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
const SHA256 = /^[0-9A-Fa-f]{64}$/;

/** A key of another account, or SHA-256 of it in lower case, as 64 lower-case hex digits. */
export type ImportKeyBody = { readonly apiKey: string } | { readonly sha256: string };

/** No refusal repeats what was sent, which may be a key (K2). */
export const ImportKeyBody: z.ZodType<ImportKeyBody> = z
  .object(
    {
      apiKey: blankIsAbsent(
        text()
          .refine((key) => KEY.test(key), 'should be a UUID, as the keys of Opsgenie are')
          .meta({ pattern: `${KEY.source}|^$` }),
      ),
      sha256: blankIsAbsent(
        text()
          .refine((hash) => SHA256.test(hash), 'should be 64 hex digits')
          .meta({ pattern: `${SHA256.source}|^$`, description: 'SHA-256 of the key in lower case, as 64 hex digits.' }),
      ),
    },
    NOT_AN_OBJECT,
  )
  .refine(({ apiKey, sha256 }) => (apiKey === undefined) !== (sha256 === undefined), {
    path: ['apiKey'],
    message: 'should be provided, or else sha256',
  })
  .transform(({ apiKey, sha256 = '' }): ImportKeyBody =>
    apiKey === undefined ? { sha256: sha256.toLowerCase() } : { apiKey },
  )
  .meta({
    oneOf: [
      { required: ['apiKey'], properties: { apiKey: { type: 'string', pattern: KEY.source } } },
      { required: ['sha256'], properties: { sha256: { type: 'string', pattern: SHA256.source } } },
    ],
  });
