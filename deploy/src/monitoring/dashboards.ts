import type { Dashboard, Panel } from './dashboard.ts';

const HERE = 'service=~"$service",instance=~"$instance"';

const latency = (stage: string, title: string, description: string): Panel => ({
  title,
  description,
  unit: 's',
  lines: {
    p50: `tocsin:alert_stage_seconds:p50_rate5m{stage="${stage}"}`,
    p99: `tocsin:alert_stage_seconds:p99_rate5m{stage="${stage}"}`,
  },
});
const one = (title: string, description: string, unit: string, legend: string, expr: string): Panel => ({
  title,
  description,
  unit,
  lines: { [legend]: expr },
});
const handedOver = latency(
  'handed-over',
  'Accepted to handed over',
  'From the acceptance of an alert, or the instant at which its page was due, until a provider took the page. Objective: 99 % within 5 s.',
);
const processed = latency(
  'processed',
  'Accepted to processed',
  'From the acceptance of a command until it was settled. Objective: 99 % within 1 s.',
);
const routed = latency(
  'routed',
  'Accepted to routed',
  'From the acceptance of an alert until its run paged or set a timer.',
);
const unsettled = one(
  'Oldest unsettled record',
  'Grows while a partition stands still.',
  's',
  '{{service}} {{topic}}',
  'tocsin:unsettled_age_seconds:max',
);
const lag = one(
  'Unsettled records',
  'Records in the log that no consumer has settled.',
  'short',
  '{{service}} {{topic}}',
  'tocsin:unsettled_records:sum',
);
const timers: Panel = {
  title: 'Lag of timers',
  description: 'From the due instant until the timer fired.',
  unit: 's',
  lines: {
    '{{service}} p50': 'tocsin:timer_lag_seconds:p50_rate5m',
    '{{service}} p99': 'tocsin:timer_lag_seconds:p99_rate5m',
  },
};
const overdue = one(
  'Overdue work',
  'For how long the oldest timer has been due, and whoever waits longest for their turn.',
  's',
  '{{service}} {{work}}',
  'max by (service, work) (tocsin_overdue_age_seconds)',
);
const promises = one(
  'Broken promises',
  'What audits find: commands that are not settled, runs and messages that are overdue. Anything but 0 has an alert.',
  'short',
  '{{service}}',
  'max by (service) (tocsin_alerts_unsettled or tocsin_flows_overdue or tocsin_pages_undelivered)',
);
const nobody = one(
  'Nobody on call',
  'Escalation rules that found nobody. Mend the schedule.',
  'short',
  'in an hour',
  'sum(increase(tocsin_nobody_on_call_total[1h]))',
);
const exhausted = one(
  'Nobody acknowledged',
  'Alerts whose escalations came to their end without an acknowledgement.',
  'short',
  'in an hour',
  'sum(increase(tocsin_pages_exhausted_total[1h]))',
);
const perStage = (title: string, stage: string): Panel =>
  one(
    title,
    `Alerts and pages a second that reached the stage ${stage}.`,
    'reqps',
    stage,
    `sum(rate(tocsin_alert_stage_seconds_count{stage="${stage}"}[5m]))`,
  );
const accepted = one(
  'Alerts accepted',
  'Writes of alerts a second that callers were told 202 of.',
  'reqps',
  'accepted',
  'tocsin:alert_writes_accepted:rate5m',
);
const outbox = one(
  'Oldest row in an outbox',
  'What waits to be published; 0 when nothing does.',
  's',
  '{{service}} {{outbox}}',
  'max by (service, outbox) (tocsin_outbox_age_seconds)',
);

