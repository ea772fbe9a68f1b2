import { describe, expect, it } from '@jest/globals';
import { METRICS, type MetricDefinition } from './catalogue.ts';
import { Metrics } from './metrics.ts';
import { VERSION } from './version.ts';

describe('Metrics', () => {
  it('reports the latency of each stage under the name that dashboards scrape', async () => {
    const metrics = new Metrics('alert-processor', { processMetrics: false });
    metrics.stage('processed', 0.03);
    const { body, contentType } = await metrics.text();
    expect(contentType).toContain('text/plain');
    expect(body).toContain(
      'tocsin_alert_stage_seconds_bucket{le="0.05",service="alert-processor",stage="processed"} 1',
    );
  });

  it('reports backlog, age, timers, outbox, dead letters and requests', async () => {
    const metrics = new Metrics('scheduling', { processMetrics: false });
    metrics.consumerBacklog('alert-events.v1', 3, { records: 7 });
    metrics.timerLag('runs', 0.2);
    metrics.outboxAge('outbox', 4);
    metrics.refused('pages.v1');
    metrics.unknownRows('runs', 'page', 2);
    metrics.overdue('runs', 40);
    metrics.handingOver();
    metrics.handOverFailed('temporary');
    metrics.deadLetter('pages.v1');
    metrics.tooNew('pages.v1');
    metrics.upstreamCircuit('directory', 'open');
    metrics.throttled('alert');
    metrics.count('tocsin_no_user_on_call_total');
    metrics.count('tocsin_no_user_on_call_total', 2);
    metrics.httpRequest({ method: 'GET', operation: 'get-schedule', status: 200, seconds: 0.004 });
    const { body } = await metrics.text();
    for (const line of [
      'tocsin_kafka_consumer_lag{topic="alert-events.v1",partition="3",service="scheduling"} 7',
      'tocsin_timer_lag_seconds_count{service="scheduling",timers="runs"} 1',
      'tocsin_outbox_age_seconds{outbox="outbox",service="scheduling"} 4',
      'tocsin_outbox_refused_total{topic="pages.v1",service="scheduling"} 1',
      'tocsin_rows_unknown{collection="runs",kind="page",service="scheduling"} 2',
      'tocsin_overdue_age_seconds{work="runs",service="scheduling"} 40',
      'tocsin_hand_overs_failed_total{result="temporary",service="scheduling"} 1',
      'tocsin_hand_overs_failed_total{result="permanent",service="scheduling"} 0',
      'tocsin_dead_letters_total{topic="pages.v1",service="scheduling"} 1',
      'tocsin_records_too_new_total{topic="pages.v1",service="scheduling"} 1',
      'tocsin_upstream_circuit_open{upstream="directory",service="scheduling"} 1',
      'tocsin_requests_throttled_total{limit="alert",service="scheduling"} 1',
      'tocsin_no_user_on_call_total{service="scheduling"} 3',
      'tocsin_http_request_duration_seconds_count{service="scheduling",method="GET",operation="get-schedule",status="200"} 1',
    ])
      expect(body).toContain(line);
  });

  it('keeps two services of one process apart', async () => {
    const one = new Metrics('gateway', { processMetrics: false });
    const other = new Metrics('notifier', { processMetrics: false });
    one.deadLetter('pages.v1');
    expect((await other.text()).body).not.toContain('topic="pages.v1"');
  });

  it('starts the counters of its service at 0, so that the first increase is seen, and none of other services', async () => {
    const { body } = await new Metrics('alert-ingest', { processMetrics: false }).text();
    expect(body).toContain('tocsin_mails_refused_total{service="alert-ingest"} 0');
    expect(body).not.toContain('tocsin_no_user_on_call_total');
  });

  it('lets the age of a record grow that is not settled, and forgets the partitions of other processes', async () => {
    let nowMs = 60_000;
    const metrics = new Metrics('scheduling', { processMetrics: false, now: () => nowMs });
    const shown = async () =>
      ((await metrics.text()).body.match(/^tocsin_kafka_(?:consumer|unsettled).*/gm) ?? []).toSorted();
    const of = (partition: number) => `{topic="alert-events.v1",partition="${partition}",service="scheduling"}`;
    metrics.consumerBacklog('alert-events.v1', 3, { records: 2, oldestMs: 50_000 });
    metrics.consumerBacklog('alert-events.v1', 4, { records: 0 });
    const settled = [`tocsin_kafka_consumer_lag${of(4)} 0`, `tocsin_kafka_unsettled_age_seconds${of(4)} 0`];
    const stuck = (seconds: number) => [
      `tocsin_kafka_consumer_lag${of(3)} 2`,
      `tocsin_kafka_unsettled_age_seconds${of(3)} ${seconds}`,
    ];
    expect(await shown()).toEqual([...stuck(10), ...settled].toSorted());
    nowMs += 90_000;
    expect(await shown()).toEqual([...stuck(100), ...settled].toSorted());
    metrics.consumerLeft('alert-events.v1', 3);
    expect(await shown()).toEqual(settled);
  });

  it('counts what is handed over, and what is not, from 0 on', async () => {
    const metrics = new Metrics('notifier', { processMetrics: false });
    metrics.handingOver();
    const { body } = await metrics.text();
    expect(body).toContain('tocsin_alert_stage_seconds_count{service="notifier",stage="handed-over"} 0');
    expect(body).toContain('tocsin_hand_overs_failed_total{result="temporary",service="notifier"} 0');
  });

  it('says which version runs', async () => {
    const metrics = new Metrics('gateway', { processMetrics: false });
    expect((await metrics.text()).body).toContain(`tocsin_build_info{version="${VERSION}",service="gateway"} 1`);
  });

  it('takes only names of the catalogue', () => {
    const metrics = new Metrics('gateway', { processMetrics: false });
    expect(() => {
      // @ts-expect-error -- it is not in docs/metrics.md
      metrics.count('tocsin_unheard_of_total');
    }).toThrow();
    // @ts-expect-error -- its labels would be missing
    metrics.count('tocsin_dead_letters_total');
  });

  it('names and measures as Prometheus asks: base units, `_total` for counters and for nothing else', () => {
    for (const [name, { type, unit, help, labels, services, buckets }] of Object.entries<MetricDefinition>(METRICS)) {
      expect(name).toMatch(/^tocsin(_[a-z]+)+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name.endsWith('_seconds')).toBe(unit === 'seconds');
      expect(help).toMatch(/\.$/);
      expect(Object.values(labels)).not.toContain('');
      expect(services.length).toBeGreaterThan(0);
      expect(buckets !== undefined).toBe(type === 'histogram');
      expect(buckets).toEqual(buckets?.toSorted((one, other) => one - other));
    }
  });

  it('reports the event loop of its process', async () => {
    expect((await new Metrics('gateway').text()).body).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});
