import { describe, expect, it } from '@jest/globals';
import { Lifecycle } from './lifecycle.ts';

const nothing = (): undefined => undefined;

describe('Lifecycle', () => {
  it('stops in the reverse of the order it started in, once', async () => {
    const lifecycle = new Lifecycle();
    const stopped: string[] = [];
    for (const name of ['mongo', 'kafka', 'http'])
      await lifecycle.start(
        name,
        () => name,
        (part) => void stopped.push(part),
      );
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(stopped).toEqual(['http', 'kafka', 'mongo']);
  });

  it('closes what takes work in before it stops anything, also what started after them', async () => {
    const lifecycle = new Lifecycle();
    const stopped: string[] = [];
    const stop = (part: string): void => void stopped.push(part);
    await lifecycle.start('mongo', () => 'mongo', stop);
    await lifecycle.startListener('http', () => 'http', stop);
    await lifecycle.start('consumer', () => 'consumer', stop);
    await lifecycle.stop();
    expect(stopped).toEqual(['http', 'consumer', 'mongo']);
  });

  it('stops the other parts when one of them fails to stop', async () => {
    const lifecycle = new Lifecycle();
    let mongoStopped = false;
    await lifecycle.start('mongo', nothing, () => {
      mongoStopped = true;
    });
    await lifecycle.start('kafka', nothing, () => Promise.reject(new Error('broker gone')));
    await expect(lifecycle.stop()).rejects.toThrow('shutdown was not clean');
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
