import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type CountName, type LabelsOf, type MetricDefinition, type MetricName } from './catalogue.ts';
import { VERSION } from './version.ts';

/** The stages of an alert, each measured from the moment its command was accepted (architecture, section 4). */
export type AlertStage = 'processed' | 'routed' | 'handed-over' | 'receipt';

/** The gauges of what audits find. */
export type AuditGauge = 'tocsin_alerts_unsettled' | 'tocsin_flows_overdue' | 'tocsin_pages_undelivered';

/** How an attempt to send a message fails. */
const FAILED_HAND_OVERS = ['temporary', 'unknown', 'permanent'] as const;
type FailedHandOver = (typeof FAILED_HAND_OVERS)[number];

/** How a call of a webhook ends. */
const WEBHOOK_RESULTS = ['accepted', ...FAILED_HAND_OVERS] as const;
type WebhookResult = (typeof WEBHOOK_RESULTS)[number];

/** What a process knows of shadow. */
const SHADOW_STATES = ['on', 'off', 'unknown'] as const;
type ShadowState = (typeof SHADOW_STATES)[number];

/** The channels of messages that shadow holds back. */
const HELD_BACK_CHANNELS = ['email', 'sms', 'voice', 'mobile', 'webhook', 'chat'] as const;
type HeldBackChannel = (typeof HELD_BACK_CHANNELS)[number];

/** How a request ends that is forwarded to Opsgenie. */
const FORWARD_OUTCOMES = ['accepted', 'refused', 'failed', 'no-answer', 'cancelled'] as const;
type ForwardOutcome = (typeof FORWARD_OUTCOMES)[number];

/** Outcomes of a provider's callback. */
const CALLBACKS = [
  'delivered',
  'failed',
  'overtaken',
  'unchanged',
  'unknown',
  'ignored',
  'expired',
  'refused',
  'acted',
  'repeated',
  'pointless',
  'unusable',
  'unreadable',
  'stranger',
  'limited',
  'answered',
] as const;
type CallbackOutcome = (typeof CALLBACKS)[number];

export interface HttpRequest {
  readonly method: string;
  /** The operation's id, or `none` for an undocumented path. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Observes, sets or adds `value`, as the type of the metric demands. */
type Reporter = (labels: Readonly<Record<string, string>>, value: number) => void;

interface MetricsOptions {
  /** Whether the metrics of the process are reported; true by default. */
  readonly processMetrics?: boolean;
  /** The wall clock, because brokers stamp records by theirs. Milliseconds. */
  readonly now?: () => number;
}

/** The backlog of one partition. */
interface Backlog {
  readonly records: number;
  /** Timestamp of the oldest unsettled record; undefined where there is none, or where it is not known. */
  readonly oldestMs?: number | undefined;
}

/**
 * The Prometheus metrics of one service: those of the catalogue and no other. Each service has its own registry, so that several
 * can run in one process.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #backlogs = new Map<string, Backlog & { readonly topic: string; readonly partition: string }>();
  readonly #now: () => number;
  readonly #reporters = new Map<MetricName, Reporter>();

  constructor(service: string, { processMetrics = true, now = Date.now }: MetricsOptions = {}) {
    this.#now = now;
    this.#registry.setDefaultLabels({ service });
    // Only one service of a shared process reports these.
    if (processMetrics) collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 100 });
    // Counters exist from the start with 0, so that Prometheus sees their first increase.
    for (const [name, { services }] of Object.entries<MetricDefinition>(METRICS))
      if (services.some((one) => one === service)) this.#reporter(name as MetricName);
    this.#report('tocsin_build_info', { version: VERSION }, 1);
  }

  /** Whether the process takes work now. */
  ready(takesWork: boolean): void {
    this.#report('tocsin_ready', {}, takesWork ? 1 : 0);
  }

  httpRequest({ method, operation, status, seconds }: HttpRequest): void {
    this.#report('tocsin_http_request_duration_seconds', { method, operation, status: String(status) }, seconds);
  }

  /** Counts an alert that reached `stage`, `seconds` after its command was accepted. */
  stage(stage: AlertStage, seconds: number): void {
    this.#report('tocsin_alert_stage_seconds', { stage }, seconds);
  }

  /** This service consumes `topic`: its counters begin at 0, so that Prometheus sees their first increase. */
  consuming(topic: string): void {
    this.#report('tocsin_dead_letters_total', { topic }, 0);
    this.#report('tocsin_records_too_new_total', { topic }, 0);
  }

  /** The age of the oldest record is computed at each scrape, so it grows until the next call. */
  consumerBacklog(topic: string, partition: number, { records, oldestMs }: Backlog): void {
    this.#backlogs.set(`${topic}/${partition}`, { topic, partition: String(partition), records, oldestMs });
  }

