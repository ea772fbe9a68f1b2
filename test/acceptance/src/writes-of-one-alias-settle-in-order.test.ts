import http from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { byAlias, casesOf } from '@tocsin/testkit';
import { mapConcurrent } from './system/map-concurrent.ts';
import { API_KEY, repeatWhile503 } from './system/api.ts';
import type { Answer } from './system/answer.ts';
import { useSystem } from './system/system.ts';

const ALIASES = casesOf({ usual: 250, deep: 1_000 });
/** Aliases that are written to side by side. */
const LANES = 20;
/** How the writes of one alias end. */
const SETTLED = ['Created alert', 'Updated message', 'Updated description', 'Closed alert'];

/** All that is sent here comes from one key. */
const system = useSystem({ RATE_LIMITS: 'off' });

/** One write over a connection of its own; resolves with the id of the request once it is accepted. */
async function accepted(method: string, path: string, body: object): Promise<string> {
  const answer = await repeatWhile503(async () => {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `GenieKey ${API_KEY}`, 'content-type': 'application/json' };
      const request = http.request(system.api.url + path, { method, headers, agent: false }, resolve);
      request.once('error', reject);
      request.end(JSON.stringify(body));
    });
    return { status: response.statusCode ?? 0, body: (await json(response)) as Answer['body'] };
  });
  if (answer.status !== 202) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return String(answer.body['requestId']);
}

/** The requests about one alias, each after the 202 of the previous one. */
async function writes(alias: string): Promise<readonly string[]> {
  return [
    await accepted('POST', '/v2/alerts', { alias, message: 'first', description: 'first' }),
    await accepted('PUT', byAlias(alias, '/message'), { message: `message of ${alias}` }),
    await accepted('PUT', byAlias(alias, '/description'), { description: `description of ${alias}` }),
    await accepted('POST', byAlias(alias, '/close'), {}),
  ];
}

interface Status {
  readonly success: boolean;
  readonly status: string;
  readonly alertId: string;
}

const statusOf = (requestId: string) => system.api.read<Status>(`/v2/alerts/requests/${requestId}`);

describe('create, message, description and close by alias, each on a connection of its own after the 202 before it', () => {
  it('settle in that order, every time', async () => {
    const aliases = Array.from({ length: ALIASES }, (_, index) => `ordered-${String(index)}`);
    const sent = await mapConcurrent(LANES, aliases, writes);
    await system.settle();
    const statuses = await mapConcurrent(LANES, sent.flat(), statusOf);
    const unlike = statuses.filter(
      ({ success, status }, index) => !success || status !== SETTLED[index % SETTLED.length],
    );
    expect(unlike).toEqual([]);
    const created = statuses.filter((_, index) => index % SETTLED.length === 0);
    expect(new Set(created.map(({ alertId }) => alertId)).size).toBe(ALIASES);
    const found = await mapConcurrent(LANES, created, ({ alertId }) =>
      system.api.read<Record<string, unknown>>(`/v2/alerts/${alertId}`),
    );
    const ended = found.map(({ alias, status, message, description, count }) => ({
      alias,
      status,
      message,
      description,
      count,
    }));
    expect(ended).toEqual(
      aliases.map((alias) => ({
        alias,
        status: 'closed',
        count: 1,
        message: `message of ${alias}`,
        description: `description of ${alias}`,
      })),
    );
  });
});
