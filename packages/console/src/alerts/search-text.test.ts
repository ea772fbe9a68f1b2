import { describe, expect, test } from '@jest/globals';
import { withQuery } from './search-text.ts';

describe('the text of the search field', () => {
  test('What is typed while a search is sent stays.', () => {
    expect(withQuery({ query: '', text: 'tag:disk', sent: 'tag:dis' }, 'tag:dis')).toEqual({
      query: 'tag:dis',
      text: 'tag:disk',
      sent: undefined,
    });
  });

  test('A blank at its end stays.', () => {
    expect(withQuery({ query: '', text: 'disk ', sent: undefined }, 'disk').text).toBe('disk ');
  });

  test('A search that the person chooses elsewhere replaces it, also the one that was sent before.', () => {
    const shown = withQuery({ query: '', text: 'disk', sent: 'disk' }, 'disk');

    expect(withQuery(shown, 'status:open').text).toBe('status:open');
    expect(withQuery({ ...shown, text: 'disk full' }, 'status:open').text).toBe('status:open');
  });
});
