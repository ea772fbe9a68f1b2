import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';
import { resource, type Rules } from '../operation.ts';
import { codedAnswer } from '../successes.ts';
import { ACTION_GROUPS } from './integration-actions.ts';

/** In characters. A sample shows so many items, and of a request that cannot be read so many bytes are looked at. */
export const SAMPLE_LIMITS = { items: 10, length: 65_536, textLength: 600, bytesRead: 131_072 } as const;

const SampleItem = z.object({
  requestId: z.string().meta({
    description:
      'Its status is that of `GET /v2/alerts/requests/{requestId}`, which says whether an alert was opened, or counted on.',
  }),
  state: z.enum(['open', 'close', 'acknowledge', 'ignore']).optional(),
  effect: z.enum(['create', 'close', 'acknowledge', 'add-note', 'none']),
  alias: z.string().meta({ description: 'Of the alert; empty where the item has no key.' }),
  action: z
    .object({ type: z.enum(ACTION_GROUPS), name: z.string() })
    .optional()
    .meta({ description: 'The action that matched.' }),
  reason: z.string().optional().meta({ description: 'Why the item has no effect.' }),
});

const summary = {
  id: Id.meta({ description: 'The id of the request.' }),
  receivedAt: Instant,
  preset: z.string().optional().meta({ description: 'By which it was read; absent where it was refused.' }),
  refusal: z.string().optional().meta({ description: 'Why it was refused.' }),
  itemCount: z.int().min(0),
  items: z.array(SampleItem).meta({ description: 'The first 10 of them.' }),
  isTruncated: z.boolean().meta({ description: 'Whether the request is longer than what is kept.' }),
};

const textsByName = z.record(z.string(), z.string());

const SampleSummary = z.object(summary).meta({ id: 'IntegrationSampleSummary' });
const Sample = z
  .object({
    ...summary,
    request: z
      .object({
        raw: z.string().meta({ description: 'The body, as JSON or as a form; empty where it has none.' }),
        contentType: z.string().optional(),
        headers: textsByName.meta({ description: 'Those that presets and actions read.' }),
        query: textsByName,
        preset: z.string().optional().meta({ description: 'That of the path.' }),
        vendor: z.string().optional().meta({ description: 'That of the path.' }),
      })
      .meta({ description: 'The request without secrets: a body of `POST …/try`.' }),
  })
  .meta({ id: 'IntegrationSample' });

const read = { right: 'read-configuration', domain: 'integration', owner: 'alert-ingest', method: 'GET' } as const;

const RULES: Rules = {
  Q8: [
    'Samples: the last `WEBHOOK_SAMPLES` requests of tools to each integration, 20 by default, are kept for 7 days, refused ones too, each up to 65 536 characters: entries and texts beyond are left out, and `isTruncated` says so. A request that does not reach alert-ingest, such as one with an unknown key or over the rate, is not kept.',
    'Of an integration whose `keepSamples` is false none are kept. Those that it has are deleted before the change is answered, and what another process was about to store within a minute; meanwhile no answer shows them. The samples of a deleted integration are deleted within a minute too.',
    'Secrets are replaced by `***` before a sample is stored: the keys of the integration; what has a name such as password, secret, token, cookie, signature, auth or apiKey, as a field, a header, a parameter, an entry of a list or in a text; and logins of URLs. Of the headers those alone are kept that presets and actions read. What a tool writes as plain words, for one in the message of an alert, stays.',
    'An answer waits for no sample. It is stored about a second later; what a process that dies has not stored, and samples beyond 1000 requests or 16 MiB that wait, of one integration 4 MiB, are lost. No alert is.',
    'Samples of an integration are for those who may read it. What an item came to is what its command asks for; the status of its request says what followed.',
  ],
};

const item = {
  requestId: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e99',
  state: 'open',
  effect: 'create',
  alias: 'alertmanager:0198c0de:c4ca4238a0b92382',
  action: { type: 'create', name: 'Open' },
};
const example = {
  id: item.requestId,
  receivedAt: '2026-01-05T08:00:00Z',
  preset: 'alertmanager',
  itemCount: 1,
  items: [item],
  isTruncated: false,
};
const request = {
  raw: '{"alerts":[{"status":"firing","fingerprint":"c4ca4238a0b92382","labels":{"alertname":"DiskFull"}}]}',
  contentType: 'application/json',
  headers: { 'user-agent': 'Alertmanager/0.28.0' },
  query: {},
};

/** The last requests of tools; operations of Tocsin. */
export const INTEGRATION_SAMPLES = resource('Samples of requests of tools', RULES, {
  'list-integration-samples': {
    ...read,
    path: '/v2/integrations/{integrationId}/samples',
    summary: 'Lists the last requests of the tool of an integration',
    description: 'The newest first, with what became of their items.',
    success: codedAnswer(200, { data: z.array(SampleSummary) }, { data: [example] }),
    refusals: [404],
  },
  'get-integration-sample': {
    ...read,
    path: '/v2/integrations/{integrationId}/samples/{sampleId}',
    summary: 'Reads a request of the tool of an integration',
    success: codedAnswer(200, { data: Sample }, { data: { ...example, request } }),
    refusals: [404],
  },
});
