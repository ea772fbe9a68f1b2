import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startSpanReceiver, type SpanReceiver } from '@tocsin/testkit';
import { openTracer } from './open-tracer.ts';
import { readTraceSettings } from './trace-settings.ts';
import { traceFields, type Tracer } from './tracer.ts';

const ELSEWHERE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const UNSAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
const RUBBISH = ['', '01', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, `00-${'g'.repeat(32)}-1-01`, '\u0000'];

let receiver: SpanReceiver;
let opened: Tracer[];

beforeEach(async () => {
  receiver = await startSpanReceiver();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((tracer) => tracer.close()));
  await receiver.stop();
});

/** By default, its spans arrive before it is closed, however slow the machine is. */
async function tracerWith(
  more: Readonly<Record<string, string>> = {},
  dropped: number[] = [],
  closeWithinMs = 60_000,
): Promise<Tracer> {
  const read = readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...more });
  if (!('settings' in read)) throw new Error(read.problems.join());
  const tracer = await openTracer({
    service: 'gateway',
    instance: '3',
    settings: read.settings,
    onDropped: (spans) => dropped.push(spans),
    closeWithinMs,
  });
  opened.push(tracer);
  return tracer;
}

describe('a tracer', () => {
  it('sends a trace whose parts name their parents, under the name and attributes of its service', async () => {
    const tracer = await tracerWith({ OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=gw%2D1' });
    const request = tracer.beginTrace('create-alert', { kind: 'server', attributes: { status: 202 } });
    const part = tracer.begin('publish', { kind: 'producer', parent: request?.context });
    part?.end('UnavailableError');
    request?.rename('create an alert');
    request?.end();
    await tracer.close();
    const [second, first] = receiver.spans;
    expect(first).toMatchObject({
      service: 'tocsin-gateway',
      name: 'create an alert',
      kind: 'server',
      parentId: '',
      attributes: { status: '202' },
      resource: { 'k8s.pod.name': 'gw-1', 'service.instance.id': '3' },
    });
    expect(second).toMatchObject({ kind: 'producer', traceId: first?.traceId, parentId: first?.spanId });
    expect([first?.failure, second?.failure]).toEqual([undefined, 'UnavailableError']);
  });

  it('goes on with the trace of a caller, and takes what is no traceparent for none', async () => {
    const tracer = await tracerWith();
    tracer.beginTrace('continued', { kind: 'server', parent: ELSEWHERE })?.end();
    for (const parent of RUBBISH) tracer.beginTrace('begun', { kind: 'server', parent })?.end();
    await tracer.close();
    const [continued, ...begun] = receiver.spans;
    expect(continued).toMatchObject({ traceId: 'a'.repeat(32), parentId: 'b'.repeat(16) });
    expect(begun.map(({ parentId }) => parentId)).toEqual(RUBBISH.map(() => ''));
  });

  it('begins no part of what is not sampled, is rubbish, or is nothing', async () => {
    const tracer = await tracerWith();
    for (const parent of [UNSAMPLED, undefined, ...RUBBISH]) {
      expect(tracer.begin('part', { kind: 'consumer', parent })).toBeUndefined();
      expect(tracer.begin('part', { kind: 'consumer', links: [parent ?? UNSAMPLED] })).toBeUndefined();
    }
    expect(tracer.beginTrace('request', { kind: 'server', parent: UNSAMPLED })).toBeUndefined();
  });

  it('begins a trace of its own for what is linked to a sampled one, however few traces are sampled', async () => {
    const tracer = await tracerWith({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    expect(tracer.beginTrace('request', { kind: 'server' })).toBeUndefined();
    tracer.begin('later', { kind: 'internal', links: [ELSEWHERE, UNSAMPLED] })?.end();
    await tracer.close();
    expect(receiver.spans).toMatchObject([{ name: 'later', parentId: '' }]);
    expect(receiver.spans[0]?.traceId).not.toBe('a'.repeat(32));
    expect(receiver.spans[0]?.links).toContain(`${'a'.repeat(32)}-${'b'.repeat(16)}`);
  });

  it('decides by the id of the trace alone where callers are not to decide', async () => {
    const never = await tracerWith({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    expect(never.beginTrace('request', { kind: 'server', parent: ELSEWHERE })).toBeUndefined();
    const always = await tracerWith({ OTEL_TRACES_SAMPLER: 'always_on' });
    expect(always.beginTrace('request', { kind: 'server', parent: UNSAMPLED })).toBeDefined();
  });

  it('begins a trace of its own where a share is drawn, so that no caller brings an id that is always drawn', async () => {
    const few = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.000001' };
    const tracer = await tracerWith(few);
    for (const id of ['1'.repeat(32), `${'0'.repeat(31)}1`, `${'1'.padEnd(16, '0')}${'0'.repeat(16)}`])
      for (const flags of ['00', '01'])
        expect(
          tracer.beginTrace('request', { kind: 'server', parent: `00-${id}-${'b'.repeat(16)}-${flags}` }),
        ).toBeUndefined();
  });

  it('knows the span in which work is done, and the log names its trace', async () => {
    const tracer = await tracerWith();
    const span = tracer.beginTrace('request', { kind: 'server', parent: ELSEWHERE });
    if (span === undefined) throw new Error('It is sampled.');
    await tracer.within(span, async () => {
      await Promise.resolve();
      expect(tracer.current()).toBe(span.context);
      expect(traceFields(tracer)).toEqual({ traceId: 'a'.repeat(32) });
    });
    expect(tracer.current()).toBeUndefined();
    expect(traceFields(tracer)).toEqual({});
  });

  it('sends the headers of the settings', async () => {
    const tracer = await tracerWith({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc' });
    tracer.beginTrace('request', { kind: 'server' })?.end();
    await tracer.close();
    expect(receiver.headers['authorization']).toBe('Bearer abc');
  });

  it('drops spans and says how many, once, while the collector refuses them', async () => {
    const dropped: number[] = [];
    const tracer = await tracerWith({ OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/elsewhere` }, dropped);
    tracer.beginTrace('request', { kind: 'server' })?.end();
    tracer.beginTrace('request', { kind: 'server' })?.end();
    await tracer.close();
    expect(dropped).toEqual([2]);
  });

  it('ends although the collector is unavailable', async () => {
    const url = receiver.url;
    await receiver.stop();
    const tracer = await tracerWith({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, [], 100);
    for (let count = 0; count < 3_000; count += 1) tracer.beginTrace('request', { kind: 'server' })?.end();
    await expect(tracer.close()).resolves.toBeUndefined();
    receiver = await startSpanReceiver();
  });
});
