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
import type { Alert } from './queries.ts';
import { useAlertWrite } from './use-alert-write.ts';

/** What a note can be sent with, and what is said then. */
const SENT_WITH = { acknowledge: 'Acknowledged, with the note.', close: 'Closed, with the note.' };

/** Adds a note to an alert, alone or with an acknowledgement or a close. What was typed stays until the server has it. */
export function NoteForm({ alert }: { readonly alert: Alert }): JSX.Element {
  const { acknowledged, id, status } = alert;
  const roleRefused = useAlertChangesRefused();
  const note = useStore(draftsStore).get(id) ?? '';
  const write = useAlertWrite(({ action, body }) => {
    removeSentDraft(id, body?.note ?? '');
    announce(action === 'acknowledge' || action === 'close' ? SENT_WITH[action] : 'The note was added.');
  });
  const fault = write.error instanceof CallError ? write.error.fields['note'] : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write.mutate({ id, action: 'notes', body: { note: note.trim() } });
  };
  const noNote = note.trim() === '' ? 'Type a note first.' : undefined;
  const underWay = write.isPending ? 'The note is being added.' : undefined;
  const refused = roleRefused ?? underWay ?? noNote;
  const closed = status === 'closed' ? 'The alert is closed.' : undefined;
  const done = acknowledged ? 'The alert is acknowledged.' : undefined;
  const sendWith = (action: keyof typeof SENT_WITH) => () => {
    write.mutate({ id, action, body: { note: note.trim() } });
  };
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
        <Button type="submit" disabledReason={refused}>
          Add note
        </Button>
        <Button disabledReason={closed ?? done ?? refused} onClick={sendWith('acknowledge')}>
          Acknowledge with the note
        </Button>
        <Button disabledReason={closed ?? refused} onClick={sendWith('close')}>
          Close with the note
        </Button>
      </div>
    </form>
  );
}
