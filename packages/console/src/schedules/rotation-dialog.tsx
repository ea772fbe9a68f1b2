import { type JSX, type SubmitEvent, useState } from 'react';
import { call } from '../api/call.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { useFirstFault } from '../ui/use-first-fault.ts';
import { useNow } from '../ui/use-now.ts';
import { keepTypedRotation, type OpenedRotation } from './opened-rotation.ts';
import { rotationPreviewQuery } from './queries.ts';
import { RotationFields } from './rotation-fields.tsx';
import {
  previewedDays,
  readRotation,
  refusedPrefix,
  refusedRotation,
  type RotationForm,
  rotationRequest,
} from './rotation-form.ts';
import styles from './schedules.module.css';
import { TimelinePreview } from './timeline-preview.tsx';
import { useScheduleWrite } from './use-schedule-write.ts';

interface RotationDialogProps {
  readonly opened: OpenedRotation;
  /** Why they cannot save. */
  readonly refused: string | undefined;
  readonly onClose: () => void;
}

/** Adds or changes a rotation. Before it writes, it shows what the server says of the result. */
export function RotationDialog({ onClose, opened, refused }: RotationDialogProps): JSX.Element {
  const { changed, seen } = opened;
  const zone = seen.timezone;
  const [form, setForm] = useState(opened.form);
  const [tries, setTries] = useState(0);
  const now = useNow(60_000);
  const write = useScheduleWrite(seen, () => {
    announce(changed === undefined ? 'The rotation was added.' : 'The rotation was changed.');
    onClose();
  });
  const type = (typed: RotationForm) => {
    write.forgetError();
    setForm(typed);
    keepTypedRotation({ ...opened, form: typed });
  };
  const ref = useFirstFault(tries, write.error);
  const read = readRotation(form, zone, changed);
  const refusedAt = {
    ...refusedRotation(write.error, form, refusedPrefix(seen, changed?.id)),
    ...refusedRotation(write.error, form),
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    const { body } = read;
    if (body !== undefined) write.save((present) => call(rotationRequest(present, body)));
  };
  const answering = write.isPending ? 'The server is answering.' : undefined;
  return (
    <Modal
      title={changed === undefined ? 'Add a rotation' : `Change the rotation ${changed.name}`}
      {...(!write.isPending && { onClose })}
      keepsInput
    >
      <form ref={ref} noValidate onSubmit={submit}>
        <RotationFields
          form={form}
          faults={{ ...refusedAt, ...(tries > 0 && read.faults) }}
          zone={zone}
          changed={changed}
          onChange={type}
        />
        <TimelinePreview
          zone={zone}
          typed={read}
          previewed={
            read.body && {
              query: rotationPreviewQuery({ id: seen.id, zone }, previewedDays(read.body, now, zone), read.body),
            }
          }
          hint="It is shown when participants and times are complete."
        />
        <SeenChanges of="The schedule" changes={write.changes} />
        {write.error !== null && Object.keys(refusedAt).length === 0 && <Problem error={write.error} />}
        <div className={styles['actions']}>
          <Button type="submit" look="primary" disabledReason={refused ?? answering}>
            {write.changes.length > 0 ? 'Save all the same' : 'Save'}
          </Button>
          <Button disabledReason={answering} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Modal>
  );
}
