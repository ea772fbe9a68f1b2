import { expect, it } from '@jest/globals';
import { UsersOnCallClient } from './client.ts';

interface Asked {
  readonly schedules: readonly { readonly scheduleId: string }[];
}

/** A scheduling that answers about `atOnce` schedules at most, none of which there is. */
function scheduling(atOnce: number) {
  const asked: string[][] = [];
  const client = new UsersOnCallClient({
    post: (_path, body) => {
      const ids = (body as Asked).schedules.map(({ scheduleId }) => scheduleId);
      asked.push(ids);
      return Promise.resolve({ status: 200, body: { data: ids.slice(0, atOnce).map(() => null) } });
    },
  });
  return { asked, client };
}

const wanted = ['a', 'b', 'c'].map((scheduleId) => ({ scheduleId }));

it('asks for the rest where scheduling has answered about the first schedules alone', async () => {
  const { asked, client } = scheduling(2);
  expect(await client.of(wanted, { withEnd: false })).toEqual([undefined, undefined, undefined]);
  expect(asked).toEqual([['a', 'b', 'c'], ['c']]);
});

it('takes an answer about no schedule for none', async () => {
  const { client } = scheduling(0);
  await expect(client.of(wanted, { withEnd: false })).rejects.toMatchObject({ code: 'unavailable' });
});

it('asks nothing more once it is stopped', async () => {
  const { asked, client } = scheduling(1);
  const stopping = AbortSignal.abort(new Error('The service stops.'));
  await expect(client.of(wanted, { withEnd: false, stopping })).rejects.toThrow('The service stops.');
  expect(asked).toEqual([]);
});
