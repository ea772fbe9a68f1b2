import { cut, fitted, plain, widthOf } from './text.ts';
import type { Paint, Look } from './colours.ts';

/** The content of a cell of a table; a string is text without a look. */
export type Cell = string | { readonly text: string; readonly look: Look };

const textOf = (cell: Cell): string => plain(typeof cell === 'string' ? cell : cell.text);

/**
 * Rows under their headings, a column as wide as its widest cell. The last column is cut so that no line is wider than
 * `width`; without one nothing is cut.
 */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  paint: Paint,
  width?: number,
): string {
  const widths = headings.map((heading, at) =>
    Math.max(widthOf(heading), ...rows.map((row) => widthOf(textOf(row[at] ?? '')))),
  );
  const last = headings.length - 1;
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + 2, 0);
  const room = width === undefined ? Infinity : Math.max(10, width - before);
  const line = (cells: readonly Cell[], look?: Look) =>
    cells
      .map((cell, at) => {
        const text = at === last ? cut(textOf(cell), room) : fitted(textOf(cell), widths[at] ?? 0);
        return paint(text, typeof cell === 'string' ? look : cell.look);
      })
      .join('  ')
      .trimEnd();
  return [line(headings, 'heading'), ...rows.map((row) => line(row))].join('\n');
}

/** Names and values, a line each; a value of several lines is set in below its name. */
export function fieldsText(fields: readonly (readonly [name: string, value: Cell])[], paint: Paint): string {
  const width = Math.max(...fields.map(([name]) => widthOf(name)));
  return fields
    .map(([name, value]) => `${paint(fitted(name, width), 'heading')}  ${painted(value, width + 2, paint)}`.trimEnd())
    .join('\n');
}

function painted(value: Cell, indent: number, paint: Paint): string {
  const { text, look } = typeof value === 'string' ? { text: value, look: undefined } : value;
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  return lines.map((line) => paint(plain(line), look)).join(`\n${' '.repeat(indent)}`);
}