  /** Removes the metrics of the partition, which another process consumes now. */
  consumerLeft(topic: string, partition: number): void {
    this.#backlogs.delete(`${topic}/${partition}`);
  }

  timerLag(timers: string, seconds: number): void {
    this.#report('tocsin_timer_lag_seconds', { timers }, seconds);
  }

  outboxAge(outbox: string, seconds: number): void {
    this.#report('tocsin_outbox_age_seconds', { outbox }, Math.max(0, seconds));
  }

  /** Counts a message that was put aside because it can never be published. */
  refused(topic: string): void {
    this.#report('tocsin_outbox_refused_total', { topic }, 1);
  }

  /** How many rows of `collection` are left to a newer release, of one kind. */
  unknownRows(collection: string, kind: string, rows: number): void {
    this.#report('tocsin_rows_unknown', { collection, kind }, rows);
  }

  /** How long the oldest undone item of `work` has been due; 0 when none is. */
  overdue(work: string, seconds: number): void {
    this.#report('tocsin_overdue_age_seconds', { work }, Math.max(0, seconds));
  }

  /** The process has the task: its counters begin at 0, so that Prometheus sees their first increase. */
  taskAdded(task: string): void {
    for (const result of ['succeeded', 'failed']) this.#report('tocsin_task_runs_total', { task, result }, 0);
    this.#report('tocsin_task_last_success_timestamp_seconds', { task }, 0);
  }

  /** Counts a run of a task. It failed where it has no `succeededAt`. */
  taskRan(
    task: string,
    { seconds, succeededAt }: { readonly seconds: number; readonly succeededAt?: Date | undefined },
  ): void {
    const result = succeededAt === undefined ? 'failed' : 'succeeded';
    this.#report('tocsin_task_runs_total', { task, result }, 1);
    this.#report('tocsin_task_duration_seconds', { task }, seconds);
    if (succeededAt !== undefined)
      this.#report('tocsin_task_last_success_timestamp_seconds', { task }, succeededAt.getTime() / 1_000);
  }

  /** How many stuck things an audit found, and when. */
  audited(gauge: AuditGauge, stuck: number, at: Date): void {
    this.#report(gauge, {}, stuck);
    this.#report('tocsin_audit_last_run_timestamp_seconds', {}, at.getTime() / 1_000);
  }

  /** This service sends messages: its counters begin at 0. */
  handingOver(): void {
    const stages = this.#registry.getSingleMetric('tocsin_alert_stage_seconds') as Histogram | undefined;
    stages?.zero({ stage: 'handed-over' satisfies AlertStage });
    for (const result of FAILED_HAND_OVERS) this.#report('tocsin_hand_overs_failed_total', { result }, 0);
  }

  /** Counts the pages in a message that a provider accepted. */
  bundled(channel: string, pages: number): void {
    this.#report('tocsin_bundled_pages_total', { channel }, pages);
  }

  /** Counts a message that its provider did not accept. */
  handOverFailed(result: FailedHandOver): void {
    this.#report('tocsin_hand_overs_failed_total', { result }, 1);
  }

  /** What the process knows of shadow. */
  shadow(state: ShadowState): void {
    for (const each of SHADOW_STATES) this.#report('tocsin_shadow', { state: each }, Number(each === state));
  }

  /** Counts a message that shadow held back. */
  heldBack(channel: HeldBackChannel): void {
    this.#report('tocsin_messages_held_back_total', { channel }, 1);
  }

  /** This service holds messages back in shadow: their counters begin at 0. */
  holdingBack(): void {
    for (const channel of HELD_BACK_CHANNELS) this.#report('tocsin_messages_held_back_total', { channel }, 0);
  }

  /** Until when a provider gets no messages; undefined: it gets messages. */
  providerPaused(provider: string, until: Date | undefined): void {
    this.#report('tocsin_provider_paused_until_timestamp_seconds', { provider }, (until?.getTime() ?? 0) / 1_000);
  }

  /** This service calls webhooks: their counters begin at 0. */
  callingWebhooks(): void {
    for (const result of WEBHOOK_RESULTS) this.#report('tocsin_webhook_calls_total', { result }, 0);
  }

  /** Counts a call of a webhook. */
  webhookCalled(result: WebhookResult): void {
    this.#report('tocsin_webhook_calls_total', { result }, 1);
  }

  /** This service takes callbacks of providers: their counters begin at 0. */
  takingCallbacks(): void {
    for (const outcome of CALLBACKS) this.#report('tocsin_callbacks_total', { outcome }, 0);
  }

