import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually, startSpanReceiver, type ReceivedSpan, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const receiver = await startSpanReceiver();
afterAll(() => receiver.stop());

/** Only the requests of callers who ask for it are traced. */
const system = useSystem({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_TRACES_SAMPLER: 'parentbased_always_off',
});

const CALLER = 'c'.repeat(16);
const traceOf = (digit: string) => digit.repeat(32);
const traceparent = (digit: string) => ({ traceparent: `00-${traceOf(digit)}-${CALLER}-01` });

async function scenarioWithEscalation(): Promise<Scenario> {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace');
  await scenario.escalation(
    'Step by step',
    { delay: 0, to: { type: 'user', name: 'ada' } },
    { delay: 5, to: { type: 'user', name: 'grace' } },
  );
  return scenario;
}

/** Pages one user at once, and none later. */
const alertFor = (scenario: Scenario, message: string) => ({
  message,
  responders: [{ type: 'user', username: scenario.address('ada') }],
});

const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
const titleOf = ({ kind, name, service }: ReceivedSpan) => `${service}: ${name} (${kind})`;

/** The last hand-over of a trace, and what it is a part of, up to the beginning. */
function wayTo(handOver: ReceivedSpan | undefined): readonly ReceivedSpan[] {
  const parent = receiver.spans.find(({ spanId }) => spanId === handOver?.parentId);
  return handOver === undefined ? [] : [...wayTo(parent), handOver];
}

const handOverIn = (traceId: string) => spansOf(traceId).find(({ name }) => name === 'hand over email');

describe('an alert whose request is traced', () => {
  it('is one trace, from the POST at the gateway to the hand-over of the mail', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const api = system.api.with(traceparent('a'));
    const { body } = await api.expect(202, 'POST', '/v2/alerts', alertFor(scenario, 'Disk full'));
    await system.mailed(scenario.address('ada'), 'Disk full');
    await eventually(() => {
      const way = wayTo(handOverIn(traceOf('a')));
      expect(way.map(titleOf)).toEqual([
        'tocsin-gateway: create-alert (server)',
        'tocsin-gateway: POST alert-ingest (client)',
        'tocsin-alert-ingest: create-alert (server)',
        'tocsin-alert-ingest: publish alert-commands.v1 (producer)',
        'tocsin-alert-processor: process alert-commands.v1 (consumer)',
        'tocsin-alert-processor: publish alert-events.v1 (producer)',
        'tocsin-scheduling: process alert-events.v1 (consumer)',
        'tocsin-scheduling: publish pages.v1 (producer)',
        'tocsin-notifier: process pages.v1 (consumer)',
        'tocsin-notifier: hand over email (client)',
      ]);
      expect(way[0]).toMatchObject({
        parentId: CALLER,
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/v2/alerts',
          'http.response.status_code': '202',
          'tocsin.request_id': body['requestId'],
        },
      });
      const known = new Set([CALLER, ...receiver.spans.map(({ spanId }) => spanId)]);
      expect(spansOf(traceOf('a')).filter(({ parentId }) => !known.has(parentId))).toEqual([]);
      expect(spansOf(traceOf('a')).filter(({ failure }) => failure !== undefined)).toEqual([]);
    });
    expect(JSON.stringify(receiver.spans)).not.toMatch(/Disk full|@|GenieKey|[?]/);
  });

  it('has the batches that settled it linked to it, and the rules that fire later', async () => {
    const scenario = await scenarioWithEscalation();
    const responders = [scenario.responder('escalation', 'Step by step')];
    const api = system.api.with(traceparent('b'));
    await api.expect(202, 'POST', '/v2/alerts', { message: 'Disk full again', responders });
    await system.mailed(scenario.address('ada'), 'Disk full again');
    await system.pass(5);
    await system.mailed(scenario.address('grace'), 'Disk full again');
    await eventually(() => {
      const routed = wayTo(handOverIn(traceOf('b'))).find(({ name }) => name === 'process alert-events.v1');
      const link = `${traceOf('b')}-${routed?.spanId ?? ''}`;
      const linked = receiver.spans.filter(({ links }) => links.includes(link));
      expect(linked.map(({ name }) => name).sort()).toEqual(['fire rule', 'process batch of alert-events.v1']);
      const fired = linked.find(({ name }) => name === 'fire rule');
      expect(wayTo(handOverIn(fired?.traceId ?? '')).map(titleOf)).toEqual([
        'tocsin-scheduling: fire rule (internal)',
        'tocsin-scheduling: publish pages.v1 (producer)',
        'tocsin-notifier: process pages.v1 (consumer)',
        'tocsin-notifier: hand over email (client)',
      ]);
    });
  });

  it('leaves no trace beside it of requests that are not, in a row or a record', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const before = receiver.spans.length;
    const unsampled = { traceparent: `00-${traceOf('d')}-${CALLER}-00` };
    for (const headers of [{}, unsampled, { traceparent: 'rubbish' }]) {
      await system.api.with(headers).expect(202, 'POST', '/v2/alerts', alertFor(scenario, 'Without a trace'));
      await system.mailed(scenario.address('ada'), 'Without a trace');
    }
    expect(await system.stored().wordsOf(traceOf('d'))).toEqual({});
    const records = await system.published().ofAlerts();
    const ofThese = records.filter(({ value }) => String(value).includes('Without a trace'));
    expect(ofThese.length).toBeGreaterThanOrEqual(9);
    for (const { headers, value } of ofThese) {
      expect(headers).not.toHaveProperty('traceparent');
      expect(String(value)).not.toContain('"trace"');
    }
    expect(receiver.spans.slice(before).filter(({ traceId }) => traceId === traceOf('d'))).toEqual([]);
  });
});
