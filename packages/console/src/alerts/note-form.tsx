import type { JSX, SubmitEvent } from 'react';
import { CallError } from '../api/call-error.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { useStore } from '../shell/store.ts';
import { draftsStore, keepDraft, removeSentDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextArea } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { useAlertWrite } from './use-alert-write.ts';

/** Adds a note to an alert. What was typed stays until the server has it. */
export function NoteForm({ id }: { readonly id: string }): JSX.Element {
  const roleRefused = useAlertChangesRefused();
  const note = useStore(draftsStore).get(id) ?? '';
  const write = useAlertWrite(({ body }) => {
    removeSentDraft(id, body?.note ?? '');
    announce('The note was added.');
  });
  const fault = write.error instanceof CallError ? write.error.fields['note'] : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write.mutate({ id, action: 'notes', body: { note: note.trim() } });
  };
  const noNote = note.trim() === '' ? 'Type a note first.' : undefined;
  const underWay = write.isPending ? 'The note is being added.' : undefined;
  return (
    <form onSubmit={submit}>
      <h2>Note</h2>
      <TextArea
        value={note}
        onChange={(event) => {
          keepDraft(id, event.target.value);
        }}
        label="New note"
        rows={2}
        error={fault === undefined ? write.data?.fault : `The note ${fault}.`}
      />
      {write.error !== null && fault === undefined && <Problem error={write.error} />}
      <div className={ui['row']}>
        <Button type="submit" disabledReason={roleRefused ?? underWay ?? noNote}>
          Add note
        </Button>
      </div>
    </form>
  );
}
