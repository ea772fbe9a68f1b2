import { describe, expect, it } from '@jest/globals';
import { page } from '../testing/page-samples.ts';
import { pageContent, pageTitle } from './content.ts';

describe('pageTitle', () => {
  it('is priority, message and tiny id of a page that only says that there is an alert', () => {
    expect(pageTitle(page())).toEqual({ title: '[P1] Disk full (#7)', happened: undefined });
  });

  it.each([
    ['acknowledged', 'acknowledged by Grace', 'Acknowledged by Grace'],
    ['closed', 'closed by Grace', 'Closed by Grace'],
    ['noted', 'note by Grace', 'Note by Grace'],
    ['assigned', 'assigned to you by Grace', 'Assigned to you by Grace'],
  ] as const)('says of a status update [%s] what happened, and who did it', (kind, words, happened) => {
    const title = `[P1] Disk full (#7): ${words}`;
    expect(pageTitle(page({ statusUpdate: { kind, actor: 'Grace' } }))).toEqual({ title, happened });
  });
});

describe('pageContent', () => {
  const { blocks } = pageContent(page(), {
    acknowledgeUrl: 'https://tocsin.example.com/acknowledge/x',
    alertUrl: 'https://tocsin.example.com/console/alerts/a1',
  });

  it('has the link that acknowledges before the one that opens the alert', () => {
    expect(blocks.filter(({ kind }) => kind === 'link')).toEqual([
      { kind: 'link', text: 'Acknowledge', url: 'https://tocsin.example.com/acknowledge/x' },
      { kind: 'link', text: 'Open in the console', url: 'https://tocsin.example.com/console/alerts/a1' },
    ]);
  });

  it('says when the alert was created, to the second and with its zone', () => {
    expect(blocks.flatMap((block) => (block.kind === 'facts' ? block.rows : []))).toContainEqual([
      'Created',
      '2026-01-01 00:00:00 UTC',
    ]);
  });

  it('has no link where the installation has no public URL', () => {
    expect(pageContent(page()).blocks.filter(({ kind }) => kind === 'link')).toEqual([]);
  });
});
