import { TooLargeError, UnavailableError } from '@tocsin/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PublishTicket } from './publish-ticket.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('PublishTicket', () => {
  it('is settled by the last of its messages, and leaves no timer behind', async () => {
    const ticket = new PublishTicket(2, 1_000);
    const settled = jest.fn();
    ticket.whenSettled(settled);
    ticket.delivered();
    expect(ticket.isAwaited).toBe(true);
    ticket.delivered();
    await ticket.settled;
    expect(ticket.isAwaited).toBe(false);
    expect(settled).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects a message that can never be published only when the others are published', async () => {
    const ticket = new PublishTicket(2, 1_000);
    ticket.refused(new TooLargeError('The message is too large.'));
    expect(ticket.isAwaited).toBe(true);
    ticket.delivered();
    await expect(ticket.settled).rejects.toThrow(TooLargeError);
  });

  it('is refused at its deadline, and a later result changes nothing', async () => {
    const ticket = new PublishTicket(1, 1_000);
    const answer = ticket.settled.catch((error: unknown) => error);
    jest.advanceTimersByTime(1_000);
    ticket.delivered();
    ticket.fail(new Error('later'));
    expect(await answer).toEqual(new UnavailableError('Kafka did not take the message within 1000 ms.'));
  });
});
