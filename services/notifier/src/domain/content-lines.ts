import type { Block } from './content.ts';
import { oneLine, quoted } from './one-line.ts';

/** The lines of a block as plain text. What others wrote stands behind a name of ours in one line, or behind a mark. */
export function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'title':
    case 'code':
      return [oneLine(block.text)];
    case 'text':
      return block.lines.map(oneLine);
    case 'quote':
      return quoted(block.text);
    case 'facts':
      return block.rows.map(([name, value]) => oneLine(`${name}: ${value}`));
    case 'link':
      return [oneLine(`${block.text}: ${block.url}`)];
    case 'details':
      return block.rows.flatMap(([name, value]) => quoted(`${name}: ${value}`));
  }
}
