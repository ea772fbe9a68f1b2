import { DEFAULT_LIMIT, HOOK_OUTCOMES, optional, optionalReference, Priority } from '@tocsin/events';
import { z } from 'zod';
import { Id } from '../answers/shared.ts';
import { LARGE_BODY, resource, type Rules } from '../operation.ts';
import { codedAnswer } from '../successes.ts';
import { ACTION_GROUPS, IntegrationActionsBody } from './integration-actions.ts';

/** A trial has so many items of a request, and of each so many actions that did not match. */
export const TRIAL_LIMITS = { items: 10, unmatched: 50, fieldLength: 1_000 } as const;

/** The longest request that is tried. */
const MAX_RAW_LENGTH = 1_000_000;

const writtenTexts = optional(
  z.record(z.string().max(200), z.string('should be a string').max(10_000), 'should be a map of strings'),
);

/** A request of a tool that is tried, and the draft of actions with which it is, if any. */
export interface TryIntegrationBody {
  readonly payload?: object | undefined;
  readonly raw?: string | undefined;
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly preset?: string | undefined;
  readonly vendor?: string | undefined;
  readonly actions?: IntegrationActionsBody | undefined;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

export const TryIntegrationBody: z.ZodType<TryIntegrationBody> = z
  .object(
    {
      payload: optional(
        z.union([z.looseObject({}), z.array(z.unknown()).max(1_000)], 'should be a JSON object or list'),
      ).meta({ description: 'The body of the request, as JSON.' }),
      raw: optional(z.string('should be a string').max(MAX_RAW_LENGTH)).meta({
        description: 'The body of the request, as its text.',
      }),
      contentType: optionalReference(DEFAULT_LIMIT),
      headers: writtenTexts,
      query: writtenTexts,
      preset: optionalReference(50).meta({ description: 'As in the path of a request.' }),
      vendor: optionalReference(100).meta({ description: 'As in the path of a request.' }),
      actions: optional(IntegrationActionsBody).meta({
        description: 'Actions in place of those of the integration.',
      }),
    },
    'should be a JSON object',
  )
  .refine(({ payload, raw }) => isGiven(payload) !== isGiven(raw), {
    path: ['payload'],
    message: 'should be provided, or else raw',
  })
  .meta({
    oneOf: [
      { required: ['payload'], properties: { payload: { type: ['object', 'array'] } } },
      { required: ['raw'], properties: { raw: { type: 'string' } } },
    ],
  });

const textsByName = z.record(z.string(), z.string());
const group = z.enum(ACTION_GROUPS);

const Responder = z.object({
  type: z.enum(['user', 'team', 'escalation', 'schedule']),
  id: Id.optional(),
  name: z.string().optional(),
});

const TriedItem = z.object({
  fields: textsByName.meta({ description: 'Those of the preset; the first 1000 characters of each.' }),
  state: z.enum(['open', 'close', 'acknowledge', 'ignore']).optional(),
  priority: Priority.optional().meta({ description: 'What the severity of the item means.' }),
  isTest: z.boolean(),
  effect: z
    .enum(['create', 'close', 'acknowledge', 'add-note', 'none'])
    .meta({ description: '`create` opens an alert, or counts on the open one with this alias.' }),
  alias: z.string().meta({ description: 'Of the alert; empty where the item has no key.' }),
  action: z.object({ type: group, name: z.string() }).optional().meta({ description: 'The action that matched.' }),
  unmatched: z
    .array(z.object({ type: group, name: z.string(), reason: z.string() }))
    .meta({ description: 'The first 50 actions before it, which did not match.' }),
  reason: z.string().optional().meta({ description: 'Why the item has no effect.' }),
  alert: z
    .object({
      message: z.string(),
      description: z.string(),
      entity: z.string(),
      source: z.string(),
      priority: Priority,
      tags: z.array(z.string()),
      details: textsByName,
      responders: z.array(Responder),
    })
    .optional()
    .meta({ description: 'The alert that would be created.' }),
  outcome: z.enum(HOOK_OUTCOMES).optional().meta({
    description:
      'What the item would come to now, after those before it: `opened` a new alert, `counted` on an open one, and so on, as `tocsin_hook_items_settled_total` counts. Absent where alert-processor did not answer in time.',
  }),
  openAlert: z
    .object({
      id: Id,
      tinyId: z.string(),
      status: z.enum(['open', 'closed']),
      acknowledged: z.boolean(),
      priority: Priority,
    })
    .optional()
    .meta({
      description:
        'The open alert on which it would count, or which it would raise, acknowledge, close or give a note, as it is now. Absent where the key may not see it.',
    }),
  requestStatus: z.string().optional().meta({ description: 'The status that its request would have (A8).' }),
  note: z.string(),
  user: z.string(),
  remarks: z.array(z.string()).meta({ description: 'What the log of the alert would say of the request.' }),
});

const Trial = z
  .object({
    preset: z.string(),
    itemCount: z.int().min(1),
    items: z.array(TriedItem).meta({ description: 'The first 10 of them.' }),
  })
  .meta({ id: 'IntegrationTrial' });

const PresetSample = z.object({
  name: z.string().meta({ description: 'It begins with the effect: `open`, `close`, `acknowledge` or `ignore`.' }),
  about: z.string(),
  payload: z.looseObject({}),
  headers: textsByName,
  query: textsByName,
});

const Preset = z
  .object({
    name: z.string(),
    title: z.string(),
    docs: z.string().optional(),
    types: z.array(z.string()).meta({ description: 'The types of integrations that have it.' }),
    vendors: z.array(z.string()).meta({ description: 'The words of `/v1/json/{vendor}` that have it.' }),
    fields: z.array(z.string()).meta({ description: 'The fields that actions of integrations know.' }),
    setUp: z.array(z.string()).meta({ description: 'What to set in the tool, as lines of Markdown.' }),
    notes: z.array(z.string()),
    samples: z.array(PresetSample).meta({ description: 'Requests of the tool, which `POST …/try` takes as they are.' }),
    origin: z
      .enum(['tocsin', 'installation'])
      .meta({ description: '`installation`: from the folder `WEBHOOK_PRESETS_DIR` of the operator.' }),
  })
  .meta({ id: 'Preset' });

const read = { right: 'read-configuration', domain: 'integration', owner: 'alert-ingest' } as const;

const RULES: Rules = {
  Q5: [
    'A trial says what a request of a tool would come to. It is read, and its actions chosen, by the functions that do so for a real request; nothing is written, and no user is notified.',
    'Of each item it says what the alerts, policies and maintenance windows of this moment make of it (`outcome`), and which open alert it would change (`openAlert`), by the functions that settle commands. A message that came before (Q6) is tried as if it were new.',
    'With `actions` it is tried with a draft of them, else with those of the integration, else with those of its preset. A draft is refused as `PUT …/actions` refuses it.',
    'Of `headers` those are read that reach a preset in a real request. `apiKey` in the payload or the query is dropped.',
  ],
};

const alias = 'alertmanager:0198c0de:c4ca4238a0b92382';
const trial = {
  preset: 'alertmanager',
  itemCount: 1,
  items: [
    {
      fields: {
        state: 'firing',
        key: 'c4ca4238a0b92382',
        summary: 'Disk of db-1 is nearly full',
        severity: 'critical',
      },
      state: 'open',
      priority: 'P1',
      isTest: false,
      effect: 'create',
      alias,
      action: { type: 'create', name: 'Open' },
      unmatched: [{ type: 'ignore', name: 'Ignore', reason: 'none of 1 conditions holds' }],
      alert: {
        message: 'Disk of db-1 is nearly full',
        description: '',
        entity: 'db-1',
        source: 'https://alertmanager.example.com',
        priority: 'P1',
        tags: [],
        details: { alertname: 'DiskFull' },
        responders: [],
      },
      outcome: 'raised',
      openAlert: {
        id: '0198c0de-6a1c-7b8e-9b53-0f4f1f8f7b11',
        tinyId: '1791',
        status: 'open' as const,
        acknowledged: false,
        priority: 'P3' as const,
      },
      requestStatus: 'Created alert',
      note: '',
      user: 'Prometheus Alertmanager',
      remarks: [],
    },
  ],
};
const sent = {
  alerts: [
    { status: 'firing', fingerprint: 'c4ca4238a0b92382', labels: { alertname: 'DiskFull', severity: 'critical' } },
  ],
};

/** Presets, and what requests of tools would come to; operations of Tocsin. */
export const INTEGRATION_TRIALS = resource('Trials of requests of tools', RULES, {
  'list-presets': {
    ...read,
    method: 'GET',
    path: '/v2/integrations/presets',
    summary: 'Lists the presets by which requests of tools are read',
    success: codedAnswer(
      200,
      { data: z.array(Preset) },
      {
        data: [
          {
            name: 'alertmanager',
            title: 'Prometheus Alertmanager',
            docs: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
            types: ['Prometheus'],
            vendors: ['prometheus'],
            fields: ['state', 'key', 'summary'],
            setUp: ['Add a receiver with `webhook_configs` and the URL `<URL>`.'],
            notes: [],
            samples: [{ name: 'open', about: 'A disk is full.', payload: sent, headers: {}, query: {} }],
            origin: 'tocsin',
          },
        ],
      },
    ),
  },
  'try-integration': {
    ...read,
    ...LARGE_BODY,
    method: 'POST',
    path: '/v2/integrations/{integrationId}/try',
    summary: 'Says what a request of a tool would come to, without a change',
    description:
      'Of each item of the request: its fields, the action that matches and why others do not, the alert, and which open alert it would change. `payload` or `raw` is the body of the request.',
    body: { schema: TryIntegrationBody, example: { payload: sent } },
    success: codedAnswer(200, { data: Trial }, { data: trial }),
    refusals: [404],
  },
});
