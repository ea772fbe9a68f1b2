import { describe, expect, it } from '@jest/globals';
import { defineRoute, type RouteInput } from './index.ts';
import { scheduling, service } from './testing/service-app-samples.ts';

describe('headers that an operation is passed', () => {
  it('reach its route, and no others do', async () => {
    const inputs: Pick<RouteInput<unknown, unknown>, 'headers'>[] = [];
    const callback = defineRoute({
      operation: 'take-callback',
      handle: ({ headers }) => {
        inputs.push({ headers });
        return Promise.resolve({ body: { result: 'Taken' } });
      },
    });
    const { inputs: ofOthers, send } = await service([callback]);
    const named = { 'x-twilio-signature': 'abc', 'x-other': 'def' };
    await send('post', '/callbacks/twilio', scheduling).set(named).expect(200);
    await send('post', '/callbacks/twilio', scheduling).expect(200);
    await send('post', '/v2/alerts/x/close').set(named).expect(202);
    expect([...inputs, ...ofOthers].map(({ headers }) => headers)).toEqual([{ 'x-twilio-signature': 'abc' }, {}, {}]);
  });
});
