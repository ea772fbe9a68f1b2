/** The services by name, as the label `service` has them. */
const ALL = [
  'gateway',
  'alert-ingest',
  'alert-processor',
  'scheduling',
  'directory',
  'heartbeat-monitor',
  'notifier',
] as const;

/** The services that consume commands and events, and do work when it is due. */
const WORKERS = ['alert-processor', 'scheduling', 'directory', 'notifier'] as const;
const WITH_DATABASE = ALL.filter((service) => service !== 'gateway');

/** From 5 ms to 5 min. Each objective of latency (docs/subjects/observability.md) is a bound of its own. */
const STAGE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];
const TASK_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 5, 10, 30, 60, 600];
const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** One metric, as `docs/metrics.md` describes it. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The unit of an observation. */
  readonly unit: 'seconds' | 'records' | 'messages' | 'requests' | 'mails' | 'alerts' | 'pages' | 'rows' | 'none';
  /** Each label with the values that it may have, which bound how many series there are. */
  readonly labels: Readonly<Record<string, string>>;
  /** The services that report it. */
  readonly services: readonly (typeof ALL)[number][];
  /** Upper bounds in `unit`, of histograms only. */
  readonly buckets?: readonly number[];
}

const TOPIC = { topic: 'topics of `packages/events/src/all-topics.ts`' } as const;
const TASK = { task: 'names of the tasks of the service, at most twenty, as `/tasks` lists them' } as const;
const OF_TASKS = { labels: TASK, services: ALL, unit: 'seconds' } as const;
const PARTITION = { ...TOPIC, partition: 'partitions of the topic, 24 unless set' } as const;

