import { describe, expect, it } from '@jest/globals';
import type { ScheduleState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { ReplicaView } from '@tocsin/kafka';
import { MemoryScheduling } from '../testing/memory-scheduling.ts';
import { UserSchedules } from './operations.ts';

function schedulesWith(fetch: ReplicaView<ScheduleState>['fetch']): UserSchedules {
  const scheduling = new MemoryScheduling();
  const { schedules } = scheduling;
  const view: ReplicaView<ScheduleState> = {
    get: (id) => schedules.get(id),
    isDeleted: (id) => schedules.isDeleted(id),
    find: (index, value) => schedules.find(index, value),
    all: () => schedules.all(),
    whenChanged: (listener) => schedules.whenChanged(listener),
    fetch,
  };
  return new UserSchedules({ scheduling, findTeam: () => Promise.resolve(undefined), schedules: view });
}

describe('the name of a schedule', () => {
  it('is the only part that is left out while its owner is unavailable', async () => {
    const unavailable = schedulesWith(() => Promise.reject(new UnavailableError('unavailable')));
    expect(await unavailable.names(['s'])).toEqual([undefined]);
    const broken = schedulesWith(() => Promise.reject(new TypeError('broken')));
    await expect(broken.names(['s'])).rejects.toThrow('broken');
  });
});
