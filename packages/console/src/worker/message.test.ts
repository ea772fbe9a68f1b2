import { describe, expect, test } from '@jest/globals';
import { notificationOf, urlOf } from './message.ts';

const ORIGIN = 'https://tocsin.example.com';
const acknowledgeUrl = `${ORIGIN}/acknowledge/x`;
const page = { title: '[P1] Disk full (#7)', text: '> No space left', key: 'k', alertId: 'a1', acknowledgeUrl };

describe('the notification of a page', () => {
  test('It has its title, its text and both buttons, stays, and replaces an older one about its alert.', () => {
    expect(notificationOf(JSON.stringify(page))).toMatchObject({
      title: page.title,
      options: {
        body: page.text,
        tag: 'k',
        renotify: true,
        requireInteraction: true,
        data: { acknowledgeUrl, alertId: 'a1' },
        actions: [
          { action: 'acknowledge', title: 'Acknowledge' },
          { action: 'open', title: 'Open' },
        ],
      },
    });
  });

  test('A message that asks for no answer has no button for one.', () => {
    const { options } = notificationOf(JSON.stringify({ title: 't', text: 'x', key: 'k' }));
    expect(options.actions.map(({ action }) => action)).toEqual(['open']);
    expect(options.data).toEqual({});
  });

  test.each([undefined, '', 'no JSON', 'null', '[]', '{"title":7,"text":"x","key":"k"}'])(
    'Something is shown for %j too, or the browser would end the subscription.',
    (sent) => {
      const { options, title } = notificationOf(sent);
      expect(title).toContain('cannot read');
      expect(options.tag).toBe('unreadable');
    },
  );
});

describe('where a notification leads', () => {
  test.each([
    ['acknowledge', page, acknowledgeUrl],
    ['', page, acknowledgeUrl],
    ['open', page, `${ORIGIN}/console/alerts/a1`],
    ['', { alertId: 'a/1' }, `${ORIGIN}/console/alerts/a%2F1`],
    ['open', {}, `${ORIGIN}/console/`],
    ['', null, `${ORIGIN}/console/`],
    ['', { acknowledgeUrl: 'javascript:alert(1)' }, `${ORIGIN}/console/`],
  ])('The action %j of %j leads to %s.', (action, links, url) => {
    expect(urlOf(action, links, ORIGIN)).toBe(url);
  });
});
