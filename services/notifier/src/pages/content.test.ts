import { describe, expect, it } from '@jest/globals';
import { page } from '../testing/page-samples.ts';
import { pageTitle } from './content.ts';

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
