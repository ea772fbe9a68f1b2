import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

/** The text of a file of the repository. */
export const sourceOf = (file: string): string => fs.readFileSync(path.join(REPOSITORY, file), 'utf8');

/**
 * The rows of the first table after a heading, or after another line; the cells of each without marks.
 *
 * @throws Error where the page has no such line.
 */
export function tableAfter(page: string, heading: string): readonly (readonly string[])[] {
  const start = page.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`The page has no line "${heading}".`);
  const after = page.slice(start + heading.length + 2);
  const lines = after.slice(after.search(/^\|/m)).split('\n');
  const rows = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return rows.slice(2).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The words of a cell that stand in backticks. */
export const quoted = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