  /** Counts a provider's callback with a receipt or an answer. */
  callback(outcome: CallbackOutcome): void {
    this.#report('tocsin_callbacks_total', { outcome }, 1);
  }

  /** How many findings of `kind` there are about what will go wrong when an alert comes. */
  readiness(kind: string, findings: number): void {
    this.#report('tocsin_readiness_findings', { kind }, findings);
  }

  /** By how much the clock of the service is ahead of MongoDB's. */
  clockAhead(seconds: number): void {
    this.#report('tocsin_clock_ahead_seconds', {}, seconds);
  }

  /** The state of the circuit breaker of the service `upstream`. */
  upstreamCircuit(upstream: string, state: 'open' | 'closed'): void {
    this.#report('tocsin_upstream_circuit_open', { upstream }, state === 'open' ? 1 : 0);
  }

  publisherQueue(messages: number): void {
    this.#report('tocsin_kafka_publisher_queue', {}, messages);
  }

  deadLetter(topic: string): void {
    this.#report('tocsin_dead_letters_total', { topic }, 1);
  }

  tooNew(topic: string): void {
    this.#report('tocsin_records_too_new_total', { topic }, 1);
  }

  /** Counts a command that alert-processor moved to the bulk topic. */
  commandDelayed(reason: 'order' | 'rate'): void {
    this.#report('tocsin_commands_delayed_total', { reason }, 1);
  }

  /** Counts an item of the request of a tool; of a request that is refused as a whole, by no preset, the request. */
  hookItem(preset: string, outcome: string): void {
    this.#report('tocsin_hook_items_total', { preset, outcome }, 1);
  }

  /** Counts an item of the request of a tool by what it came to. */
  hookItemSettled({ outcome, preset }: { readonly preset: string; readonly outcome: string }): void {
    this.#report('tocsin_hook_items_settled_total', { preset, outcome }, 1);
  }

  /** Counts a request that was refused because the rate `limit` of its caller is used up. */
  throttled(limit: string): void {
    this.#report('tocsin_requests_throttled_total', { limit }, 1);
  }

  /** Counts a request of a tool that was forwarded to Opsgenie. */
  forwarded(outcome: ForwardOutcome): void {
    this.#report('tocsin_requests_forwarded_total', { outcome }, 1);
  }

  /** How many keys of Opsgenie this process has learned that are not imported. */
  opsgenieKeysNotImported(keys: number): void {
    this.#report('tocsin_opsgenie_keys_not_imported', {}, keys);
  }

  /** This service forwards requests to Opsgenie: their counters begin at 0. */
  forwarding(): void {
    for (const outcome of FORWARD_OUTCOMES) this.#report('tocsin_requests_forwarded_total', { outcome }, 0);
  }

  /** Adds `by` to a counter without labels. */
  count(name: CountName, by = 1): void {
    this.#report(name, {}, by);
  }

  /** All metrics in the text format of Prometheus. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    this.#showBacklogs();
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #showBacklogs(): void {
    for (const name of ['tocsin_kafka_consumer_lag', 'tocsin_kafka_unsettled_age_seconds'])
      this.#registry.getSingleMetric(name)?.reset();
    for (const { topic, partition, records, oldestMs } of this.#backlogs.values()) {
      this.#report('tocsin_kafka_consumer_lag', { topic, partition }, records);
      const ageMs = oldestMs === undefined ? 0 : Math.max(0, this.#now() - oldestMs);
      this.#report('tocsin_kafka_unsettled_age_seconds', { topic, partition }, ageMs / 1_000);
    }
  }

  #report<N extends MetricName>(name: N, labels: LabelsOf<N>, value: number): void {
    this.#reporter(name)(labels, value);
  }

  #reporter(name: MetricName): Reporter {
    const reporter = this.#reporters.get(name) ?? reporterOf(name, this.#registry);
    this.#reporters.set(name, reporter);
    return reporter;
  }
}

function reporterOf(name: MetricName, registry: Registry): Reporter {
  const { type, help, labels: described, buckets = [] }: MetricDefinition = METRICS[name];
  const options = { name, help, labelNames: Object.keys(described), registers: [registry] };
  if (type === 'histogram') {
    const histogram = new Histogram({ ...options, buckets: [...buckets] });
    return (labels, value) => {
      histogram.observe(labels, Math.max(0, value));
    };
  }
  if (type === 'gauge') {
    const gauge = new Gauge(options);
    return (labels, value) => {
      gauge.set(labels, value);
    };
  }
  const counter = new Counter(options);
  return (labels, value) => {
    counter.inc(labels, value);
  };
}
