import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { clocksOfServices } from './clocks-of-services.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A service that refuses every request, with the date that its clock gives. */
async function service(date: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(401, { date }).end());
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the clocks of the other services', () => {
  it('are those of all that answer, whatever they answer, but for its own', async () => {
    const urls = {
      directory: await service('Sun, 01 Mar 2026 12:00:00 GMT'),
      scheduling: await service('Sun, 01 Mar 2026 12:00:07 GMT'),
      gateway: await service('Sun, 01 Mar 2026 18:00:00 GMT'),
      notifier: 'http://127.0.0.1:9',
      'alert-ingest': await service('lunch time'),
    };
    expect(await clocksOfServices(urls, 'gateway')).toEqual([
      new Date('2026-03-01T12:00:00.500Z'),
      new Date('2026-03-01T12:00:07.500Z'),
    ]);
  });
});
