import { beforeEach, describe, expect, test } from '@jest/globals';
import { draftsStore, hasUnsavedInput, keepDraft, removeDrafts, removeSentDraft } from './unsaved.ts';

beforeEach(removeDrafts);

describe('what was typed and not sent', () => {
  test('It is kept for each place until it is sent, and a reload would lose it.', () => {
    keepDraft('note of 1', 'Half a ');
    keepDraft('note of 2', 'Another');
    keepDraft('note of 2', '');

    expect([...draftsStore.get()]).toEqual([['note of 1', 'Half a ']]);
    expect(hasUnsavedInput()).toBe(true);

    removeSentDraft('note of 1', 'Half a');

    expect(draftsStore.get().size).toBe(0);
    expect(hasUnsavedInput()).toBe(false);
  });

  test('What was typed while the server had not answered stays.', () => {
    keepDraft('note of 1', 'Sent, and more');
    removeSentDraft('note of 1', 'Sent');

    expect(draftsStore.get().get('note of 1')).toBe('Sent, and more');
  });

  test('Blanks are nothing to lose.', () => {
    keepDraft('note of 1', '  ');

    expect(hasUnsavedInput()).toBe(false);
  });

  test('The next person finds none of it.', () => {
    keepDraft('note of 1', 'Half a ');
    removeDrafts();

    expect(draftsStore.get().size).toBe(0);
  });
});
