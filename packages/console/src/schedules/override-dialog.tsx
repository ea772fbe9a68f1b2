import { type JSX, type SubmitEvent, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { keepTyped, type OpenedOverride } from './opened.ts';
import { PersonAndTimes, ScopeFields } from './override-fields.tsx';
import { type OverrideForm, previewRange, readForm, refusedFields } from './override-draft.ts';
import { previewQuery } from './queries.ts';
import styles from './schedules.module.css';
import { TimelinePreview } from './timeline-preview.tsx';
import { useOverrideWrite } from './use-override-write.ts';

interface OverrideDialogProps {
  readonly opened: OpenedOverride;
  /** Why they cannot save. */
  readonly refused: string | undefined;
  readonly onClose: () => void;
}

/** Creates or changes an override. Before it writes, it shows what the server says of the result. */
export function OverrideDialog({ onClose, opened, refused }: OverrideDialogProps): JSX.Element {
  const { seen, task } = opened;
  const [form, setForm] = useState(task.form);
  const changeForm = (typed: OverrideForm) => {
    setForm(typed);
    keepTyped(opened, typed);
  };
  const [isTried, setTried] = useState(false);
  const { id, rotations, timezone: zone } = seen.schedule;
  const write = useOverrideWrite(id, () => {
    announce(task.changed === undefined ? 'The override was created.' : 'The override was changed.');
    onClose();
  });
  const read = readForm(form, zone, task.changed);
  const changes = write.data?.changes ?? [];
  const refusedAt = refusedFields(write.error);
  const faults = { ...refusedAt, ...(isTried && read.faults) };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.faults !== undefined || write.isPending) return;
    const kind = task.changed === undefined ? 'create' : 'replace';
    write.mutate({ kind, body: read.body, seen: changes.length > 0 ? (write.data?.seen ?? seen) : seen });
  };
  const answering = write.isPending ? 'The server is answering.' : undefined;
  return (
    <Modal title={task.title} {...(!write.isPending && { onClose })} keepsInput>
      <form noValidate onSubmit={submit}>
        {task.note !== undefined && <p role="note">{task.note}</p>}
        <PersonAndTimes form={form} faults={faults} zone={zone} onChange={changeForm} />
        <TimelinePreview
          zone={zone}
          typed={read}
          previewed={
            read.faults === undefined
              ? { query: previewQuery({ id, zone }, previewRange(read.span, zone), read.body), listed: read.span }
              : undefined
          }
          hint="It is shown when person and times are complete."
        />
        <ScopeFields
          form={form}
          faults={faults}
          rotations={rotations}
          isNew={task.changed === undefined}
          onChange={changeForm}
        />
        <SeenChanges of="The schedule" changes={changes} />
        {write.error !== null && Object.keys(refusedAt).length === 0 && <Problem error={write.error} />}
        <div className={styles['actions']}>
          <Button type="submit" look="primary" disabledReason={refused ?? answering}>
            {changes.length > 0 ? 'Save all the same' : 'Save'}
          </Button>
          <Button disabledReason={answering} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}
