import type { JSX } from 'react';
import { useStore } from '../shell/store.ts';
import { draftsStore, keepDraft } from '../shell/unsaved.ts';
import { TextArea } from '../ui/text-field.tsx';
import { notePlace } from './actions.ts';

interface ActionNoteFieldProps {
  /** Where what was typed in the form is kept. */
  readonly place: string;
  readonly error: string | undefined;
}

/** The note that an action adds to the alert. */
export function ActionNoteField({ error, place }: ActionNoteFieldProps): JSX.Element {
  return (
    <TextArea
      label="Note with it"
      hint="It may be empty."
      rows={1}
      value={useStore(draftsStore).get(notePlace(place)) ?? ''}
      error={error}
      onChange={({ target }) => {
        keepDraft(notePlace(place), target.value);
      }}
    />
  );
}
