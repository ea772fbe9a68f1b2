import { describe, expect, it } from '@jest/globals';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import { MemoryTeamStore } from '../testing/memory-team-store.ts';
import { MemoryUserStore } from '../testing/memory-user-store.ts';
import { SWEEP_EVERY_MS } from '../jobs/sweep-teams.ts';
import { ABANDONED_AFTER_MS } from './team-saga.ts';
import { describeTeamSaga } from '../storage/team-saga.contract.ts';

describeTeamSaga('memory', () => {
  const directory = new MemoryDirectory();
  return Promise.resolve({ users: new MemoryUserStore(directory), teams: new MemoryTeamStore(directory) });
});

describe('an abandoned change of a team', () => {
  it('is taken up early enough to end within 15 s', () => {
    expect(ABANDONED_AFTER_MS + SWEEP_EVERY_MS).toBeLessThanOrEqual(13_000);
  });
});
