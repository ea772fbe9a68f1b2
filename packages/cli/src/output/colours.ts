import { styleText } from 'node:util';

const LOOKS = {
  heading: 'bold',
  alarm: ['bgRed', 'whiteBright', 'bold'],
  bad: 'red',
  warn: 'yellow',
  good: 'green',
  quiet: 'gray',
  person0: 'cyan',
  person1: 'green',
  person2: 'yellow',
  person3: 'magenta',
  person4: 'blue',
} as const;

/** The kind of a text, which gives its colour. */
export type Look = keyof typeof LOOKS;

/** Colours a text, or leaves it as it is. */
export type Paint = (text: string, look?: Look) => string;

/** Colours only what a person sees on a terminal that knows colours, and not against `NO_COLOR`. */
export function paintFor(
  output: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  const asked = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (output.isTTY !== true || !asked) return (text) => text;
  return (text, look) =>
    look === undefined || text === '' ? text : styleText([LOOKS[look]].flat(), text, { validateStream: false });
}
