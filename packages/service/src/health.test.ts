import { describe, expect, it } from '@jest/globals';
import { Health } from './health.ts';

describe('Health', () => {
  it('names what is missing until everything is started and holds', async () => {
    const health = new Health();
    let caughtUp = false;
    health.require('replicas', () => caughtUp);
    expect(await health.missing()).toEqual(['start', 'replicas']);
    health.markStarted();
    expect(await health.missing()).toEqual(['replicas']);
    caughtUp = true;
    expect(await health.missing()).toEqual([]);
  });

  it('takes a check that fails for one that does not hold', async () => {
    const health = new Health();
    health.markStarted();
    health.require('mongodb', () => Promise.reject(new Error('no primary')));
    health.require('kafka', () => {
      throw new Error('no broker');
    });
    expect(await health.missing()).toEqual(['mongodb', 'kafka']);
  });
});
