import type { DeadLetter } from '@tocsin/events';
import type { LetterEntry } from '@tocsin/kafka';

const MAX_REASON_LENGTH = 120;

/** One line for each letter, under a line of headings. */
export function letterTable(entries: readonly LetterEntry[]): readonly string[] {
  const rows = entries.map(({ address, failedAt, groupId, redrivenAt, reason }) => [
    printable(address),
    failedAt,
    printable(groupId),
    redrivenAt === undefined ? 'waits' : `redriven ${redrivenAt}`,
    oneLine(reason),
  ]);
  const table = [['LETTER', 'FAILED', 'GROUP', 'STATE', 'REASON'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

/** Everything about one letter. */
export function letterText(entry: LetterEntry, letter: DeadLetter): readonly string[] {
  const { address, failedAt, groupId, reason, redrivenAt } = entry;
  return [
    printable(address),
    `  failed  ${failedAt} by ${printable(groupId)}`,
    `  state   ${redrivenAt === undefined ? 'waits' : `redriven ${redrivenAt}`}`,
    `  reason  ${printable(reason)}`,
    ...block('key', letter.key, 'The record had none.'),
    ...block('value', letter.value, 'The letter does not hold it: the record had none, or it was too large.'),
  ];
}

/** The content of base64 bytes: JSON, text, or nothing that can be read. */
export function decoded(base64: string): { readonly kind: 'json' | 'text' | 'base64'; readonly content: unknown } {
  const text = textOf(Buffer.from(base64, 'base64'));
  if (text === undefined) return { kind: 'base64', content: base64 };
  try {
    return { kind: 'json', content: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'text', content: text };
  }
}

function block(name: string, base64: string | undefined, absent: string): readonly string[] {
  if (base64 === undefined) return [`  ${name.padEnd(7)} ${absent}`];
  const { kind, content } = decoded(base64);
  const text = kind === 'json' ? JSON.stringify(content, undefined, 2) : String(content);
  const lines = text.split('\n').map((line) => `    ${printable(line)}`);
  return [`  ${name.padEnd(7)} ${kind}`, ...lines];
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const oneLine = (text: string): string => {
  const line = printable(text);
  return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH - 1)}…` : line;
};

/** Foreign bytes must not steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
