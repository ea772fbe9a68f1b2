import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { json, Stage } from './app.samples.ts';

interface Held {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

let stage: Stage;
let app: RequestListener;
/** What the service was asked and has not answered, in the order in which it came. */
let held: Held[];
let arrived: () => void;

beforeEach(async () => {
  stage = await Stage.start();
  app = stage.gateway();
  held = [];
  stage.answerWith = (request, response) => {
    held.push({ request, response });
    arrived();
  };
});

afterEach(() => stage.stop());

/** Resolves once the service holds so many requests. */
function holding(count: number): Promise<void> {
  return new Promise((resolve) => {
    arrived = () => {
      if (held.length >= count) resolve();
    };
    arrived();
  });
}

/** Writes to as many alerts, under way together, the first of them first. */
async function underWay(count: number): Promise<readonly Promise<supertest.Response>[]> {
  const close = async (index: number) => stage.ask('post', `/v2/alerts/a${index}/close`, { app });
  const first = holding(1);
  const writes = [close(0)];
  await first;
  const all = holding(count);
  for (let index = 1; index < count; index += 1) writes.push(close(index));
  await all;
  return writes;
}

const answer = ({ request, response }: Held): void => {
  json(202, { url: request.url })(request, response);
};
const connections = (): ReadonlySet<Socket> => new Set(held.map(({ request }) => request.socket));

describe('writes to alerts', () => {
  it('go on one behind the other on one connection, and each gets its own answer, whichever is ready first', async () => {
    const writes = await underWay(20);
    expect(connections().size).toBe(1);
    for (const each of [...held].reverse()) answer(each);
    for (const [index, { status, body }] of (await Promise.all(writes)).entries()) {
      expect(status).toBe(202);
      expect(body).toEqual({ url: `/v2/alerts/a${index}/close` });
    }
  });

  it('take more connections where more than 32 are under way, so that no more suffer together', async () => {
    const writes = await underWay(33);
    expect(connections().size).toBeGreaterThan(1);
    held.forEach(answer);
    await Promise.all(writes);
  });

  it('that wait on a connection that breaks are all a 502, and none is sent twice', async () => {
    const writes = await underWay(5);
    held[0]?.request.socket.destroy();
    for (const { status } of await Promise.all(writes)) expect(status).toBe(502);
    stage.answerWith = json(202, {});
    await stage.ask('post', '/v2/alerts/after/close', { app }).expect(202);
    expect(stage.seen.map(({ url }) => url)).toHaveLength(6);
  });

  it.each([
    ['short', 1],
    ['long', 1_000_000],
  ])('keep the answer of those before and behind one whose caller leaves, however %s its own is', async (_, length) => {
    const writes = await underWay(2);
    const leaving = stage.ask('post', '/v2/alerts/left/close', { app });
    const third = holding(3);
    leaving.end(() => undefined);
    await third;
    const behind = stage.ask('post', '/v2/alerts/behind/close', { app }).then((response) => response);
    await holding(4);
    leaving.abort();
    for (const { request, response } of held) json(422, { message: 'x'.repeat(length) })(request, response);
    for (const { status } of await Promise.all([...writes, behind])) expect(status).toBe(422);
  });
});
