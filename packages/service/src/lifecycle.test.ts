import { describe, expect, it } from '@jest/globals';
import { Lifecycle } from './lifecycle.ts';

const nothing = (): undefined => undefined;

/** A lifecycle with one part of each kind, in the order in which a service starts them, and what they did. */
async function started() {
  const lifecycle = new Lifecycle();
  const happened: string[] = [];
  const ending = { consumer: Promise.withResolvers<undefined>(), timers: Promise.withResolvers<undefined>() };
  const stop = (part: string): void => void happened.push(part);
  await lifecycle.start('mongo', () => 'mongo', stop);
  await lifecycle.start('publisher', () => 'publisher', stop);
  await lifecycle.startListener('http', () => 'http', stop);
  for (const name of ['consumer', 'timers'] as const)
    await lifecycle.startWork(
      name,
      () => name,
      async (part) => {
        happened.push(`${part} begins nothing`);
        await ending[part].promise;
        happened.push(`${part} ended`);
      },
    );
  return { ending, happened, lifecycle };
}

describe('Lifecycle', () => {
  it('stops all work at once and side by side, so that no part begins anything while another one ends', async () => {
    const { ending, happened, lifecycle } = await started();
    const stopped = lifecycle.stop();
    expect(happened).toEqual(['consumer begins nothing', 'timers begins nothing', 'http']);
    ending.timers.resolve(undefined);
    ending.consumer.resolve(undefined);
    await stopped;
    expect(happened.slice(3)).toEqual(['timers ended', 'consumer ended', 'publisher', 'mongo']);
  });

  it('keeps resources until all work has ended, and stops them in the reverse order of their start', async () => {
    const { ending, happened, lifecycle } = await started();
    const stopped = lifecycle.stop();
    ending.timers.resolve(undefined);
    await new Promise(setImmediate);
    expect(happened.at(-1)).toBe('timers ended');
    ending.consumer.resolve(undefined);
    await stopped;
    expect(happened.slice(-3)).toEqual(['consumer ended', 'publisher', 'mongo']);
  });

  it('stops other work at once where listeners go on for a while', async () => {
    const { ending, happened, lifecycle } = await started();
    const stopped = lifecycle.stop({ listenersAfterMs: 1 });
    expect(happened).toEqual(['consumer begins nothing', 'timers begins nothing']);
    ending.timers.resolve(undefined);
    ending.consumer.resolve(undefined);
    await stopped;
    expect(happened.slice(2)).toEqual(['timers ended', 'consumer ended', 'http', 'publisher', 'mongo']);
  });

  it('stops each part once, however often it is called', async () => {
    const { ending, happened, lifecycle } = await started();
    ending.timers.resolve(undefined);
    ending.consumer.resolve(undefined);
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(happened).toHaveLength(7);
  });

  it('stops the other parts when one of them fails to stop', async () => {
    const lifecycle = new Lifecycle();
    let mongoStopped = false;
    await lifecycle.start('mongo', nothing, () => {
      mongoStopped = true;
    });
    await lifecycle.startWork('consumer', nothing, () => {
      throw new Error('no group');
    });
    await lifecycle.start('kafka', nothing, () => Promise.reject(new Error('broker gone')));
    const failure = await lifecycle.stop().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: 'Parts of the service failed to stop.',
      errors: [{ message: 'could not stop consumer' }, { message: 'could not stop kafka' }],
    });
    expect(mongoStopped).toBe(true);
  });

  it('stops a part that finishes starting after the stop', async () => {
    const lifecycle = new Lifecycle();
    await lifecycle.stop();
    expect(lifecycle.stopping).toBe(true);
    let closed = false;
    const late = lifecycle.start('late', nothing, () => {
      closed = true;
    });
    await expect(late).rejects.toThrow('late started while the service was stopping');
    expect(closed).toBe(true);
  });
});
