import type { JSX, SubmitEvent } from 'react';
import { useStore } from '../shell/store.ts';
import { draftsStore, keepDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { ActionField } from './action-field.tsx';
import { ActionNoteField } from './action-note-field.tsx';
import { bodyOf, type BulkForm, FORM_ACTIONS, notePlace, withNote } from './actions.ts';
import type { AlertWrite } from './alert-write.ts';
import styles from './alerts.module.css';
import { bulkDraftPlace } from './bulk.ts';
import { SnoozePresets } from './more-actions.tsx';

interface BulkActionFormProps {
  readonly action: BulkForm;
  readonly disabledReason: string | undefined;
  /** Given also what was typed, which is empty for a length that was chosen. */
  readonly onSubmit: (body: AlertWrite['body'], typed: string) => void;
}

/** What to do to the selected alerts. What was typed stays for those that fail. */
export function BulkActionForm({ action, disabledReason, onSubmit }: BulkActionFormProps): JSX.Element {
  const { empty, submit } = FORM_ACTIONS[action];
  const place = bulkDraftPlace(action);
  const drafts = useStore(draftsStore);
  const text = drafts.get(place) ?? '';
  const note = drafts.get(notePlace(place)) ?? '';
  const body = bodyOf(action, text);
  const submitForm = (event: SubmitEvent) => {
    event.preventDefault();
    if (body !== undefined) onSubmit(withNote(body, note), text);
  };
  return (
    <form onSubmit={submitForm} aria-label={submit} className={styles['results']}>
      {action === 'snooze' && (
        <SnoozePresets
          disabledReason={disabledReason}
          onChoose={(endTime) => {
            onSubmit(withNote({ endTime }, note), '');
          }}
        />
      )}
      <ActionField
        action={action}
        text={text}
        onText={(typed) => {
          keepDraft(place, typed);
        }}
        error={undefined}
      />
      <ActionNoteField place={place} error={undefined} />
      <Button type="submit" disabledReason={disabledReason ?? (body === undefined ? empty : undefined)}>
        {submit}
      </Button>
    </form>
  );
}
