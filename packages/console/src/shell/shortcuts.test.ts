import { describe, expect, test } from '@jest/globals';
import { currentMark, offeredPages, pagesFor, PAGES } from './pages.ts';
import { type Key, LISTED_SHORTCUTS, shortcutOf } from './shortcuts.ts';

const key = (pressed: string, more: Partial<Key> = {}): Key => ({
  key: pressed,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isTyping: false,
  areSingleKeysOn: true,
  ...more,
});

describe('the shortcuts', () => {
  test.each(['ctrlKey', 'metaKey'] as const)('%s and K opens the palette, also while a text is typed.', (modifier) => {
    expect(shortcutOf(key('k', { [modifier]: true, isTyping: true }), false)).toEqual({ kind: 'palette' });
  });

  test.each(['?', '/', 'g', 'a'])('In a text %p is a letter.', (letter) => {
    expect(shortcutOf(key(letter, { isTyping: true }), false)).toEqual({ kind: 'none' });
    expect(shortcutOf(key(letter, { isTyping: true }), true)).toEqual({ kind: 'none' });
  });

  test('Where a person turned keys of one character off, only those with Ctrl or Cmd are left.', () => {
    for (const letter of ['?', '/', 'g', 'a']) {
      expect(shortcutOf(key(letter, { areSingleKeysOn: false }), letter === 'a')).toEqual({ kind: 'none' });
    }
    expect(shortcutOf(key('k', { ctrlKey: true, areSingleKeysOn: false }), false)).toEqual({ kind: 'palette' });
  });

  test('Keys of the browser and of the system keep their meaning.', () => {
    expect(shortcutOf(key('g', { ctrlKey: true }), false)).toEqual({ kind: 'none' });
    expect(shortcutOf(key('a', { metaKey: true }), true)).toEqual({ kind: 'none' });
    expect(shortcutOf(key('k', { ctrlKey: true, altKey: true }), false)).toEqual({ kind: 'none' });
  });

  test('After g each page has its key, and another key does nothing.', () => {
    expect(shortcutOf(key('g'), false)).toEqual({ kind: 'prefix' });
    for (const page of PAGES) expect(shortcutOf(key(page.key), true)).toEqual({ kind: 'page', path: page.path });
    expect(shortcutOf(key('z'), true)).toEqual({ kind: 'none' });
  });

  test('No two pages have the same key, and the help lists each.', () => {
    expect(new Set(PAGES.map((page) => page.key)).size).toBe(PAGES.length);
    expect(LISTED_SHORTCUTS.map(({ keys }) => keys)).toEqual(
      expect.arrayContaining(PAGES.map((page) => `g ${page.key}`)),
    );
  });
});

describe('the links to pages', () => {
  test('The one of the page is current, and so is the one of a list whose entry is shown.', () => {
    expect(currentMark('/alerts', '/alerts')).toBe('page');
    expect(currentMark('/alerts', '/alerts/1')).toBe('true');
    for (const shown of ['/', '/on-call', '/alerts-of-mine']) expect(currentMark('/alerts', shown)).toBeUndefined();
  });
});

describe('the palette', () => {
  test('It finds pages by parts of their name, without regard to case.', () => {
    expect(pagesFor(' CALL on ', PAGES).map(({ name }) => name)).toEqual(['On call']);
    expect(pagesFor('', PAGES)).toEqual(PAGES);
    expect(pagesFor('no such page', PAGES)).toEqual([]);
  });

  test('It has the page of the move only while that is offered.', () => {
    expect(pagesFor('move', offeredPages(true)).map(({ name }) => name)).toEqual(['Move']);
    expect(pagesFor('move', offeredPages(false))).toEqual([]);
    expect(offeredPages(false)).toHaveLength(PAGES.length - 1);
  });
});
