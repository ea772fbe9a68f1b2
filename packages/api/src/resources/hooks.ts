import { z } from 'zod';
import { type Description, type Operation, resource, type Rules } from '../operation.ts';

const RESULT = 'Request will be processed';

const Accepted = z.object({
  code: z.literal(200),
  status: z.literal('successful'),
  result: z.literal(RESULT),
});

const ACCEPTED = {
  status: 200,
  schema: Accepted,
  example: { code: 200, status: 'successful', result: RESULT },
} as const;

/** The longest request of a tool: senders do not repeat one that is refused as too long. */
const HOOK_BODY = { maxBodyBytes: 4_194_304 } as const;

/** What an event of PagerDuty may ask for (Q7). */
export const EVENT_ACTIONS = ['trigger', 'acknowledge', 'resolve'] as const;
/** Of the key of an event, in characters. */
export const MAX_DEDUP_KEY = 255;

/** The headers of tools that presets and actions read, and that name a message (Q6): none that has a key or a signature. */
export const HEADERS_OF_TOOLS = [
  'ce-id',
  'ce-source',
  'ce-subject',
  'ce-time',
  'ce-type',
  'content-type',
  'idempotency-key',
  'sentry-hook-resource',
  'user-agent',
  'x-amz-sns-message-id',
  'x-github-event',
  'x-gitlab-event',
] as const;

const command = {
  right: 'send',
  domain: 'alert',
  owner: 'alert-ingest',
  passedHeaders: HEADERS_OF_TOOLS,
} as const;

const described = (method: 'POST' | 'PUT', description: string, params: z.ZodObject) =>
  ({
    method,
    ...HOOK_BODY,
    description: `${description} Each item of the request becomes a command of its own: it opens an alert, counts on the open one, closes or acknowledges it, as the actions of the integration say, or its preset where it has none. The answer comes once all are kept, or none.`,
    params,
    body: {
      schema: z.union([z.looseObject({}), z.array(z.unknown()).max(1_000)]).meta({
        description: 'The JSON that the tool sends, whatever its `Content-Type`. Forms are taken as well (Q1).',
      }),
      example: { message: 'Disk of db-1 is nearly full', key: 'disk-db-1', state: 'open' },
    },
    success: ACCEPTED,
  }) satisfies Description & Pick<Operation, 'method'>;

/** For tools that can do no more than call a URL. */
const describedQuery = (description: string, params: z.ZodObject) =>
  ({
    method: 'GET',
    description: `${description} Each parameter of the query is a field, as one of a form is; there has to be one.`,
    params,
    success: ACCEPTED,
  }) satisfies Description & Pick<Operation, 'method'>;

const KEY = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The API key of an integration; `-` where the key is in a header or in the query.' });

const eventOf = <Action extends (typeof EVENT_ACTIONS)[number], Key extends z.ZodType>(
  event_action: z.ZodType<Action>,
  dedup_key: Key,
) =>
  z.looseObject({
    routing_key: z
      .string()
      .optional()
      .meta({ description: 'The API key of an integration, unless it is elsewhere (Q2).' }),
    event_action,
    dedup_key,
    payload: z.unknown().optional().meta({
      description:
        'An object with `summary`, `source`, `severity`, `component`, `group`, `class` and `custom_details`.',
    }),
  });
const DedupKey = z.string().max(MAX_DEDUP_KEY).meta({ description: 'Names the trouble.' });
/** An event of the Events API v2 of PagerDuty (Q7), as far as Tocsin checks it. */
const Event = z
  .union([
    eventOf(z.literal('trigger'), DedupKey.nullish()),
    eventOf(z.enum(['acknowledge', 'resolve']), DedupKey.regex(/\S/)),
  ])
  .meta({ id: 'Event' });
const EVENT = {
  routing_key: 'a8e2f9d0-6a1c-4b8e-9b53-0f4f1f8f7b11',
  event_action: 'trigger',
  dedup_key: 'disk-db-1',
  payload: { summary: 'Disk of db-1 is nearly full', source: 'db-1', severity: 'critical' },
} as const;