/** Every metric of Tocsin. A metric that is not here cannot be reported; the defaults of prom-client keep their own names. */
export const METRICS = {
  tocsin_build_info: {
    type: 'gauge',
    help: 'Always 1; the label says which version runs.',
    unit: 'none',
    labels: { version: 'one of a process' },
    services: ALL,
  },
  tocsin_ready: {
    type: 'gauge',
    help: '1 while the process takes work, as `/readyz` says at the scrape, else 0.',
    unit: 'none',
    labels: {},
    services: ALL,
  },
  tocsin_http_request_duration_seconds: {
    type: 'histogram',
    help: 'From the request to the last byte of its answer; of a stream of changes (L1), to the first.',
    unit: 'seconds',
    labels: {
      method: 'methods that Node reads, about 35',
      operation: 'ids of the operation table, or `none` where no documented path was met',
      status: 'statuses that are answered, about 20',
    },
    services: ALL,
    buckets: HTTP_BUCKETS,
  },
  tocsin_alert_stage_seconds: {
    type: 'histogram',
    help: 'From the acceptance of a command until it reached the stage; of a page that is due later, from then.',
    unit: 'seconds',
    labels: {
      stage:
        '`processed` (settled, alert-processor), `routed` (a run paged or has something due later, scheduling), `handed-over` (a provider took the page, notifier; not of bundles, which are held: `tocsin_bundled_pages_total`), `receipt` (its provider said later that it arrived, notifier)',
    },
    services: ['alert-processor', 'scheduling', 'notifier'],
    buckets: STAGE_BUCKETS,
  },
  tocsin_kafka_consumer_lag: {
    type: 'gauge',
    help: 'Records of the partition that were in the log at the last look and are not settled, of the process that has it.',
    unit: 'records',
    labels: PARTITION,
    services: ALL,
  },
  tocsin_kafka_unsettled_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest record of the partition that is not settled: it grows while the partition stands still; 0 when none waits, and for topics that are held whole as replicas.',
    unit: 'seconds',
    labels: PARTITION,
    services: ALL,
  },
  tocsin_kafka_publisher_queue: {
    type: 'gauge',
    help: 'Messages that wait to be sent, of all topics; at 20000 of a topic callers get 503.',
    unit: 'messages',
    labels: {},
    services: WITH_DATABASE,
  },
  tocsin_timer_lag_seconds: {
    type: 'histogram',
    help: 'From the due instant of a document until what was due of it was done.',
    unit: 'seconds',
    labels: {
      timers:
        'collections of due work: `alerts`, `runs`, `shift_notices`, `readiness_mails`, `deliveries`, `pendingCopies`',
    },
    services: WORKERS,
    buckets: STAGE_BUCKETS,
  },
  tocsin_overdue_age_seconds: {
    type: 'gauge',
    help: 'For how long the oldest piece of work has been due, measured every 5 s; 0 when no work is due.',
    unit: 'seconds',
    labels: {
      work: 'collections of due work: `alerts`, `runs`, `shift_notices`, `readiness_mails`, `deliveries` (pages whose steps are repeated), `pendingCopies`; `recipient_queues` of the notifier: the recipient who has waited longest for a message',
    },
    services: WORKERS,
  },
  tocsin_task_runs_total: {
    type: 'counter',
    help: 'Runs of repeated work that ended.',
    unit: 'none',
    labels: { ...TASK, result: '`succeeded`, `failed` (the run threw or took too long; it is retried)' },
    services: ALL,
  },
  tocsin_task_duration_seconds: {
    type: 'histogram',
    help: 'From the start of a run of repeated work to its end, also of a failed run.',
    ...OF_TASKS,
    buckets: TASK_BUCKETS,
  },
  tocsin_task_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When a run of the repeated work last succeeded; 0 before the first.',
    ...OF_TASKS,
  },
  tocsin_alerts_unsettled: auditGauge(
    'alerts',
    'Commands answered 202 that are lost, or not settled 30 s later, at the last audit.',
    'alert-processor',
  ),
  tocsin_flows_overdue: auditGauge(
    'none',
    'Escalation states of which something has been due for 30 s or more, at the last audit.',
    'scheduling',
  ),
  tocsin_pages_undelivered: auditGauge(
    'messages',
    'Messages due for 30 s or more of which nothing is under way, at the last audit.',
    'notifier',
  ),
  tocsin_audit_last_run_timestamp_seconds: {
    type: 'gauge',
    help: 'When the last complete audit of the service ended. An audit runs every 10 s. While this gauge does not change, the other gauges of the audit are out of date; 0 before the first audit.',
    unit: 'seconds',
    labels: {},
    services: ['alert-processor', 'scheduling', 'notifier'],
  },
  tocsin_clock_ahead_seconds: {
    type: 'gauge',
    help: 'By how much the clock by which this service works is ahead of that of MongoDB, measured every 30 s. The service corrects it by a tenth of the time that passes; 0 where the two agree, whatever the clock of the machine shows.',
    unit: 'seconds',
    labels: {},
    services: ALL,
  },
  tocsin_outbox_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest row that waits to be published, reported by the process that relays its topic; 0 in other processes, and when no row waits.',
    unit: 'seconds',
    labels: { outbox: '`outbox`, or a compacted topic, at most three of a service' },
    services: WITH_DATABASE,
  },
  tocsin_outbox_refused_total: {
    type: 'counter',
    help: 'Messages that can never be published, because they are too large or have no key; they are kept in `outbox_refused`.',
    unit: 'messages',
    labels: TOPIC,
    services: WITH_DATABASE,
  },
  tocsin_rows_unknown: {
    type: 'gauge',
    help: 'Rows that wait for a newer release, because this one does not know their kind or version, counted every 30 s: a release was rolled back.',
    unit: 'rows',
    labels: {
      collection: '`outbox`, `recipient_queues`',
      kind: 'topics with the version of their schema; methods of contacts',
    },
    services: WITH_DATABASE,
  },
  tocsin_upstream_circuit_open: {
    type: 'gauge',
    help: '1 while callers are refused because a service does not answer, else 0.',
    unit: 'none',
    labels: { upstream: 'the six services behind the gateway' },
    services: ['gateway'],
  },
  tocsin_records_too_new_total: {
    type: 'counter',
    help: 'Records read, some more than once, whose schema is newer than this process: an upgrade is half done.',
    unit: 'records',
    labels: TOPIC,
    services: ALL,
  },
  tocsin_dead_letters_total: {
    type: 'counter',
    help: 'Records that fail each time and became dead letters; `npm run dead-letters` shows them.',
    unit: 'records',
    labels: TOPIC,
    services: WORKERS,
  },
  tocsin_requests_throttled_total: {
    type: 'counter',
    help: 'Requests that were refused because their caller was over a rate limit.',
    unit: 'requests',
    labels: {
      limit:
        'domains of `RATE_LIMITS`, `files`, `links`, `callbacks`, `refused-callbacks`, `sign-ins`, `sign-in-redemptions`, `unknown-keys`, `keys-in-bodies`',
    },
    services: ['gateway'],
  },
  tocsin_requests_forwarded_total: {
    type: 'counter',
    help: 'Requests of tools that were forwarded to Opsgenie (M5).',
    unit: 'requests',
    labels: {
      outcome:
        '`accepted` (2xx), `refused` (other answers below 500, also of Tocsin, such as to a body that is too long), `failed` (5xx), `no-answer` (the tool got 503), `cancelled` (the tool left)',
    },
    services: ['gateway'],
  },
  tocsin_opsgenie_keys_not_imported: {
    type: 'gauge',
    help: 'Keys with which tools send to Opsgenie through this process since its start, and that no integration of Tocsin has (M9).',
    unit: 'none',
    labels: {},
    services: ['gateway'],
  },
  tocsin_commands_delayed_total: {
    ...counterOf('records', 'Commands that were moved to `alert-commands-bulk.v1`.', 'alert-processor'),
    labels: { reason: '`rate` (over `FAIR_RATE` while commands wait) or `order` (a command of its key waits there)' },
  },
  tocsin_hook_items_total: {
    ...counterOf(
      'none',
      'Items of the requests of tools whose commands are on Kafka, and requests that were refused.',
      'alert-ingest',
    ),
    labels: {
      preset: 'the name of a preset; `none` for a request that is refused',
      outcome:
        '`create`, `close`, `acknowledge`, `add-note`, `ignored` (by an action), `unmatched` (by none), `no-key` (it cannot be closed, or closes nothing), `unreadable`, `too-large`',
    },
  },
  tocsin_hook_items_settled_total: {
    ...counterOf('none', 'Items of the requests of tools whose commands are settled (A8).', 'alert-processor'),
    labels: {
      preset: 'the name of a preset',
      outcome:
        '`opened` (a new alert), `counted` (on an open one), `raised` (it too, to a higher priority), `closed`, `nothing-to-close` (no alert was open), `acknowledged`, `noted`, `dropped` (by an action, a maintenance window, or as a repeated message), `failed`',
    },
  },
  tocsin_mails_taken_total: counterOf('mails', 'Mails whose commands are all on Kafka.', 'alert-ingest'),
  tocsin_mails_put_off_total: counterOf('mails', 'Mails that their senders had to send again.', 'alert-ingest'),
  tocsin_mails_refused_total: counterOf(
    'mails',
    'Mails refused for good after they were received: too large, or without a use.',
    'alert-ingest',
  ),
  tocsin_no_user_on_call_total: counterOf(
    'none',
    'Escalation rules, and schedules reached without a rule, that found no recipient.',
    'scheduling',
  ),
  tocsin_readiness_findings: {
    type: 'gauge',
    help: 'Findings about what will go wrong when an alert comes (S17), counted every 5 min. Each process counts all.',
    unit: 'none',
    labels: { kind: 'the kinds of findings' },
    services: ['scheduling'],
  },
  tocsin_pages_exhausted_total: counterOf(
    'alerts',
    'Flows that have done everything while no user acknowledged, once for each start of a flow.',
    'scheduling',
  ),
  tocsin_bundled_pages_total: {
    type: 'counter',
    help: 'Pages that were handed over in a message with others, because a contact had more within a minute than BUNDLE_LIMITS allows.',
    unit: 'pages',
    labels: { channel: '`email`, `sms`, `voice`, `mobile`' },
    services: ['notifier'],
  },
  tocsin_hand_overs_failed_total: {
    type: 'counter',
    help: 'Messages that their provider did not take at the first attempt.',
    unit: 'messages',
    labels: {
      result: '`temporary` (tried again), `unknown` (no answer came; P1 and P2 are tried again), `permanent`',
    },
    services: ['notifier'],
  },
  tocsin_shadow: {
    type: 'gauge',
    help: 'What the process knows of shadow (M1): 1 for the present state, 0 for the others. While it is `unknown` nothing is sent.',
    unit: 'none',
    labels: { state: '`on`, `off`, `unknown`' },
    services: ['notifier'],
  },
  tocsin_messages_held_back_total: {
    type: 'counter',
    help: 'Messages that were recorded and not sent, because shadow was on (M2).',
    unit: 'messages',
    labels: { channel: '`email`, `sms`, `voice`, `mobile`, `webhook`, `chat`' },
    services: ['notifier'],
  },
  tocsin_provider_paused_until_timestamp_seconds: {
    type: 'gauge',
    help: 'Until when a provider gets no messages of the process, because it asked to wait (U7), in seconds since 1970; 0 once it takes messages again before then.',
    unit: 'seconds',
    labels: { provider: 'methods with names of their providers, such as `sms/twilio`' },
    services: ['notifier'],
  },
  tocsin_webhook_calls_total: {
    type: 'counter',
    help: 'Calls of webhooks, and events for channels of chat.',
    unit: 'requests',
    labels: {
      result:
        '`accepted`, `temporary` and `unknown` (not accepted, or not known to be; tried again for 15 minutes, an event for a channel of chat for 24 hours), `permanent` (refused for good)',
    },
    services: ['notifier'],
  },
  tocsin_callbacks_total: {
    type: 'counter',
    help: 'Calls in which providers report results of messages and answers of users.',
    unit: 'requests',
    labels: {
      outcome:
        '`delivered`, `failed`, `overtaken` (of a try before the last one), `unchanged` (known before), `unknown` (the message is gone), `ignored` (no end yet), `expired`, `refused` (forged); of answers of users: `acted`, `repeated` (done before), `pointless` (the alert is acknowledged, closed or gone already), `unusable` (its code has expired, its user is blocked or gone, or its number is not in use any more), `unreadable`, `stranger` (a number that got no message), `limited` (too many from one number, or by the connection of one app of Slack), `answered` (a command that changes nothing)',
    },
    services: ['notifier'],
  },
  tocsin_heartbeats_expired_total: counterOf(
    'none',
    'Heartbeats that were silent for too long. Pings are requests of the operations `ping-heartbeat…`.',
    'heartbeat-monitor',
  ),
  tocsin_alerts_expired_total: counterOf(
    'alerts',
    'Closed alerts removed because their time was over.',
    'alert-processor',
  ),
  tocsin_mail_files_left_out_total: counterOf(
    'rows',
    'Files of mails that were not kept, because `MAIL_FILES_MB` or `MAIL_FILES_MB_PER_INTEGRATION` is used up.',
    'alert-processor',
  ),
  tocsin_attachments_removed_total: counterOf('rows', 'Files removed that belong to no alert.', 'alert-processor'),
  tocsin_request_statuses_expired_total: counterOf(
    'rows',
    'Request statuses removed because their time was over.',
    'alert-processor',
  ),
  tocsin_removals_forgotten_total: counterOf(
    'rows',
    'Ids of removed alerts that were forgotten because their time was over.',
    'alert-processor',
  ),
} as const satisfies Readonly<Record<`tocsin_${string}`, MetricDefinition>>;

type Catalogue = typeof METRICS;

/** The name of a metric of Tocsin. */
export type MetricName = keyof Catalogue;

/** The names of the counters that have no label. */
export type CountName = {
  [N in MetricName]: Catalogue[N] extends { readonly type: 'counter'; readonly labels: Readonly<Record<string, never>> }
    ? N
    : never;
}[MetricName];

/** A value for each label of `N`. */
export type LabelsOf<N extends MetricName> = Readonly<Record<keyof Catalogue[N]['labels'], string>>;

function counterOf<const S extends (typeof ALL)[number]>(unit: MetricDefinition['unit'], help: string, service: S) {
  return { type: 'counter', help, unit, labels: {} as Readonly<Record<string, never>>, services: [service] } as const;
}

function auditGauge<const S extends (typeof ALL)[number]>(unit: MetricDefinition['unit'], help: string, service: S) {
  return { type: 'gauge', help, unit, labels: {} as Readonly<Record<string, never>>, services: [service] } as const;
}
