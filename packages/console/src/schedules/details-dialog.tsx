import { type JSX, useState } from 'react';
import { call } from '../api/call.ts';
import { announce } from '../shell/announcer.tsx';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { DetailsFields } from './details-fields.tsx';
import { detailsBody, detailsFaults, type DetailsForm, detailsOf, refusedDetails } from './details-form.ts';
import { pathOf, type Schedule } from './queries.ts';
import { useScheduleWrite } from './use-schedule-write.ts';

interface DetailsDialogProps {
  readonly schedule: Schedule;
  readonly refused: string | undefined;
  readonly onClose: () => void;
}

/** What was typed, and what its person saw of the schedule when they began. */
interface Typed {
  readonly form: DetailsForm;
  readonly seen: Schedule;
}

const placeOf = (id: string) => `schedule ${id}`;

function typedBefore(id: string): Typed | undefined {
  return readDraft(placeOf(id)) as Typed | undefined;
}

/** Changes what a schedule is beside its rotations. */
export function DetailsDialog({ onClose, refused, schedule }: DetailsDialogProps): JSX.Element {
  const [{ form, seen }, setTyped] = useState((): Typed => {
    return typedBefore(schedule.id) ?? { form: detailsOf(schedule), seen: schedule };
  });
  const [isTried, setTried] = useState(false);
  const close = () => {
    keepDraft(placeOf(seen.id), '');
    onClose();
  };
  const write = useScheduleWrite(seen, () => {
    announce('The schedule was changed.');
    close();
  });
  const type = (next: DetailsForm) => {
    const typed: Typed = { form: next, seen };
    write.forgetError();
    setTyped(typed);
    keepDraft(placeOf(seen.id), JSON.stringify(typed));
  };
  const faults = detailsFaults(form);
  const refusedAt = refusedDetails(write.error);
  const body = detailsBody(form, detailsOf(seen));
  const same = Object.keys(body).length === 0 ? 'Nothing was changed.' : undefined;
  return (
    <Modal title={`Change ${seen.name}`} {...(!write.isPending && { onClose: close })} keepsInput>
      <WriteForm
        action={write.changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={[]}
        write={{ isPending: write.isPending, error: Object.keys(refusedAt).length === 0 ? write.error : null }}
        disabledReason={refused ?? same}
        onSubmit={() => {
          setTried(true);
          if (Object.keys(faults).length === 0)
            write.save(() => call({ method: 'PATCH', path: pathOf(seen.id), body }));
        }}
        onCancel={close}
      >
        <DetailsFields
          form={form}
          faults={{ ...refusedAt, ...(isTried && faults) }}
          owner={seen.ownerTeam}
          onChange={type}
        />
        {form.zone !== seen.timezone && (
          <p role="note">
            Rotations keep the instants of their starts; their turns change on the clocks of the new zone.
          </p>
        )}
        <SeenChanges of="The schedule" changes={write.changes} />
      </WriteForm>
    </Modal>
  );
}
