import type { Answer } from '../api/answer.ts';
import { YOUR_KEY } from './set-up-texts.ts';

/** How requests of a tool are read, with requests that it sends. */
export type Preset = Answer<'list-presets'>['data'][number];
export type PresetSample = Preset['samples'][number];

/** The preset that reads what no other knows. */
const FALLBACK = 'fallback';

/** The preset by which the requests to an integration of this type are read, unless their path names another. */
export function presetOf(type: string, presets: readonly Preset[]): Preset | undefined {
  const isType = (one: string): boolean => one.toLowerCase() === type.toLowerCase();
  return presets.find(({ types }) => types.some(isType)) ?? presets.find(({ name }) => name === FALLBACK);
}

/** The presets as a choice, by their titles. */
export const presetOptions = (
  presets: readonly Preset[],
): readonly { readonly value: string; readonly name: string }[] =>
  presets.map(({ name, title }) => ({ value: name, name: title })).toSorted((a, b) => a.name.localeCompare(b.name));

interface HookPlace {
  /** Of this installation, such as `https://tocsin.example.com`. */
  readonly origin: string;
  /** The key that was just shown; undefined otherwise, as the server shows it once. */
  readonly apiKey: string | undefined;
  /** That of the type of the integration. */
  readonly own: Preset | undefined;
}

/** The URL to which a tool sends its requests: the path names the preset, unless the type of the integration says it. */
export const hookUrl = ({ apiKey = YOUR_KEY, origin, own }: HookPlace, { name }: Preset): string =>
  [`${origin}/hooks/${apiKey}`, ...(name === own?.name ? [] : [name])].join('/');

/** A part of a line of Markdown. */
export interface LinePart {
  readonly kind: 'text' | 'code' | 'strong';
  readonly text: string;
}

/** The code, the emphasised words and the text of a line of Markdown, with the URL in its place. */
export const lineParts = (line: string, url: string): readonly LinePart[] =>
  [...line.replaceAll('<URL>', url).matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|([^`*]+|[`*])/g)].map(
    ([, code, strong, emphasised, text = '']) => {
      if (code !== undefined) return { kind: 'code', text: code };
      const marked = strong ?? emphasised;
      return marked === undefined ? { kind: 'text', text } : { kind: 'strong', text: marked };
    },
  );
