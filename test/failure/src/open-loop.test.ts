import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { OpenLoop } from './open-loop.ts';

interface SentRequest {
  readonly gateway: number;
  readonly path: string;
  readonly alias: string | undefined;
}

const PAIR = {
  first: 'ada@example.com',
  second: '+15555550001',
  usernames: new Map<string, string>(),
  responder: (kind: string) => ({ type: 'escalation', name: kind }),
};

describe('the load of the failure suite', () => {
  let servers: readonly Server[];
  let sent: SentRequest[];
  let refuses: (request: SentRequest) => boolean;
  let load: OpenLoop;

  beforeEach(async () => {
    sent = [];
    refuses = () => false;
    servers = [0, 1].map(gatewayDouble);
    await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    const [one, other] = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    load = new OpenLoop({ urls: [one ?? '', other ?? ''], key: 'k', rate: 50, pairs: [PAIR], run: 'run' });
  });

  afterEach(async () => {
    await load.end();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  function gatewayDouble(gateway: number): Server {
    return createServer((request, response) => {
      void text(request).then((body) => {
        const { alias } = JSON.parse(body) as { readonly alias?: string };
        const seen = { gateway, path: request.url ?? '', alias };
        sent.push(seen);
        if (refuses(seen)) response.writeHead(503).end('{}');
        else response.writeHead(202).end(JSON.stringify({ requestId: `of ${seen.path} ${String(alias)}` }));
      });
    });
  }

  it('opens alerts at its pace while none is accepted, and sends each under its alias until it is, to both gateways', async () => {
    refuses = () => true;
    load.start();
    await eventually(() => {
      expect(load.alerts.length).toBeGreaterThan(8);
    });
    expect(load.alerts.filter(({ accepted }) => accepted !== undefined)).toEqual([]);
    refuses = () => false;
    await load.stopOpening(60_000);
    await eventually(() => {
      expect(load.alerts.filter(({ accepted }) => accepted === undefined)).toEqual([]);
    });
    const ofFirst = sent.filter(({ alias }) => alias === 'run-0');
    expect(new Set(ofFirst.map(({ gateway }) => gateway))).toEqual(new Set([0, 1]));
    expect(load.alerts[0]?.accepted?.requestId).toBe('of /v2/alerts run-0');
    expect(load.alerts[0]?.refusedAt).toHaveLength(ofFirst.length - 1);
  });

  it('acknowledges an alert that was to be closed where a create was refused, because that one may still open it again', async () => {
    refuses = ({ gateway }) => gateway === 1;
    load.start();
    const refused = await eventually(() => {
      const found = load.alerts.find(({ kind, refusedAt }) => kind === 'closed' && refusedAt.length > 0);
      if (found === undefined) throw new Error('not refused yet');
      return found;
    });
    load.arrived({ alias: refused.alias, to: PAIR.first, at: 1 });
    await eventually(() => {
      expect(refused.stopped?.requestId).toContain('/acknowledge?');
    });
    expect(refused.accepted?.at).toBeLessThanOrEqual(refused.stopped?.at ?? 0);
  });

  it('acknowledges or closes an alert of that kind once, when its first user is paged', async () => {
    load.start();
    const paged = await eventually(() => {
      const [acknowledged, closed] = ['acknowledged', 'closed'].map((kind) =>
        load.alerts.find((alert) => alert.kind === kind),
      );
      if (acknowledged?.accepted === undefined || closed?.accepted === undefined) throw new Error('not accepted yet');
      return { acknowledged, closed };
    });
    await load.stopOpening(60_000);
    const others = load.alerts.filter(({ kind }) => kind === 'one step' || kind === 'two steps');
    for (const { alias, second } of load.alerts) load.arrived({ alias, to: second, at: 1 });
    for (const { alias } of [...others, paged.acknowledged, paged.closed, paged.closed])
      load.arrived({ alias, to: PAIR.first, at: 1 });
    await eventually(() => {
      expect([paged.acknowledged.stopped, paged.closed.stopped]).not.toContain(undefined);
    });
    expect(sent.filter(({ path }) => path !== '/v2/alerts').map(({ path }) => path)).toEqual([
      `/v2/alerts/${paged.acknowledged.alias}/acknowledge?identifierType=alias`,
      `/v2/alerts/${paged.closed.alias}/close?identifierType=alias`,
    ]);
  });

  it('keeps when an acknowledgement was first sent and each of its refusals, until the load ends', async () => {
    refuses = ({ path }) => path !== '/v2/alerts';
    load.start();
    const acknowledged = await eventually(() => {
      const found = load.alerts.find(({ accepted, kind }) => kind === 'acknowledged' && accepted !== undefined);
      if (found === undefined) throw new Error('not accepted yet');
      return found;
    });
    load.arrived({ alias: acknowledged.alias, to: PAIR.first, at: 1 });
    await eventually(() => {
      expect(acknowledged.refusedAt.length).toBeGreaterThan(1);
    });
    await load.end();
    const [firstRefusal] = acknowledged.refusedAt;
    expect(acknowledged.stopSentAt).toBeLessThanOrEqual(firstRefusal ?? 0);
    expect(acknowledged.stopped).toBeUndefined();
  });

  it('ends the requests for alerts that are not accepted in time, so that none is accepted later', async () => {
    refuses = () => true;
    load.start();
    await eventually(() => {
      expect(load.alerts).not.toEqual([]);
    });
    await load.stopOpening(0);
    refuses = () => false;
    const count = sent.length;
    await load.end();
    expect(sent).toHaveLength(count);
    expect(load.alerts.filter(({ accepted }) => accepted !== undefined)).toEqual([]);
  });
});
