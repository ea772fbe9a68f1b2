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
      sequence: expect.stringMatching(/^[\w-]{32}$/),
      asksForAction: true,
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

  it('is the same message on a device at each attempt and by each provider, and another one for each page', () => {
    const first = writePush(deliveryOf(page()), sender).sequence;
    const again = { ...deliveryOf(page()), deliveryId: `${deliveryOf(page()).deliveryId}@2`, attempts: 3 };
    expect(writePush(again, sender).sequence).toBe(first);
    expect(writePush(deliveryOf(page({ pageId: 'p2' })), sender).sequence).not.toBe(first);
  });

  it.each([
    ['acknowledged', true],
    ['closed', true],
    ['noted', false],
    ['assigned', false],
  ] as const)('about an alert that was %s outdates the pages about it: %s', (kind, outdates) => {
    const push = writePush(deliveryOf(page({ statusUpdate: { kind, actor: 'Bo' } })), sender);
    expect(push.outdates).toEqual(outdates ? { alertId: 'a1', userId: 'ada' } : undefined);
  });

  it('to a device of a service has its key there, and a name for its alert', () => {
    const alertKey = expect.stringMatching(/^[\w-]{32}$/);
    const to = (address: string) => writePush(deliveryOf(page(), { to: address }), sender).service;
    expect(to('gotify:AbC:d')).toEqual({ name: 'gotify', key: 'AbC:d', alertKey });
    expect(to('pushover:u')).toEqual({ name: 'pushover', key: 'u', alertKey });
    for (const other of ['topic-1', 'signal:1', ':u']) expect(to(other)).toBeUndefined();
  });

  it('about a status update asks for no action', () => {
    const closed = page({ actionType: 'closed-alert', statusUpdate: { kind: 'closed', actor: 'Bo' } });
    expect(writePush(deliveryOf(closed), sender)).not.toHaveProperty('asksForAction');
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
