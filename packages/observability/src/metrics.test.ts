import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.ts';

describe('Metrics', () => {
  it('reports the latency of each stage under the name that dashboards scrape', async () => {
    const metrics = new Metrics('alert-processor', { processMetrics: false });
    metrics.stage('processed', 0.03);
    const { body, contentType } = await metrics.text();
    expect(contentType).toContain('text/plain');
    expect(body).toContain('alert_stage_seconds_bucket{le="0.05",service="alert-processor",stage="processed"} 1');
  });

  it('reports lag, age, timers, outbox, dead letters and requests', async () => {
    const metrics = new Metrics('scheduling', { processMetrics: false });
    metrics.consumerLag('alert-events.v1', 3, 7);
    metrics.consumerAge('alert-events.v1', 3, 1.5);
    metrics.timerLag('escalation rules', 0.2);
    metrics.outboxAge('outbox', 4);
    metrics.deadLetter('pages.v1');
    metrics.tooNew('pages.v1');
    metrics.upstreamCircuit('directory', 'open');
    metrics.throttled('alert');
    metrics.count('nobody_on_call_total', 'Rules that found nobody on call.');
    metrics.count('nobody_on_call_total', 'Rules that found nobody on call.');
    metrics.httpRequest({ method: 'GET', operation: 'get-schedule', status: 200, seconds: 0.004 });
    const { body } = await metrics.text();
    for (const line of [
      'kafka_consumer_lag{topic="alert-events.v1",partition="3",service="scheduling"} 7',
      'kafka_consumer_age_seconds{topic="alert-events.v1",partition="3",service="scheduling"} 1.5',
      'timer_lag_seconds_count{service="scheduling",timers="escalation rules"} 1',
      'outbox_age_seconds{outbox="outbox",service="scheduling"} 4',
      'dead_letters_total{topic="pages.v1",service="scheduling"} 1',
      'records_too_new_total{topic="pages.v1",service="scheduling"} 1',
      'upstream_circuit_open{upstream="directory",service="scheduling"} 1',
      'requests_throttled_total{limit="alert",service="scheduling"} 1',
      'nobody_on_call_total{service="scheduling"} 2',
      'http_request_duration_seconds_count{service="scheduling",method="GET",operation="get-schedule",status="200"} 1',
    ])
      expect(body).toContain(line);
  });

  it('keeps two services of one process apart', async () => {
    const one = new Metrics('gateway', { processMetrics: false });
    const other = new Metrics('notifier', { processMetrics: false });
    one.deadLetter('pages.v1');
    expect((await other.text()).body).not.toContain('topic="pages.v1"');
  });

  it('reports the event loop of its process', async () => {
    expect((await new Metrics('gateway').text()).body).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});
