import { INSTALLATION, type Panel } from './dashboard.ts';

/** Selects the installations, services and instances that the user chose on the dashboard. */
export const HERE = `${INSTALLATION},service=~"$service",instance=~"$instance"`;

/** How long alerts take from their acceptance to a stage. */
export const latency = (stage: string, title: string, description: string): Panel => ({
  title,
  description,
  unit: 's',
  lines: {
    p50: `tocsin:alert_stage_seconds:p50_rate5m{${INSTALLATION},stage="${stage}"}`,
    p99: `tocsin:alert_stage_seconds:p99_rate5m{${INSTALLATION},stage="${stage}"}`,
  },
});

/** A panel with one expression. */
export const oneLine = (title: string, description: string, unit: string, legend: string, expr: string): Panel => ({
  title,
  description,
  unit,
  lines: { [legend]: expr },
});

/** How many alerts and pages a second reach a stage. */
export const perStage = (title: string, stage: string): Panel =>
  oneLine(
    title,
    `Alerts and pages a second that reached the stage ${stage}.`,
    'reqps',
    stage,
    `sum(rate(tocsin_alert_stage_seconds_count{${INSTALLATION},stage="${stage}"}[5m]))`,
  );

export const handedOver = latency(
  'handed-over',
  'Accepted to handed over',
  'From the acceptance of an alert, or the instant at which its page was due, until a provider took the page. Objective: 99.99 % within 10 s.',
);

export const processed = latency(
  'processed',
  'Accepted to processed',
  'From the acceptance of a command until it was settled. Objective: 99 % within 1 s.',
);

export const unsettled = oneLine(
  'Oldest unsettled record',
  'Grows while a partition is stuck.',
  's',
  '{{service}} {{topic}}',
  `tocsin:unsettled_age_seconds:max{${INSTALLATION}}`,
);

export const timers: Panel = {
  title: 'Lag of due work',
  description: 'From the due instant of a document until it was claimed.',
  unit: 's',
  lines: {
    '{{service}} p50': `tocsin:timer_lag_seconds:p50_rate5m{${INSTALLATION}}`,
    '{{service}} p99': `tocsin:timer_lag_seconds:p99_rate5m{${INSTALLATION}}`,
  },
};

export const overdue = oneLine(
  'Overdue work',
  'For how long the oldest document has been due, and the longest wait of a recipient for a message.',
  's',
  '{{service}} {{work}}',
  `max by (service, work) (tocsin_overdue_age_seconds{${INSTALLATION}})`,
);

export const accepted = oneLine(
  'Alerts accepted',
  'Writes of alerts a second that were answered 202.',
  'reqps',
  'accepted',
  `tocsin:alert_writes_accepted:rate5m{${INSTALLATION}}`,
);

export const outbox = oneLine(
  'Oldest row in an outbox',
  'Age of the oldest message that waits to be published; 0 when none waits.',
  's',
  '{{service}} {{outbox}}',
  `max by (service, outbox) (tocsin_outbox_age_seconds{${INSTALLATION}})`,
);
