import { TooLargeError, UnavailableError } from '@tocsin/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Publication } from './publication.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('Publication', () => {
  it('is settled by the last of its messages, and leaves no timer behind', async () => {
    const publication = new Publication(2, 1_000);
    const settled = jest.fn();
    publication.onSettled(settled);
    publication.written();
    expect(publication.isAwaited).toBe(true);
    publication.written();
    await publication.settled;
    expect(publication.isAwaited).toBe(false);
    expect(settled).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects a message that can never be published only when the others are published', async () => {
    const publication = new Publication(2, 1_000);
    publication.refuse(new TooLargeError('The message is too large.'));
    expect(publication.isAwaited).toBe(true);
    publication.written();
    await expect(publication.settled).rejects.toThrow(TooLargeError);
  });

  it('is refused at its deadline, and a later result changes nothing', async () => {
    const publication = new Publication(1, 1_000);
    const answer = publication.settled.catch((error: unknown) => error);
    jest.advanceTimersByTime(1_000);
    publication.written();
    publication.fail(new Error('later'));
    expect(await answer).toEqual(new UnavailableError('Kafka did not take the message within 1000 ms.'));
  });
});
