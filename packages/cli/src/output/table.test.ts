import { describe, expect, it } from '@jest/globals';
import type { Paint } from './colours.ts';
import { fieldsText, tableText } from './table.ts';

const uncoloured: Paint = (text) => text;

describe('a table', () => {
  it('aligns wide characters, and cuts the last column alone', () => {
    const rows = [
      ['日本', 'a text that is long'],
      ['Ops', 'short'],
    ];
    expect(tableText(['NAME', 'TEXT'], rows, uncoloured, 20).split('\n')).toEqual([
      'NAME  TEXT',
      '日本  a text that i…',
      'Ops   short',
    ]);
    expect(tableText(['NAME', 'TEXT'], rows, uncoloured)).toContain('a text that is long');
  });

  it('colours a cell and not the space around it', () => {
    const marked: Paint = (text, look) => (look === undefined ? text : `<${text}>`);
    const rows = [[{ text: 'P1', look: 'alarm' as const }, 'x']];
    expect(tableText(['A', 'B'], rows, marked)).toBe('<A >  <B>\n<P1>  x');
  });
});

describe('fields', () => {
  it('sets the lines of a value in below each other', () => {
    expect(
      fieldsText(
        [
          ['Id', '1'],
          ['Text', 'a\r\nb'],
        ],
        uncoloured,
      ),
    ).toBe('Id    1\nText  a\n      b');
  });
});
