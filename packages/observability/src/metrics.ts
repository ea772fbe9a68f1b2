import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The stages of an alert, each measured from the moment its command was accepted (architecture, section 4). */
export type AlertStage = 'processed' | 'routed' | 'handed-over' | 'receipt';

/** One answered request, as `http_request_duration_seconds` counts it. */
export interface HttpRequest {
  readonly method: string;
  /** The operation's id, or `none` where no documented path was met. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

const STAGE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];
const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What one service tells Prometheus. Each service has a registry of its own, so that several live in one process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #http: Histogram<'method' | 'operation' | 'status'>;
  readonly #stage: Histogram<'stage'>;
  readonly #consumerLag: Gauge<'topic' | 'partition'>;
  readonly #consumerAge: Gauge<'topic' | 'partition'>;
  readonly #timerLag: Histogram<'timers'>;
  readonly #outboxAge: Gauge<'outbox'>;
  readonly #deadLetters: Counter<'topic'>;
  readonly #tooNew: Counter<'topic'>;
  readonly #throttled: Counter<'limit'>;
  readonly #publisherQueue: Gauge;
  readonly #clockAhead: Gauge;
  readonly #upstreamCircuit: Gauge<'upstream'>;
  readonly #counters = new Map<string, Counter>();

  constructor(service: string, options: { readonly processMetrics?: boolean } = {}) {
    const registers = [this.#registry];
    this.#registry.setDefaultLabels({ service });
    // Process and event-loop figures belong to the process: only one service of a shared process reports them.
    if (options.processMetrics ?? true)
      collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 100 });
    const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers });
    const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Gauge({ name, help, labelNames, registers });
    this.#http = histogram(
      'http_request_duration_seconds',
      'From the request to the last byte of its answer.',
      ['method', 'operation', 'status'],
      HTTP_BUCKETS,
    );
    this.#stage = histogram(
      'alert_stage_seconds',
      'From the acceptance of a command until it reached the stage.',
      ['stage'],
      STAGE_BUCKETS,
    );
    this.#consumerLag = gauge('kafka_consumer_lag', 'Records of the partition not settled yet.', [
      'topic',
      'partition',
    ]);
    this.#consumerAge = gauge('kafka_consumer_age_seconds', 'Age of the record settled last, when it was settled.', [
      'topic',
      'partition',
    ]);
    this.#timerLag = histogram(
      'timer_lag_seconds',
      'From the due instant until the timer fired.',
      ['timers'],
      STAGE_BUCKETS,
    );
    this.#outboxAge = gauge(
      'outbox_age_seconds',
      'Age of the oldest row that waits to be published; 0 when none does.',
      ['outbox'],
    );
    this.#clockAhead = gauge('clock_ahead_seconds', 'By how much the clock of this machine is ahead of MongoDB.', []);
    this.#upstreamCircuit = gauge(
      'upstream_circuit_open',
      '1 while callers are refused because a service does not answer.',
      ['upstream'],
    );
    this.#publisherQueue = gauge('kafka_publisher_queue', 'Messages that wait to be sent.', []);
    const ofTopics = (name: string, help: string) => new Counter({ name, help, labelNames: ['topic'], registers });
    this.#deadLetters = ofTopics('dead_letters_total', 'Records set aside because they fail for ever.');
    this.#tooNew = ofTopics(
      'records_too_new_total',
      'Records met, some more than once, whose schema is newer than this process.',
    );
    this.#throttled = new Counter({
      name: 'requests_throttled_total',
      help: 'Requests that were over a rate limit.',
      labelNames: ['limit'],
      registers,
    });
  }

  httpRequest({ method, operation, status, seconds }: HttpRequest): void {
    this.#http.observe({ method, operation, status: String(status) }, seconds);
  }

  /** Counts an alert that reached `stage`, `seconds` after its command was accepted. */
  stage(stage: AlertStage, seconds: number): void {
    this.#stage.observe({ stage }, Math.max(0, seconds));
  }

  consumerLag(topic: string, partition: number, records: number): void {
    this.#consumerLag.set({ topic, partition }, records);
  }

  consumerAge(topic: string, partition: number, seconds: number): void {
    this.#consumerAge.set({ topic, partition }, Math.max(0, seconds));
  }

  timerLag(timers: string, seconds: number): void {
    this.#timerLag.observe({ timers }, Math.max(0, seconds));
  }

  outboxAge(outbox: string, seconds: number): void {
    this.#outboxAge.set({ outbox }, Math.max(0, seconds));
  }

  clockAhead(seconds: number): void {
    this.#clockAhead.set(seconds);
  }

  /** Whether callers of the service `upstream` are refused at once because it does not answer. */
  upstreamCircuit(upstream: string, state: 'open' | 'closed'): void {
    this.#upstreamCircuit.set({ upstream }, state === 'open' ? 1 : 0);
  }

  publisherQueue(messages: number): void {
    this.#publisherQueue.set(messages);
  }

  deadLetter(topic: string): void {
    this.#deadLetters.inc({ topic });
  }

  tooNew(topic: string): void {
    this.#tooNew.inc({ topic });
  }

  /** Counts a request that was refused because the rate `limit` of its caller is used up. */
  throttled(limit: string): void {
    this.#throttled.inc({ limit });
  }

  /** Adds `by`, one unless told, to the counter `name` (ends in `_total`), which `help` explains. */
  count(name: string, help: string, by = 1): void {
    let counter = this.#counters.get(name);
    if (counter === undefined) {
      counter = new Counter({ name, help, registers: [this.#registry] });
      this.#counters.set(name, counter);
    }
    counter.inc(by);
  }

  /** Everything, in the text format that Prometheus scrapes, and its content type. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}
