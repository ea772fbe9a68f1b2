import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { WriteGate } from './write-gate.ts';

/** Pieces of work that end when the test says so, and those that have begun. */
class Works {
  readonly gate = new WriteGate();
  readonly begun: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<undefined>>();

  run(name: string, exclusive = false): Promise<undefined> {
    const end = Promise.withResolvers<undefined>();
    this.#ends.set(name, end);
    return this.gate.run(
      () => {
        this.begun.push(name);
        return end.promise;
      },
      { exclusive, waitLimitMs: 10_000 },
    );
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.resolve(undefined);
    await this.settled();
  }

  /** Resolves when all work that may begin now has begun. */
  async settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('WriteGate', () => {
  it('lets the first callers run beside each other', async () => {
    const works = new Works();
    void works.run('one');
    void works.run('two');
    await works.settled();
    expect(works.begun).toEqual(['one', 'two']);
  });

  it('lets one run alone: after all that run, and before all that came later', async () => {
    const works = new Works();
    void works.run('one');
    void works.run('two');
    void works.run('again', true);
    void works.run('later');
    await works.end('one');
    expect(works.begun).toEqual(['one', 'two']);
    await works.end('two');
    expect(works.begun).toEqual(['one', 'two', 'again']);
    await works.end('again');
    expect(works.begun).toEqual(['one', 'two', 'again', 'later']);
  });

  it('lets two that are to run alone do so one after the other', async () => {
    const works = new Works();
    void works.run('first', true);
    void works.run('second', true);
    await works.settled();
    expect(works.begun).toEqual(['first']);
    await works.end('first');
    expect(works.begun).toEqual(['first', 'second']);
  });

  it('resolves with the result of the work, and goes on after a failure', async () => {
    const gate = new WriteGate();
    const exclusive = { exclusive: true, waitLimitMs: 10_000 };
    await expect(gate.run(() => Promise.reject(new Error('no primary')), exclusive)).rejects.toThrow('no primary');
    await expect(gate.run(() => Promise.resolve(7), exclusive)).resolves.toBe(7);
  });

  it('counts those that run and those that wait', async () => {
    const works = new Works();
    void works.run('first', true);
    void works.run('second', true);
    expect(works.gate.size).toBe(2);
    await works.end('first');
    await works.end('second');
    expect(works.gate.size).toBe(0);
  });

  it('lets no caller wait for longer than its limit, nor for a caller that has given up', async () => {
    const works = new Works();
    void works.run('one');
    const impatient = works.gate.run(() => Promise.resolve('never'), { exclusive: true, waitLimitMs: 5 });
    void works.run('later');
    await expect(impatient).rejects.toThrow(UnavailableError);
    await works.settled();
    expect(works.begun).toEqual(['one', 'later']);
  });
});
