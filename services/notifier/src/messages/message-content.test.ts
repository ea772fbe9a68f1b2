import { describe, expect, it } from '@jest/globals';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { bundleContent } from './message-content.ts';

const { alert } = page();
const pages = [
  deliveryOf(page({ alert: { ...alert, priority: 'P1', tinyId: '7', message: 'Disk full' }, why: 'on call' })),
  deliveryOf(
    page({
      alert: { ...alert, priority: 'P3', tinyId: '9', message: 'CPU hot' },
      actionType: 'closed-alert',
      statusUpdate: { kind: 'closed', actor: 'Grace' },
    }),
  ),
];

describe('a message of several pages', () => {
  const content = bundleContent(pages, ({ page: of }) => ({
    acknowledgeUrl: `https://x.example/${of.alert.tinyId}`,
    alertUrl: `https://x.example/console/${of.alert.tinyId}`,
  }));

  it('says how many they are, and which is the most urgent', () => {
    expect(content.title).toBe('[P1] 2 alerts: Disk full (#7) and 1 more');
    expect(content.spoken).toBe('2 alerts: 7, 9. The most urgent is 7, priority 1. It says: Disk full');
    expect(content.priority).toBe('P1');
    expect(content.alertId).toBeUndefined();
  });

  it('has the alert of each, what has happened to it, and why its reader is notified', () => {
    expect(content.short).toBe('2 alerts: P1 #7 Disk full; P3 #9 Closed by Grace: CPU hot');
    expect(content.blocks).toContainEqual({
      kind: 'facts',
      rows: [
        ['P1 #7', 'Disk full'],
        ['Why', 'on call'],
      ],
    });
  });

  it('links to each that calls its reader', () => {
    expect(content.blocks).toContainEqual({ kind: 'link', text: 'Acknowledge P1 #7', url: 'https://x.example/7' });
    expect(content.alerts?.map(({ acknowledgeUrl }) => acknowledgeUrl)).toEqual([
      'https://x.example/7',
      'https://x.example/9',
    ]);
    expect(content.blocks).toContainEqual({ kind: 'link', text: 'Open P1 #7', url: 'https://x.example/console/7' });
    const without = bundleContent(pages, () => ({}));
    expect(without.blocks.map(({ kind }) => kind)).toEqual(['title', 'text', 'facts', 'facts']);
  });
});
