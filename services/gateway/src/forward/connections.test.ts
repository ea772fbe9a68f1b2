import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { json, Stage } from '../testing/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.start();
});

afterEach(() => stage.stop());

/** The requests that the service holds at once, once there are so many. */
function held(count: number): Promise<readonly (readonly [IncomingMessage, ServerResponse])[]> {
  return new Promise((resolve) => {
    const all: [IncomingMessage, ServerResponse][] = [];
    stage.answerWith = (...asked) => {
      all.push(asked);
      if (all.length === count) resolve(all);
    };
  });
}

describe('requests that are under way together', () => {
  it('share no connection, so one that breaks is one 502, sent once, and the others have their own answers', async () => {
    const app = stage.gateway();
    const all = held(20);
    const writes = Array.from({ length: 20 }, async (_, index) =>
      stage.request('post', `/v2/alerts/a${index}/close`, { app }),
    );
    const [[broken] = [], ...others] = await all;
    expect(new Set([broken, ...others.map(([request]) => request)].map((request) => request?.socket)).size).toBe(20);
    broken?.socket.destroy();
    for (const [request, response] of [...others].reverse()) json(202, { url: request.url })(request, response);
    const answers = (await Promise.all(writes)).map(({ status, body }) => ({ status, body: body as unknown }));
    const one = answers.findIndex((_, index) => `/v2/alerts/a${index}/close` === broken?.url);
    expect(answers[one]).toMatchObject({ status: 502 });
    const rest = answers.map((answer, index) => ({ answer, url: `/v2/alerts/a${index}/close` }));
    rest.splice(one, 1);
    expect(rest.map(({ answer }) => answer)).toEqual(rest.map(({ url }) => ({ status: 202, body: { url } })));
    expect(stage.seen).toHaveLength(20);
  });
});
