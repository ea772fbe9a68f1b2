import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { FollowingClock, systemClock } from '@tocsin/core';
import { noteStreamBegan } from '@tocsin/http';
import { eventually } from '@tocsin/testkit';
import { createLogger, Metrics, NO_TRACER } from '../observability/index.ts';
import { Activity } from '../activity.ts';
import type { ServiceContext } from '../context.ts';
import { Health } from '../health.ts';
import { Lifecycle } from '../lifecycle.ts';
import { serviceConfig } from '../service-config.ts';
import { testTasks } from '../testing/test-tasks.ts';
import { internalClient, serve } from './http.ts';

function contextWith(environment: Readonly<Record<string, string>>): ServiceContext {
  return {
    name: 'scheduling',
    config: serviceConfig({}).parse({
      KAFKA_BROKERS: 'k:1',
      MONGODB_URI: 'mongodb://m:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      ...environment,
    }),
    clock: systemClock,
    realClock: new FollowingClock(),
    logger: createLogger('scheduling', 'silent'),
    metrics: new Metrics('scheduling', { processMetrics: false }),
    tracer: NO_TRACER,
    lifecycle: new Lifecycle(),
    health: new Health(),
    activity: new Activity(),
    tasks: testTasks(systemClock),
    onFatal: () => undefined,
  };
}

describe('the clients of a service for the internal routes of others', () => {
  it('share their connections, however many parts ask the same service, and leave none open at the stop', async () => {
    const connections: Socket[] = [];
    const server = createServer((_request, response) => response.end('{}'));
    server.on('connection', (socket) => connections.push(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const context = contextWith({ DIRECTORY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const client = internalClient(context, 'directory');
    expect((await client.get('/users')).status).toBe(200);
    expect(internalClient(context, 'directory')).toBe(client);
    expect(connections).toHaveLength(1);

    const closed = Promise.all(connections.map((socket) => once(socket, 'close')));
    await context.lifecycle.stop();
    await closed;
    server.close();
  });
});

describe('the duration of a stream', () => {
  it('is measured to its beginning, however long it goes on', async () => {
    const context = contextWith({ PORT: '0', HOST: '127.0.0.1' });
    const streams: ServerResponse[] = [];
    const port = await serve(context, (_request, response) => {
      streams.push(response);
      noteStreamBegan(response);
      response.write('first');
    });
    const askedAt = performance.now();
    const { body } = await fetch(`http://127.0.0.1:${port}/`);
    const reader = body?.getReader();
    await reader?.read();
    const firstSeconds = (performance.now() - askedAt) / 1_000;
    await eventually(() => {
      expect(performance.now() - askedAt).toBeGreaterThan(3_000 * firstSeconds);
    });
    const closed = streams.map((stream) => once(stream, 'close'));
    for (const stream of streams) stream.end();
    await Promise.all(closed);
    await reader?.cancel();
    const { body: metrics } = await context.metrics.text();
    const [, measured] = /^tocsin_http_request_duration_seconds_sum\{.*\} (\S+)$/m.exec(metrics) ?? [];
    expect(Number(measured)).toBeLessThanOrEqual(firstSeconds);
    await context.lifecycle.stop();
  });
});
