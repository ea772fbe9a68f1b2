import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type CountName, type LabelsOf, type MetricDefinition, type MetricName } from './catalogue.ts';

/** The stages of an alert, each measured from the moment its command was accepted (architecture, section 4). */
export type AlertStage = 'processed' | 'routed' | 'handed-over' | 'receipt';

/** The gauges of what audits find. */
export type AuditGauge = 'tocsin_alerts_unsettled' | 'tocsin_flows_overdue' | 'tocsin_pages_undelivered';

/** How an attempt to hand a message over fails. */
const FAILED_HAND_OVERS = ['temporary', 'unknown', 'permanent'] as const;
type FailedHandOver = (typeof FAILED_HAND_OVERS)[number];

/** How a call of a webhook ends. */
const WEBHOOK_RESULTS = ['accepted', ...FAILED_HAND_OVERS] as const;
type WebhookResult = (typeof WEBHOOK_RESULTS)[number];

/** What comes of a call of a provider. */
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
] as const;
type CallbackOutcome = (typeof CALLBACKS)[number];

/** One answered request, as `tocsin_http_request_duration_seconds` counts it. */
export interface HttpRequest {
  readonly method: string;
  /** The operation's id, or `none` where no documented path was met. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Observes, sets or adds `value`, whichever the type of the metric is. */
type Reporter = (labels: Readonly<Record<string, string>>, value: number) => void;

interface MetricsOptions {
  /** Whether figures of the process belong to this service. */
  readonly processMetrics?: boolean;
  /** What runs, as `tocsin_build_info` says it. */
  readonly version?: string;
  /** Milliseconds of the clock by which records are dated. */
  readonly now?: () => number;
}

/** The records of one partition that are not settled. */
interface Backlog {
  readonly records: number;
  /** When the oldest of them was written; undefined where none waits, or where that is not known. */
  readonly oldestMs?: number | undefined;
}

/**
 * What one service tells Prometheus: the metrics of the catalogue and no other. Each service has a registry of its own, so that
 * several live in one process.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #backlogs = new Map<string, Backlog & { readonly topic: string; readonly partition: string }>();
  readonly #now: () => number;
  readonly #reporters = new Map<MetricName, Reporter>();

  constructor(
    service: string,
    { processMetrics = true, version = 'development', now = Date.now }: MetricsOptions = {},
  ) {
    this.#now = now;
    this.#registry.setDefaultLabels({ service });
    // Process and event-loop figures belong to the process: only one service of a shared process reports them.
    if (processMetrics) collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 100 });
    // What the service reports is there from the start: a counter begins at 0, so that its first increase is seen.
    for (const [name, { services }] of Object.entries<MetricDefinition>(METRICS))
      if (services.some((one) => one === service)) this.#reporter(name as MetricName);
    this.#report('tocsin_build_info', { version }, 1);
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

  /** This service consumes `topic`: what is counted of it begins at 0, so that its first increase is seen. */
  consuming(topic: string): void {
    this.#report('tocsin_dead_letters_total', { topic }, 0);
    this.#report('tocsin_records_too_new_total', { topic }, 0);
  }

  /** What is not settled of a partition; `oldestMs` is the instant of the oldest record, whose age grows from scrape to scrape. */
  consumerBacklog(topic: string, partition: number, { records, oldestMs }: Backlog): void {
    this.#backlogs.set(`${topic}/${partition}`, { topic, partition: String(partition), records, oldestMs });
  }

  /** The partition is shown no more: it is another process's. */
  consumerLeft(topic: string, partition: number): void {
    this.#backlogs.delete(`${topic}/${partition}`);
  }

  timerLag(timers: string, seconds: number): void {
    this.#report('tocsin_timer_lag_seconds', { timers }, seconds);
  }

  outboxAge(outbox: string, seconds: number): void {
    this.#report('tocsin_outbox_age_seconds', { outbox }, Math.max(0, seconds));
  }

  /** For how long the oldest piece of `work` has been due that is not done; 0 when none is. */
  overdue(work: string, seconds: number): void {
    this.#report('tocsin_overdue_age_seconds', { work }, Math.max(0, seconds));
  }

  /** What an audit found stuck, and when. */
  audited(gauge: AuditGauge, stuck: number, at: Date): void {
    this.#report(gauge, {}, stuck);
    this.#report('tocsin_audit_last_run_timestamp_seconds', {}, at.getTime() / 1_000);
  }

  /** This service hands messages over: what is counted of it begins at 0, so that its first increase is seen. */
  handingOver(): void {
    const stages = this.#registry.getSingleMetric('tocsin_alert_stage_seconds') as Histogram | undefined;
    stages?.zero({ stage: 'handed-over' satisfies AlertStage });
    for (const result of FAILED_HAND_OVERS) this.#report('tocsin_hand_overs_failed_total', { result }, 0);
  }

  /** Counts the pages of a message that a provider took. */
  bundled(channel: string, pages: number): void {
    this.#report('tocsin_bundled_pages_total', { channel }, pages);
  }

  /** Counts a message that its provider did not take. */
  handOverFailed(result: FailedHandOver): void {
    this.#report('tocsin_hand_overs_failed_total', { result }, 1);
  }

  /** This service calls webhooks: what is counted of it begins at 0, so that its first increase is seen. */
  callingWebhooks(): void {
    for (const result of WEBHOOK_RESULTS) this.#report('tocsin_webhook_calls_total', { result }, 0);
  }

  /** Counts a call of a webhook. */
  webhookCalled(result: WebhookResult): void {
    this.#report('tocsin_webhook_calls_total', { result }, 1);
  }

  /** This service is told by providers what became of messages, and what people answer: what is counted of it begins at 0. */
  takingCallbacks(): void {
    for (const outcome of CALLBACKS) this.#report('tocsin_callbacks_total', { outcome }, 0);
  }

  /** Counts a call by which a provider told what became of a message, or what somebody answered. */
  callback(outcome: CallbackOutcome): void {
    this.#report('tocsin_callbacks_total', { outcome }, 1);
  }

  clockAhead(seconds: number): void {
    this.#report('tocsin_clock_ahead_seconds', {}, seconds);
  }

  /** Whether callers of the service `upstream` are refused at once because it does not answer. */
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

  /** Counts a request that was refused because the rate `limit` of its caller is used up. */
  throttled(limit: string): void {
    this.#report('tocsin_requests_throttled_total', { limit }, 1);
  }

  /** Adds `by`, one unless told, to a counter without labels. */
  count(name: CountName, by = 1): void {
    this.#report(name, {}, by);
  }

  /** Everything, in the text format that Prometheus scrapes, and its content type. */
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
