import { describe, expect, it } from '@jest/globals';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import { describeChannel } from '../providers/channel.contract.ts';
import { writePush } from './message.ts';

describeChannel('push', {
  method: 'mobile',
  write: writePush,
  lines: ({ title, topic }) => [title, topic],
  text: ({ text }) => text,
  longest: 8_000,
});

const sender = { accountName: 'Ops', publicUrl: undefined };

describe('a push', () => {
  it('has the alert in its title, quoted texts of others, and why this user is notified', () => {
    expect(writePush(deliveryOf(page(), { to: 'topic-1' }), sender)).toEqual({
      topic: 'topic-1',
      title: '[P1] Disk full (#7)',
      text: '> No space left on /var\nYou get this message because: responder user.',
      priority: 5,
    });
  });

  it.each([
    ['P1', 5],
    ['P2', 4],
    ['P3', 3],
    ['P4', 2],
    ['P5', 1],
  ] as const)('of a %s alert rings as %i', (priority, expected) => {
    const alert = { ...page().alert, priority };
    expect(writePush(deliveryOf(page({ alert })), sender).priority).toBe(expected);
  });
});
