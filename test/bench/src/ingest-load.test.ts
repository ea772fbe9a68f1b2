import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closedLoop, openLoop, type Target } from './ingest-load.ts';

let server: Server | undefined;

/** A server on loopback that answers the n-th request with what `status` says. */
async function targetThat(status: (index: number) => number): Promise<Target> {
  let requests = 0;
  server = createServer((request, response) => {
    const index = requests;
    requests += 1;
    request.resume().once('end', () => response.writeHead(status(index), { 'x-request-id': `id-${index}` }).end('{}'));
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    path: '/',
    headers: {},
    connections: 4,
  };
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const bodyOf = (index: number) => JSON.stringify({ index });

describe('the open loop', () => {
  it('sends exactly as many as the rate says, and counts what was accepted and what was not', async () => {
    const target = await targetThat((index) => (index % 10 === 0 ? 503 : 202));
    const { sent, accepted, latenciesMs, refused } = await openLoop(target, { rate: 1_000, seconds: 0.1, bodyOf });
    expect(sent).toBe(100);
    expect(new Set(accepted).size).toBe(90);
    expect(latenciesMs).toHaveLength(90);
    expect([...latenciesMs]).toEqual([...latenciesMs].sort((a, b) => a - b));
    expect(refused).toEqual(new Map([['503', 10]]));
  });
});

describe('the closed loop', () => {
  it('accounts for everything that it sent', async () => {
    const target = await targetThat(() => 202);
    const { sent, accepted } = await closedLoop(target, { seconds: 0.1, bodyOf });
    expect(sent).toBeGreaterThan(0);
    expect(accepted).toHaveLength(sent);
  });

  it('counts callers that get no answer', async () => {
    const target = { ...(await targetThat(() => 202)), url: 'http://127.0.0.1:1' };
    const { sent, accepted, refused } = await closedLoop(target, { seconds: 0.05, bodyOf });
    expect(accepted).toEqual([]);
    expect([...refused.values()].reduce((sum, count) => sum + count, 0)).toBe(sent);
  });
});
