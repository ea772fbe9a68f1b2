import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AlertLoad } from './alert-load.ts';

const TEAM = { name: 'Ops', recipients: ['ada@example.com'] };

describe('the load of a cluster run', () => {
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('keeps the request id of every alert that was accepted, and the phase in which it was sent', async () => {
    let asked = 0;
    await loaded((request, body, response) => {
      asked += 1;
      if (asked === 8) load.enter('later');
      if (asked === 40) stop();
      const { alias } = JSON.parse(body || '{}') as { readonly alias?: string };
      response.writeHead(alias === undefined ? 200 : 202).end(JSON.stringify({ requestId: `of ${String(alias)}` }));
    });
    expect(load.alerts.length).toBeGreaterThan(8);
    expect(load.alerts.filter(({ alias, requestId }) => requestId !== `of ${alias}`)).toEqual([]);
    expect(new Set(load.alerts.map(({ alias }) => alias)).size).toBe(load.alerts.length);
    expect([...new Set([...load.alerts, ...load.reads].map(({ phase }) => phase))]).toEqual(['first', 'later']);
    expect(load.reads.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
  });

  it('keeps what a caller met instead: a status, or the end of its connection', async () => {
    let asked = 0;
    await loaded((request, _, response) => {
      if (request.url !== '/v2/alerts') response.end('{}');
      else {
        asked += 1;
        if (asked === 1) request.socket.destroy();
        else response.writeHead(503).end('{}');
        if (asked >= 2) stop();
      }
    });
    const refusals = load.alerts.map(({ refusal }) => refusal);
    expect(refusals.slice(0, 2).sort()).toEqual(['503', 'ECONNRESET']);
    expect(load.alerts.every(({ requestId }) => requestId === undefined)).toBe(true);
  });

  let load: AlertLoad;
  let stop: () => void;

  /** Resolves once `stop` was called and all that was sent to a server that answers so is answered. */
  async function loaded(
    answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
  ): Promise<void> {
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    server = createServer((request, response) => {
      void text(request).then((body) => {
        answer(request, body, response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    load = new AlertLoad({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: 'key',
      rate: 100,
      teams: [TEAM],
      reads: [['GET', '/v2/users']],
      run: 'run',
      refused: () => undefined,
    });
    load.enter('first');
    await stopped;
    await load.stop();
  }
});
