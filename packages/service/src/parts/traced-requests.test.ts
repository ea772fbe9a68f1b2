import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { noteOperation } from '@tocsin/http';
import { openTracer, readTraceSettings, type Tracer } from '../observability/index.ts';
import { eventually, startSpanReceiver, type SpanReceiver } from '@tocsin/testkit';
import { traced, type TracedRequests } from './traced-requests.ts';

const SAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const UNSAMPLED = `00-${'d'.repeat(32)}-${'b'.repeat(16)}-00`;

let receiver: SpanReceiver;
let tracer: Tracer;
let current: (string | undefined)[];

beforeEach(async () => {
  receiver = await startSpanReceiver();
  const read = readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  if (!('settings' in read)) throw new Error(read.problems.join());
  const { settings } = read;
  const closeWithinMs = 60_000;
  tracer = await openTracer({ service: 'gateway', instance: '0', settings, onDropped: () => undefined, closeWithinMs });
  current = [];
});

afterEach(async () => {
  await tracer.close();
  await receiver.stop();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await Promise.resolve();
  current.push(tracer.current());
  noteOperation(response, { id: 'get-alert' });
  response.setHeader('X-Request-ID', 'r1');
  response.writeHead(request.url === '/broken' ? 500 : 200).end();
}

const app: RequestListener = (request, response) => void answer(request, response);

async function asked(traces: TracedRequests, path: string, headers: Readonly<Record<string, string>> = {}) {
  const server = createServer(traced(app, tracer, traces));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
  server.closeAllConnections();
  await once(server.close(), 'close');
}

describe('a request to a service that traces', () => {
  it('is a part of the trace of its caller, named after its operation, without its path', async () => {
    await asked('continued', '/v2/alerts/disk?apiKey=secret', { traceparent: SAMPLED });
    await eventually(() => {
      expect(receiver.spans).toMatchObject([
        {
          name: 'get-alert',
          kind: 'server',
          traceId: 'a'.repeat(32),
          parentId: 'b'.repeat(16),
          attributes: {
            'http.request.method': 'GET',
            'http.route': '/v2/alerts/{identifier}',
            'http.response.status_code': '200',
            'tocsin.request_id': 'r1',
          },
        },
      ]);
    });
    const [span] = receiver.spans;
    expect(current).toEqual([`00-${'a'.repeat(32)}-${span?.spanId ?? ''}-01`]);
    expect(JSON.stringify(receiver.spans)).not.toMatch(/disk|secret/);
  });

  it('says that it failed where it is answered by 5xx', async () => {
    await asked('begun', '/broken');
    await eventually(() => {
      expect(receiver.spans).toMatchObject([{ parentId: '', failure: '500' }]);
    });
  });

  it('begins a trace at the gateway alone', async () => {
    await asked('continued', '/');
    await asked('continued', '/', { traceparent: UNSAMPLED });
    await asked('continued', '/', { traceparent: 'rubbish' });
    await asked('begun', '/', { traceparent: UNSAMPLED });
    expect(current).toEqual([undefined, undefined, undefined, undefined]);
    await asked('begun', '/', { traceparent: 'rubbish' });
    expect(current.at(-1)).toBeDefined();
    await eventually(() => {
      expect(receiver.spans).toHaveLength(1);
    });
  });
});
