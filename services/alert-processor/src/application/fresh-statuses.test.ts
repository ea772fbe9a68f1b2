import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import type { RequestStatus } from '../domain/request-status.ts';
import { FreshStatuses } from './fresh-statuses.ts';

const status = (requestId: string): RequestStatus => ({
  requestId,
  action: 'Create',
  success: true,
  status: 'Created alert',
  alertId: 'a',
  alias: 'a',
  integrationId: 'i',
  ownerTeamId: undefined,
  processedAt: new Date(0),
});

function setUp(find: (requestIds: readonly string[], look: number) => readonly RequestStatus[]) {
  const looks: (readonly string[])[] = [];
  const fresh = new FreshStatuses({
    pause: () => Promise.resolve(),
    statuses: {
      find: (requestIds) => {
        looks.push(requestIds);
        return new Promise((resolve) => {
          resolve(find(requestIds, looks.length));
        });
      },
    },
  });
  return { fresh, looks };
}

describe('readers that wait for fresh requests', () => {
  it('share one poll, and each is answered as soon as its own request has settled', async () => {
    const { fresh, looks } = setUp((_, look) => (look === 1 ? [status('a')] : [status('b')]));
    const answers = await Promise.all([fresh.awaited('a'), fresh.awaited('b'), fresh.awaited('a')]);
    expect(answers.map((answer) => answer?.requestId)).toEqual(['a', 'b', 'a']);
    expect(looks).toEqual([['a', 'b'], ['b']]);
  });

  it('give up after 80 polls, and the polling stops', async () => {
    const { fresh, looks } = setUp(() => []);
    expect(await fresh.awaited('a')).toBeUndefined();
    expect(looks).toHaveLength(80);
    expect(await fresh.awaited('b')).toBeUndefined();
    expect(looks).toHaveLength(160);
  });

  it('all fail when the database is away, and later readers wait anew', async () => {
    const { fresh } = setUp((_, look) => {
      if (look === 1) throw new UnavailableError('away');
      return [status('c')];
    });
    const waiting = await Promise.allSettled([fresh.awaited('a'), fresh.awaited('b')]);
    expect(waiting.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(await fresh.awaited('c')).toMatchObject({ requestId: 'c' });
  });
});
