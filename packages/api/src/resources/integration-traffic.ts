import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';
import { resource, type Rules } from '../operation.ts';
import { codedAnswer } from '../successes.ts';

const count = z.int().min(0);

const last = {
  integrationId: Id,
  lastRequestAt: Instant.optional().meta({
    description: 'The last request with its key, reads too, or the last mail.',
  }),
  lastAlertAt: Instant.optional().meta({ description: 'The last request that sent an alert and was accepted.' }),
  lastRefusal: z
    .object({
      at: Instant,
      status: z.int().meta({ description: 'The status of the answer: 400 or more.' }),
      operation: z.string().meta({ description: 'The id of the operation, as this description has it.' }),
    })
    .optional()
    .meta({ description: 'The last refusal of a request that writes.' }),
};

/** When an integration was last used. */
const LastTraffic = z.object(last).meta({ id: 'LastIntegrationTraffic' });

/** When an integration was last used, and how much by the hour. */
const Traffic = z
  .object({
    ...last,
    since: Instant.meta({ description: 'The beginning of the first hour that may be listed: seven days in all.' }),
    hours: z
      .array(
        z.object({
          from: Instant,
          writes: count.meta({ description: 'Requests that write, and mails that were taken.' }),
          alerts: count.meta({ description: 'Those of them that sent an alert.' }),
          refused: count.meta({ description: 'Those of them that were refused.' }),
        }),
      )
      .meta({ description: 'Hours without a request that writes are left out.' }),
  })
  .meta({ id: 'IntegrationTraffic' });

const read = { right: 'read-configuration', domain: 'integration', owner: 'alert-ingest', method: 'GET' } as const;

const RULES: Rules = {
  P21: [
    'The traffic of an integration is what came with its key, counted by the gateways when the answer begins, and the mails that were taken. Requests of people, without a key or with an unknown one are not counted. Counts reach an answer after 10 s; what a process that dies has counted in its last 10 s is lost.',
    'Hours are kept for 7 days, and the last use for 400 days.',
  ],
};

const example = {
  integrationId: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40',
  lastRequestAt: '2026-01-05T08:00:00Z',
  lastAlertAt: '2026-01-05T07:58:00Z',
  lastRefusal: { at: '2026-01-05T08:00:00Z', status: 422, operation: 'create-alert' },
};

/** What came with the keys of integrations; operations of Tocsin. */
export const INTEGRATION_TRAFFIC = resource('Traffic of integrations', RULES, {
  'list-integration-traffic': {
    ...read,
    path: '/v2/integrations/traffic',
    summary: 'Says when each integration was last used',
    description: 'An integration that was not used since it was created is left out.',
    success: codedAnswer(200, { data: z.array(LastTraffic) }, { data: [example] }),
  },
  'get-integration-traffic': {
    ...read,
    path: '/v2/integrations/{integrationId}/traffic',
    summary: 'Says how much an integration was used',
    success: codedAnswer(
      200,
      { data: Traffic },
      {
        data: {
          ...example,
          since: '2025-12-29T09:00:00Z',
          hours: [{ from: '2026-01-05T08:00:00Z', writes: 12, alerts: 10, refused: 1 }],
        },
      },
    ),
    refusals: [404],
  },
});
