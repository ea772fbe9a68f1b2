import type { JSX } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { CallError } from '../api/call-error.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { draftOf, keepDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextArea } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { useAlertWrite } from './use-alert-write.ts';

/** Adds a note to an alert. What was typed stays until the server has it. */
export function NoteForm({ id }: { readonly id: string }): JSX.Element {
  const roleRefused = useAlertChangesRefused();
  const { control, handleSubmit, register, reset } = useForm({ defaultValues: { note: draftOf(id) } });
  const note = useWatch({ control, name: 'note' });
  const write = useAlertWrite(() => {
    keepDraft(id, '');
    reset({ note: '' });
    announce('The note was added.');
  });
  const fault = write.error instanceof CallError ? write.error.fields['note'] : undefined;
  const submit = handleSubmit((input) => {
    write.mutate({ id, action: 'notes', body: { note: input.note.trim() } });
  });
  const noNote = note.trim() === '' ? 'Type a note first.' : undefined;
  const underWay = write.isPending ? 'The note is being added.' : undefined;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h2>Note</h2>
      <TextArea
        {...register('note', {
          onChange: (event: { readonly target: { readonly value: string } }) => {
            keepDraft(id, event.target.value);
          },
        })}
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
