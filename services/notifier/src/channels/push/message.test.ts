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

  it('to a browser finds its subscription, and is replaced by the next message about its alert', () => {
    const subscription = { endpoint: 'https://push.example.net/1', p256dh: 'p', auth: 'a' };
    const asked: unknown[] = [];
    const subscriptionOf = (...of: readonly string[]) => {
      asked.push(of);
      return subscription;
    };
    const to = (change = {}) =>
      writePush(deliveryOf(page(change), { to: 'browser-1' }), { ...sender, subscriptionOf }).browser;
    expect(to()).toEqual({ subscription, alertId: 'a1', key: expect.stringMatching(/^[\w-]{32}$/) });
    expect(asked).toEqual([['ada', 'browser-1']]);
    expect(to({ pageId: 'again' })?.key).toBe(to()?.key);
    expect(to({ alertId: 'a2' })?.key).not.toBe(to()?.key);
  });

  it('of several alerts to a browser has no links in its text', () => {
    const acknowledgeUrl = () => 'https://tocsin.example.com/acknowledge/x';
    const pages = [deliveryOf(page()), deliveryOf(page({ alertId: 'a2' }))];
    const textTo = (to: string) =>
      writePush({ ...deliveryOf(page()), to, deliveryId: 'bundle', pages }, { ...sender, acknowledgeUrl }).text;
    expect(textTo('topic-1')).toContain('https://');
    expect(textTo('browser-1')).not.toContain('https://');
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
