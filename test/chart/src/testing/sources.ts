import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

/** The text of a file of the repository. */
export const sourceOf = (file: string): string => fs.readFileSync(path.join(REPOSITORY, file), 'utf8');

/** The rows of the first table after a heading, the cells of each without marks. */
export function tableAfter(page: string, heading: string): readonly (readonly string[])[] {
  const after = page.slice(page.indexOf(`\n${heading}\n`) + heading.length + 2);
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
