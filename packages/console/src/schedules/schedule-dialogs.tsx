import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { call } from '../api/call.ts';
import { announce } from '../shell/announcer.tsx';
import { useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { pathOf, type Schedule } from './queries.ts';
import { type Rotation, rotationText } from './rotation-form.ts';
import { useScheduleInvalidation, useScheduleWrite } from './use-schedule-write.ts';

interface DialogProps {
  readonly schedule: Schedule;
  readonly onClose: () => void;
}

/** Asks before a schedule is deleted. */
export function DeleteScheduleDialog({ onClose, schedule: { id, name } }: DialogProps): JSX.Element {
  const invalidate = useScheduleInvalidation();
  const go = useGo();
  const write = useMutation({
    mutationFn: () => call({ method: 'DELETE', path: pathOf(id) }),
    onSuccess: async () => {
      announce(`${name} was deleted.`);
      go(paths.schedules());
      await invalidate(id);
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <p>
        Its rotations and overrides are deleted with it. It cannot be deleted while a routing rule or an escalation
        names it.
      </p>
    </ConfirmDialog>
  );
}

/** Asks before a rotation is removed. */
export function RemoveRotationDialog(props: DialogProps & { readonly rotation: Rotation }): JSX.Element {
  const { onClose, rotation, schedule } = props;
  const write = useScheduleWrite(schedule, () => {
    announce('The rotation was removed.');
    onClose();
  });
  const path = `${pathOf(schedule.id)}/rotations/${encodeURIComponent(rotation.id)}`;
  return (
    <Modal title={`Remove the rotation ${rotation.name}?`} {...(!write.isPending && { onClose })}>
      <WriteForm
        action={write.changes.length > 0 ? 'Remove all the same' : 'Remove'}
        fields={[]}
        write={write}
        onSubmit={() => {
          write.save(() => call({ method: 'DELETE', path }));
        }}
        onCancel={onClose}
      >
        <p>{rotationText(rotation, schedule.timezone)}.</p>
        <p>
          {schedule.rotations.length === 1
            ? 'It is the only one: afterwards no one is on call by this schedule.'
            : 'Afterwards the other rotations count.'}{' '}
          An override for this rotation alone is deleted with it.
        </p>
        <SeenChanges of="The schedule" changes={write.changes} />
      </WriteForm>
    </Modal>
  );
}
