import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { AlertCommand } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { RecordingPublisher } from '@tocsin/messaging';
import { TimerCommands, type DueAlertTimer } from './timer-commands.ts';

function setUp() {
  const publisher = new RecordingPublisher();
  const removed: DueAlertTimer[] = [];
  const timers = new TimerCommands({
    publisher,
    remove: (due: readonly DueAlertTimer[]) => Promise.resolve(removed.push(...due)),
    clock: new ManualClock(new Date('2026-01-05T08:00:00.000Z')),
  });
  return { publisher, removed, timers };
}

const due: DueAlertTimer = { id: 'resolve:alert-1', fence: 2, payload: { alertId: 'alert-1' } };

describe('a due timer', () => {
  it('publishes a command that is keyed by its alert and settles once, then deletes itself', async () => {
    const { publisher, removed, timers } = setUp();
    await timers.fire([due]);
    const [published] = publisher.published;
    expect(published).toMatchObject({ topic: 'alert-commands.v1', key: 'alert-1' });
    expect(AlertCommand.parse(published?.message)).toMatchObject({
      kind: 'timer',
      requestId: 'timer:resolve:alert-1:2',
      identifier: { type: 'id', value: 'alert-1' },
      timerId: 'resolve:alert-1',
      fence: '2',
      acceptedAt: '2026-01-05T08:00:00.000Z',
    });
    expect(removed).toEqual([due]);
  });

  it('stays when its command can not be published', async () => {
    const { publisher, removed, timers } = setUp();
    publisher.refuseWith(new UnavailableError('away'));
    await expect(timers.fire([due])).rejects.toThrow(UnavailableError);
    expect(removed).toHaveLength(0);
  });
});
