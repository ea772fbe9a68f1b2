export type Row = readonly string[];

export function code(text: string): string {
  return `\`${text}\``;
}

/** A table as prettier would format it. */
export function table(head: Row, rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...cells].map(line).join('');
}
