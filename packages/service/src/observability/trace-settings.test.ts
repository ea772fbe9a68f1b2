import { describe, expect, it } from '@jest/globals';
import { openTracer } from './open-tracer.ts';
import { readTraceSettings } from './trace-settings.ts';
import { NO_TRACER } from './tracer.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const problemsOf = (more: Readonly<Record<string, string>>) => {
  const read = readTraceSettings({ ...ENDPOINT, ...more });
  return 'problems' in read ? read.problems : [];
};

describe('the settings of traces', () => {
  it('trace nothing without an endpoint, whatever else is set', async () => {
    for (const endpoint of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }])
      expect(readTraceSettings({ ...endpoint, OTEL_TRACES_SAMPLER: 'xray' })).toEqual({ settings: undefined });
    const none = { service: 'gateway', instance: '0', settings: undefined, onDropped: () => undefined };
    expect(await openTracer(none)).toBe(NO_TRACER);
  });

  it('are those of OpenTelemetry, with its defaults', () => {
    expect(readTraceSettings(ENDPOINT)).toEqual({
      settings: {
        url: 'http://collector:4318/v1/traces',
        headers: {},
        serviceName: undefined,
        sampling: { asParent: true, share: 1 },
        resource: {},
      },
    });
    const all = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, tenant = ops',
      OTEL_SERVICE_NAME: 'pager',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,',
    };
    expect(readTraceSettings(all)).toEqual({
      settings: {
        url: 'http://collector:4318/v1/traces',
        headers: { authorization: 'Bearer a=b', tenant: 'ops' },
        serviceName: 'pager',
        sampling: { asParent: false, share: 0.25 },
        resource: { 'deployment.environment.name': 'prod' },
      },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nowhere'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-token'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'token=secret%'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=prod'],
  ])('name %s as the problem where it is %s, and no secret of it', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
    expect(problems[0]).not.toContain('secret');
  });

  it('name all problems at once', () => {
    expect(problemsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' })).toHaveLength(2);
  });
});