const RULES: Rules = {
  Q1: [
    'Requests of tools: a tool that can send HTTP posts what it sends to `/hooks/{key}`, `/hooks/{key}/{preset}` (operations of Tocsin), `/v1/json/{vendor}` or `/v1/json/integrations/webhooks/{vendor}`. A [preset](how-to/write-a-preset.md) reads it.',
    'The content says how it is read, whatever the `Content-Type`: JSON; a form of up to 1 MiB and 500 fields, in which files are ignored; without a body the query. `/hooks` takes `PUT` as `POST`, and `GET`, whose query has to have a parameter. A field of a form or query that holds an object or list in JSON is read as such; one named `payload` or `data` is then the payload. A number with more digits than JavaScript keeps is read as it is written, so that two long keys are two alerts. Nothing at all is an empty object (E5).',
    'A body has up to 4 MiB as it is sent and decompressed (E2), up to 64 levels, 10 000 items in an object or list and 100 000 in all, and 1 000 000 characters in one text.',
    'The preset is that of the path; else that of the type of the integration; else that of the vendor in the path; else the first whose conditions hold for the request; else `fallback`. A preset in the path that does not exist is 404. Any vendor is taken.',
    'The answer is 200 `{"code":200,"status":"successful","result":"Request will be processed"}`, because senders take any other status for a failure. The header `X-Item-Count` says how many items the request had.',
  ],
  Q2: [
    'The key of these paths is the first of: `Authorization`, after a scheme word (K1), after `Bearer`, or in `Basic`; `X-API-Key`; the path; `?apiKey=`; the text `apiKey`, at `/v2/enqueue` `routing_key`, of the JSON object in the body of `/v1/json` and `/v2/enqueue`, if the body is not compressed.',
    'The gateway cuts the key out of the path and the query before anything else reads them: no log, trace or metric has it, and no service gets it. alert-ingest drops the key of the body before a preset reads it.',
    'A key in a URL is in the logs of proxies and of the sender. Use an integration of its own for each sender, whose key only sends (`allowReadAccess` and `allowWriteAccess` are false), and rotate its key where a log may have it.',
  ],
  Q3: [
    'Each item of a request is a command of its own, in their order (A14). All are on Kafka before the answer, otherwise the request is refused and the sender repeats it: what was kept of it before counts as a repeat (A2).',
    'An integration whose actions a user has written applies them (P1); the others close, acknowledge, ignore and open by the state that the preset reads. A state that the preset does not know opens an alert, whose log says so.',
    "The alias is `<preset>:<first 8 characters of the integration's id>:<key>`. An item without a key opens an alert of its own, and closes none; its log or the status of its request says so. alert-ingest logs each request with items that have no key, or that no action matches, and counts in `tocsin_hook_items_total` which actions match; alert-processor counts in `tocsin_hook_items_settled_total` what the items come to.",
    'A close and an acknowledgement take the alias and a note alone: they change no words of the alert.',
    'A close for which no alert is open is a success, because tools repeat what is well: the status of its request says `No open alert has the alias […]: nothing to close`. An acknowledgement of such an alert fails (A7).',
    'Texts over their limit are cut, and lists and details over theirs shortened, whatever `INGEST_ON_EXCESS` says; the log of the alert says so (E8).',
  ],
  Q4: [
    'Over 1000 items: 422, which says to split the request, and nothing of it is kept. A body that is neither JSON nor a form: 400. Over the bounds of Q1: 422. Besides, each of them opens an alert of the integration, once an hour, with the alias `webhook:<id of the integration>:too-large` or `webhook:<id of the integration>:unreadable`: the log of a sender is rarely read.',
    'Each item of a request takes a token of the rate of its key (F6). The tokens beyond the first are taken once the request is answered.',
  ],
  Q6: [
    'Messaging services: of a notification of Amazon SNS, an event of CloudEvents, by headers or with its attributes in the JSON, and a push of Google Cloud Pub/Sub the content is the payload, and the rest the envelope; so in two envelopes at most. A content that is no JSON object or list is the `message` of the payload.',
    'Tocsin confirms the subscription of the first topic of Amazon SNS that asks for one with the key of an integration: it checks the signature of the message (version 1 or 2) by the certificate that it reads from a host of Amazon, keeps the topic, and calls the link, which has to lead to a host of Amazon. Each call ends within 4 s, follows no redirect and goes to public addresses, and to those of `OUTGOING_ALLOWED_RANGES`. At most 2 confirmations of an integration are under way in each process, 20 in all. A message that comes again confirms again, which changes nothing.',
    'Another topic, and one that could not be confirmed, open an alert with the link and the reason, for a person to open it: a topic waits as long as that alert is open, and a sample shows which request asked (Q8). A link of a message that Amazon did not sign, or to another host, is left out. Signatures of notifications are not checked: who knows the key may send.',
    'A message that was delivered before changes nothing, as a mail (P10): it is known, for each integration, by `Idempotency-Key`, else by the id that Amazon SNS or Pub/Sub gives it, or by source and id of CloudEvents. That holds for a close that found no open alert, too. The status of its request says `Repeated message of request <the first>`.',
  ],
  Q9: [
    'A repeat that is more urgent: a create of a tool for an open alert whose priority is higher than each that the alert has had raises the priority, counts, and starts the notification flow again, because a warning has become critical. It changes nothing else of the alert but its responders: those of the create join. The log says why. A lower priority counts alone (A2), as does each create of the API and of a mail, and one of a priority from which a user has lowered the alert.',
    'The flow does not start again while the alert is acknowledged, because a user has it already, or snoozed (it starts at the end of the snooze); the log says so.',
    'Policies apply as to a new alert (P5), with the entry in the log. An alert that a policy delays or suppresses is paged at once where none does so for the higher priority. Where one still does, the delay that ends earlier counts. A flow that has started is neither held back nor suppressed. Auto-close and auto-restart are those of the higher priority.',
  ],
  Q7: [
    'Events of PagerDuty: a tool that speaks the Events API v2 of PagerDuty posts to `/v2/enqueue`, also below `/jsm/ops/integration`, with the key of an integration as `routing_key`. The preset `pagerduty` reads the event, whatever the type of the integration.',
    'The answer is 202 `{"status":"success","message":"Event processed","dedup_key":"…"}`, with the `dedup_key` of the event. A trigger without one, or with a blank one, gets one that is made of the `Idempotency-Key` of the request, if it has one; an acknowledge or a resolve with it finds the alert.',
    'An event is one JSON object, not a list. 400: `event_action` is none of `trigger`, `acknowledge` and `resolve`; `dedup_key` is no text of at most 255 characters, or missing from an acknowledge or a resolve. Such an event opens the alert of an unreadable request (Q4). A `payload` that lacks something opens an alert nevertheless.',
    'Refusals have the statuses of every operation, with 400 in place of 422, and the body that clients of PagerDuty read: `{"status":"invalid event","message":"…","errors":["…"]}`, with the status `throttle exceeded` at 429 and `error` from 500 on.',
  ],
};

