import { expect, it } from '@jest/globals';
import { ManualClock, NotProcessedError } from '@tocsin/core';
import { accountKey } from '@tocsin/testkit';
import type { RequestStatus } from './request-status.ts';
import { ACCEPTED_AT, requestId } from '../testing/commands-samples.ts';
import { ReadRequestStatus } from './operations.ts';
import { SharedPoll } from './progress/shared-poll.ts';

it('waits for 2000 readers at most, 1500 of one key and its part of the rest of another, and answers others at once (A8)', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const polled: number[] = [];
  let nowMs = 0;
  const fresh = new SharedPoll<string, RequestStatus>({
    find: (requestIds) => {
      polled.push(requestIds.length);
      return Promise.resolve(new Map());
    },
    pause: async (milliseconds) => {
      await promise;
      nowMs += milliseconds;
    },
    nowMs: () => nowMs,
  });
  const statuses = { find: () => Promise.resolve([]) };
  const clock = new ManualClock(new Date(ACCEPTED_AT));
  const requests = new ReadRequestStatus({ statuses, fresh, clock, retentionDays: 7 });
  const read = (integrationId: string) => requests.read(requestId(), { ...accountKey, integrationId });
  const waiting = (integrationId: string, count: number) => Array.from({ length: count }, () => read(integrationId));
  const answers = waiting('noisy', 1_500);
  await expect(read('noisy')).rejects.toThrow(NotProcessedError);
  answers.push(...waiting('quiet', 375));
  await expect(read('quiet')).rejects.toThrow(NotProcessedError);
  resolve(undefined);
  const outcomes = await Promise.allSettled(answers);
  expect(polled[0]).toBe(1_875);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
});
