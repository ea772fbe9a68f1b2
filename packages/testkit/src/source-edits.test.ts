import { describe, expect, it } from '@jest/globals';
import { editedSource } from './source-edits.ts';

describe('an edit of a source file', () => {
  const file = 'packages/some/src/file.ts';

  it('replaces its texts in their order, each as it is written', () => {
    const replace = [
      ['const a = 1;', "const b = '$&';"],
      ["b = '$&'", 'b = 2'],
    ] as const;
    expect(editedSource('// First.\nconst a = 1;\n', { file, replace })).toBe('// First.\nconst b = 2;\n');
  });

  it.each([
    ['not there', 'const b = 2;', 0],
    ['there twice', 'const a = 1;\nconst a = 1;', 2],
  ])('is refused where its text is %s', (_, source, times) => {
    expect(() => editedSource(source, { file, replace: [['const a = 1;', '']] })).toThrow(
      `${file} has changed: adapt its edit. It has this text ${times} times: const a = 1;`,
    );
  });
});
