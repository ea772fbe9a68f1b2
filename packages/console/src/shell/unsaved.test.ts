import { describe, expect, test } from '@jest/globals';
import { draftOf, hasUnsavedInput, keepDraft } from './unsaved.ts';

describe('what was typed and not sent', () => {
  test('It is kept for each place until it is sent, and a reload would lose it.', () => {
    keepDraft('note of 1', 'Half a ');
    keepDraft('note of 2', 'Another');
    keepDraft('note of 2', '');

    expect([draftOf('note of 1'), draftOf('note of 2')]).toEqual(['Half a ', '']);
    expect(hasUnsavedInput()).toBe(true);

    keepDraft('note of 1', '');

    expect(hasUnsavedInput()).toBe(false);
  });

  test('Blanks are nothing to lose.', () => {
    keepDraft('note of 1', '  ');

    expect(hasUnsavedInput()).toBe(false);
  });
});
