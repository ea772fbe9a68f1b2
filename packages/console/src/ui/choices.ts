/** Something that a field offers. */
export interface Choice {
  /** Unique among the choices of a field. */
  readonly key: string;
  readonly name: string;
  /** What tells it from others of the same name. */
  readonly hint?: string | undefined;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The most choices that a field shows at a time. */
const MAX_SHOWN = 8;

/** The choices that have every word of the text in their name or hint, in their order; the first ones where there are many. */
export function choicesFor<T extends Choice>(choices: readonly T[], text: string): readonly T[] {
  const words = wordsOf(text);
  return choices
    .filter(({ hint = '', name }) => {
      const searched = `${name} ${hint}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .slice(0, MAX_SHOWN);
}

/** What a key does in the list of a field. */
export type ListKey =
  | { readonly kind: 'mark'; readonly index: number }
  | { readonly kind: 'choose'; readonly index: number }
  | { readonly kind: 'close' }
  | undefined;

/**
 * What a key does while `count` choices are shown, of which `marked` is marked; -1 is none. Undefined where the key is the field's own:
 * Enter without a marked choice sends the form.
 */
export function listKey(key: string, marked: number, count: number): ListKey {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return { kind: 'mark', index: (marked + 1) % count };
  if (key === 'ArrowUp') return { kind: 'mark', index: marked <= 0 ? count - 1 : marked - 1 };
  if (key === 'Escape') return { kind: 'close' };
  return key === 'Enter' && marked >= 0 ? { kind: 'choose', index: marked } : undefined;
}

/** The priorities of alerts, for a field of one of a few values. */
export const PRIORITY_OPTIONS = ['P1', 'P2', 'P3', 'P4', 'P5'].map((value) => ({ value, name: value }));
