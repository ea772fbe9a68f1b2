import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { createLogger, Metrics, Activity, TaskRunner } from '@tocsin/service';
import { eventually } from '@tocsin/testkit';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { sweepAttachments } from './task.ts';
import { AttachmentStore } from './store.ts';

const start = new Date('2026-01-05T08:00:00.000Z');
const tomorrow = new Date('2026-01-06T08:00:00.000Z');

const database = useDatabase();

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.of(1));
}

describe('the sweep of files', () => {
  it('removes, in batches, the files without an alert whose time is over, and says how many', async () => {
    const attachments = new AttachmentStore(await database());
    for (let count = 0; count < 50; count += 1)
      await attachments.keep({ name: 'a', type: 'b', bytes: nothing() }, tomorrow);
    const clock = new ManualClock(start);
    const logger = createLogger('alert-processor', 'silent');
    const metrics = new Metrics('alert-processor', { processMetrics: false });
    const onFatal = (error: Error) => {
      throw error;
    };
    const tasks = new TaskRunner({ clock, realClock: clock, logger, metrics, onFatal });
    const context = { clock, activity: new Activity(), logger, metrics, tasks };
    sweepAttachments(context, attachments);
    expect([await context.activity.busy(), await context.activity.nextDueAt()]).toEqual([new Map(), tomorrow]);
    clock.moveTo(tomorrow);
    expect(await context.activity.busy()).toEqual(new Map([['files to remove', 50]]));
    await eventually(async () => {
      expect(await context.activity.busy()).toEqual(new Map());
    });
    await tasks.stop();
    expect((await context.metrics.text()).body).toMatch(/tocsin_attachments_removed_total\{.*\} 50/);
  });
});
