import { type JSX, type SubmitEvent, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { keepTyped, type OpenedOverride } from './opened.ts';
import { PersonAndTimes, ScopeFields } from './override-fields.tsx';
import { type OverrideForm, readForm, refusedFields } from './override-draft.ts';
import { OverridePreview } from './override-preview.tsx';
import styles from './schedules.module.css';
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
        <OverridePreview id={id} zone={zone} read={read} />
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
