import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { clocksOfServices } from './clocks-of-services.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A service that refuses every request, with the date that its clock gives. */
async function service(date: string): Promise<string> {
  return listening(createServer((_, response) => response.writeHead(401, { date }).end()));
}

async function listening(server: Server): Promise<string> {
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
    const clock = new ManualClock(new Date('2026-03-01T12:00:02.000Z'));
    expect(await clocksOfServices(urls, 'gateway', clock)).toEqual([-1_500, 5_500]);
  });

  it('are compared with the moment of their own answer, not with that of a service which hangs', async () => {
    const clock = new ManualClock(new Date('2026-03-01T12:00:00.500Z'));
    const hanging = createServer(() => {
      // Long after the other one has answered, and before this one is given up.
      setTimeout(() => {
        clock.advance(2_000);
      }, 1_000);
    });
    const urls = { directory: await service('Sun, 01 Mar 2026 12:00:00 GMT'), scheduling: await listening(hanging) };
    expect(await clocksOfServices(urls, 'gateway', clock)).toEqual([0]);
    hanging.closeAllConnections();
  });
});