const OF_KEY = z.object({ key: KEY });
const OF_PRESET = z.object({
  key: KEY,
  preset: z.string().min(1).max(50).meta({ description: 'The name of a preset, such as `alertmanager`.' }),
});
const byKey = { ...command, keyPlaces: 'path', path: '/hooks/{key}', summary: 'Takes the request of a tool' } as const;
const byPreset = {
  ...command,
  keyPlaces: 'path',
  path: '/hooks/{key}/{preset}',
  summary: 'Takes the request of a tool that the path names',
  refusals: [404],
} as const;
const BY_KEY = 'For tools that have one field for a URL. It tells by the request what sent it.';
const BY_PRESET = 'As `/hooks/{key}`, read by the preset of that name.';

/** Alerts from anything that speaks HTTP. */
export const HOOKS = resource('Requests of tools', RULES, {
  'take-hook': { ...byKey, ...described('POST', BY_KEY, OF_KEY) },
  'take-hook-by-put': { ...byKey, ...described('PUT', BY_KEY, OF_KEY) },
  'take-hook-by-get': { ...byKey, ...describedQuery(BY_KEY, OF_KEY) },
  'take-hook-of-preset': { ...byPreset, ...described('POST', BY_PRESET, OF_PRESET) },
  'take-hook-of-preset-by-put': { ...byPreset, ...described('PUT', BY_PRESET, OF_PRESET) },
  'take-hook-of-preset-by-get': { ...byPreset, ...describedQuery(BY_PRESET, OF_PRESET) },
  'take-vendor-hook': {
    ...command,
    keyPlaces: 'apiKey',
    path: '/v1/json/{vendor}',
    summary: 'Takes the request of a tool as the original does',
    ...described(
      'POST',
      'For tools that were made for the original. `/v1/json/integrations/webhooks/{vendor}` is the same.',
      z.object({ vendor: z.string().min(1).max(100).meta({ description: 'Any word, such as `prometheus`.' }) }),
    ),
  },
  'take-event': {
    ...command,
    keyPlaces: 'routing_key',
    refusalForm: 'event',
    method: 'POST',
    path: '/v2/enqueue',
    summary: 'Takes an event of a client of PagerDuty',
    description:
      'For tools that speak the Events API v2 of PagerDuty (Q7). The event opens an alert, counts on the open one, acknowledges or closes it, as the actions of the integration say, or the preset `pagerduty` where it has none. The answer comes once that is kept.',
    ...HOOK_BODY,
    body: { schema: Event, example: EVENT },
    success: {
      status: 202,
      schema: z.object({
        status: z.literal('success'),
        message: z.literal('Event processed'),
        dedup_key: z.string().meta({ description: 'That of the event, or the one that it got.' }),
      }),
      example: { status: 'success', message: 'Event processed', dedup_key: EVENT.dedup_key },
    },
  },
});
