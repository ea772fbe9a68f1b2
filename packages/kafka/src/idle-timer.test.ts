import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { KNOWN_CLIENT_VERSION, requestQueueClass, stopIdleTimer } from './idle-timer.ts';

const clientRequire = createRequire(import.meta.url);

describe('the patch of the idle timer', () => {
  // First, while nothing has been patched in this module registry.
  it('meets the very method that it was written for', () => {
    const { version } = clientRequire('kafkajs/package.json') as { version: string };
    expect(version).toBe(KNOWN_CLIENT_VERSION);
    const source = requestQueueClass().prototype.scheduleCheckPendingRequests.toString();
    expect(source.replace(/\/\/.*$/gm, '').replace(/\s+/g, ' ')).toBe(
      'scheduleCheckPendingRequests() { let scheduleAt = this.throttledUntil - Date.now() ' +
        'if (!this.throttleCheckTimeoutId) { if (this.pending.length > 0) { ' +
        'scheduleAt = scheduleAt > 0 ? scheduleAt : CHECK_PENDING_REQUESTS_INTERVAL } ' +
        'this.throttleCheckTimeoutId = setTimeout(() => { this.throttleCheckTimeoutId = null ' +
        'this.checkPendingRequests() }, scheduleAt) } }',
    );
  });

  it.each([
    { when: 'nothing waits', pending: [], throttledUntil: -1, armed: false },
    { when: 'a request waits', pending: [{}], throttledUntil: -1, armed: true },
    { when: 'the broker asks for a pause', pending: [], throttledUntil: Date.now() + 60_000, armed: true },
  ])('arms the timer exactly when it is needed: $when', ({ pending, throttledUntil, armed }) => {
    stopIdleTimer();
    stopIdleTimer();
    const queue = { pending, throttledUntil, throttleCheckTimeoutId: null as NodeJS.Timeout | null };
    requestQueueClass().prototype.scheduleCheckPendingRequests.call(queue);
    expect(queue.throttleCheckTimeoutId !== null).toBe(armed);
    if (queue.throttleCheckTimeoutId !== null) clearTimeout(queue.throttleCheckTimeoutId);
  });
});
