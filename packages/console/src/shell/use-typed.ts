import { useState } from 'react';
import { typedFields } from './typed-fields.ts';
import { draftsStore, keepDraft } from './unsaved.ts';

type Fields = Readonly<Record<string, string>>;

interface Typed<T extends Fields> {
  readonly typed: T;
  readonly type: (change: Partial<T>) => void;
  /** Forgets what was typed, because it was saved or given up. */
  readonly clear: () => void;
}

/**
 * The fields of a form. What is typed into them is kept until it is cleared, also while its person looks at another page.
 *
 * @param place - where it is kept; one for each form
 * @param initial - what the fields have before
 */
export function useTyped<T extends Fields>(place: string, initial: T): Typed<T> {
  const [typed, setTyped] = useState(() => typedFields(draftsStore.get().get(place), initial));
  return {
    typed,
    type: (change) => {
      const next = { ...typed, ...change };
      setTyped(next);
      keepDraft(place, JSON.stringify(next));
    },
    clear: () => {
      setTyped(initial);
      keepDraft(place, '');
    },
  };
}