/** The dashboards, by the name of their file. */
export const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  overview: {
    uid: 'tocsin-overview',
    title: 'Tocsin: overview',
    panels: [
      handedOver,
      processed,
      one(
        'Availability of ingest',
        'Share of the writes of alerts that were not answered by 5xx. Objective: 99.9 %.',
        'percentunit',
        'last hour',
        '1 - tocsin:slo_errors:ratio_rate1h{slo="ingest"}',
      ),
      one(
        'Burn rate',
        '1 spends the errors of 30 days exactly; 14.4 for an hour pages.',
        'short',
        '{{slo}}',
        'tocsin:slo_burn:rate1h',
      ),
      unsettled,
      one(
        'Firing alerts',
        'Each has an entry in the runbook.',
        'short',
        '{{alertname}}',
        'count by (alertname) (ALERTS{alertstate="firing",alertname!="Watchdog"})',
      ),
      accepted,
      {
        ...one(
          'Versions',
          'More than one while an upgrade is under way.',
          'short',
          '{{version}}',
          'count by (version) (tocsin_build_info)',
        ),
        kind: 'stat',
      },
    ],
  },
  pipeline: {
    uid: 'tocsin-pipeline',
    title: 'Tocsin: pipeline by stage',
    panels: [
      accepted,
      perStage('Processed', 'processed'),
      processed,
      routed,
      perStage('Handed over', 'handed-over'),
      handedOver,
      unsettled,
      outbox,
    ],
  },
  paging: {
    uid: 'tocsin-paging',
    title: 'Tocsin: paging',
    panels: [
      perStage('Pages handed over', 'handed-over'),
      handedOver,
      one(
        'Hand-overs that failed',
        'Messages a second that were not taken at the first attempt; temporary ones are tried again.',
        'reqps',
        '{{result}}',
        'sum by (result) (rate(tocsin_hand_overs_failed_total[5m]))',
      ),
      one(
        'Pages in messages with others',
        'Pages a second that went out with others, because a contact had more within a minute than BUNDLE_LIMITS says.',
        'reqps',
        '{{channel}}',
        'sum by (channel) (rate(tocsin_bundled_pages_total[5m]))',
      ),
      one(
        'Webhooks called',
        'Calls of integrations a second; temporary and unknown ones are tried again.',
        'reqps',
        '{{result}}',
        'sum by (result) (rate(tocsin_webhook_calls_total[5m]))',
      ),
      timers,
      overdue,
      promises,
      nobody,
      exhausted,
      one(
        'Heartbeats expired',
        'Heartbeats that were silent for too long.',
        'short',
        'in an hour',
        'sum(increase(tocsin_heartbeats_expired_total[1h]))',
      ),
      one(
        'Dead letters',
        'Records set aside: npm run dead-letters.',
        'short',
        '{{service}} {{topic}}',
        'sum by (service, topic) (increase(tocsin_dead_letters_total[1h]))',
      ),
    ],
  },
  'kafka-and-timers': {
    uid: 'tocsin-kafka',
    title: 'Tocsin: Kafka and timers',
    panels: [
      lag,
      unsettled,
      one(
        'Messages that wait to be sent',
        'At 20000 of a topic callers hear 503.',
        'short',
        '{{service}} {{instance}}',
        `tocsin_kafka_publisher_queue{${HERE}}`,
      ),
      outbox,
      timers,
      overdue,
      one(
        'Records too new',
        'An upgrade is half done while it grows.',
        'short',
        '{{service}} {{topic}}',
        'sum by (service, topic) (increase(tocsin_records_too_new_total[5m]))',
      ),
      one(
        'Clock ahead of MongoDB',
        'Beyond half a second somebody has to set it.',
        's',
        '{{service}} {{instance}}',
        `tocsin_clock_ahead_seconds{${HERE}}`,
      ),
    ],
  },
  services: {
    uid: 'tocsin-services',
    title: 'Tocsin: services',
    panels: [
      one(
        'Requests',
        'Answered requests a second, by operation.',
        'reqps',
        '{{service}} {{operation}}',
        `sum by (service, operation) (rate(tocsin_http_request_duration_seconds_count{${HERE}}[5m]))`,
      ),
      one(
        'Errors',
        'Requests a second that were answered by 5xx.',
        'reqps',
        '{{service}} {{operation}} {{status}}',
        `sum by (service, operation, status) (rate(tocsin_http_request_duration_seconds_count{${HERE},status=~"5.."}[5m]))`,
      ),
      one(
        'Latency, p99',
        'From the request to the last byte of its answer.',
        's',
        '{{service}} {{operation}}',
        `histogram_quantile(0.99, sum by (service, operation, le) (rate(tocsin_http_request_duration_seconds_bucket{${HERE}}[5m])))`,
      ),
      one(
        'Refused by a rate',
        'Requests a second that heard 429, by limit; `backlog`: new alerts that heard 503 because others wait.',
        'reqps',
        '{{limit}}',
        'sum by (limit) (rate(tocsin_requests_throttled_total[5m]))',
      ),
      one('CPU', 'Cores in use.', 'short', '{{service}} {{instance}}', `rate(process_cpu_seconds_total{${HERE}}[5m])`),
      one(
        'Memory',
        'What the process holds.',
        'bytes',
        '{{service}} {{instance}}',
        `process_resident_memory_bytes{${HERE}}`,
      ),
      one(
        'Event loop, p99',
        'How late turns of the event loop begin.',
        's',
        '{{service}} {{instance}}',
        `nodejs_eventloop_lag_p99_seconds{${HERE}}`,
      ),
      one(
        'Garbage collection',
        'Share of the time spent on it.',
        'percentunit',
        '{{service}} {{kind}}',
        `sum by (service, kind) (rate(nodejs_gc_duration_seconds_sum{${HERE}}[5m]))`,
      ),
    ],
  },
};
