import { type JSX, useState } from 'react';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { lazyDialog } from '../shell/lazy-part.tsx';
import { Button } from '../ui/button.tsx';
import ui from '../ui/ui.module.css';
import { type OpenedRotation, removeTypedRotation, rotationTypedBefore } from './opened-rotation.ts';
import type { Schedule } from './queries.ts';
import { newRotation, type Rotation, rotationFormOf, rotationText } from './rotation-form.ts';
import styles from './schedules.module.css';

const RotationDialog = lazyDialog('rotation', async () => (await import('./rotation-dialog.tsx')).RotationDialog);
const DetailsDialog = lazyDialog('schedule-details', async () => (await import('./details-dialog.tsx')).DetailsDialog);
const DeleteScheduleDialog = lazyDialog(
  'schedule-delete',
  async () => (await import('./schedule-dialogs.tsx')).DeleteScheduleDialog,
);
const RemoveRotationDialog = lazyDialog(
  'rotation-remove',
  async () => (await import('./schedule-dialogs.tsx')).RemoveRotationDialog,
);

/** A dialog of a schedule; `seen` is what its person saw when it was opened. */
type Opened =
  | { readonly kind: 'rotation'; readonly rotation: OpenedRotation }
  | { readonly kind: 'remove'; readonly rotation: Rotation; readonly seen: Schedule }
  | { readonly kind: 'details' | 'delete'; readonly seen: Schedule };

interface ScheduleActionsProps {
  readonly schedule: Schedule;
  readonly now: number;
}

/** The rotations of a schedule, and the ways to change them and the schedule. */
export function ScheduleActions({ now, schedule }: ScheduleActionsProps): JSX.Element {
  const refused = useTeamChangesRefused(schedule.ownerTeam);
  const { username } = useSession().user;
  const [opened, setOpened] = useState<Opened | undefined>(() => {
    const rotation = rotationTypedBefore(schedule.id);
    return rotation && { kind: 'rotation', rotation };
  });
  const { rotations, timezone: zone } = schedule;
  return (
    <>
      <details className={styles['details']} open={rotations.length === 0}>
        <summary>{summaryText(rotations)}</summary>
        <RotationList schedule={schedule} refused={refused} onOpen={setOpened} />
        <div className={ui['row']}>
          <Button
            look={rotations.length === 0 ? 'primary' : 'plain'}
            disabledReason={refused}
            onClick={() => {
              const rotation = { seen: schedule, form: newRotation(now, zone, username) };
              setOpened({ kind: 'rotation', rotation });
            }}
          >
            Add a rotation
          </Button>
          <Button
            disabledReason={refused}
            onClick={() => {
              setOpened({ kind: 'details', seen: schedule });
            }}
          >
            Change the schedule
          </Button>
          <Button
            disabledReason={refused}
            onClick={() => {
              setOpened({ kind: 'delete', seen: schedule });
            }}
          >
            Delete the schedule
          </Button>
        </div>
      </details>
      <OpenedDialog
        opened={opened}
        refused={refused}
        onClose={() => {
          removeTypedRotation(schedule.id);
          setOpened(undefined);
        }}
      />
    </>
  );
}

function summaryText(rotations: readonly Rotation[]): string {
  if (rotations.length === 0) return 'No rotations: no one is on call by this schedule';
  return `${rotations.length} ${rotations.length === 1 ? 'rotation' : 'rotations'}, and changes of the schedule`;
}

/** How many rotations are listed. */
const MAX_LISTED = 100;

interface RotationListProps {
  readonly schedule: Schedule;
  readonly refused: string | undefined;
  readonly onOpen: (opened: Opened) => void;
}

function RotationList({ onOpen, refused, schedule }: RotationListProps): JSX.Element {
  const { rotations, timezone: zone } = schedule;
  return (
    <>
      <ul className={styles['list']} aria-label="Rotations">
        {rotations.slice(0, MAX_LISTED).map((rotation) => (
          <li key={rotation.id}>
            <strong>{rotation.name}</strong>
            <div>{rotationText(rotation, zone)}</div>
            <div className={ui['row']}>
              <Button
                aria-label={`Change the rotation ${rotation.name}`}
                disabledReason={refused}
                onClick={() => {
                  const form = rotationFormOf(rotation, zone);
                  onOpen({ kind: 'rotation', rotation: { seen: schedule, changed: rotation, form } });
                }}
              >
                Change
              </Button>
              <Button
                aria-label={`Remove the rotation ${rotation.name}`}
                disabledReason={refused}
                onClick={() => {
                  onOpen({ kind: 'remove', rotation, seen: schedule });
                }}
              >
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {rotations.length > MAX_LISTED && <p>And {rotations.length - MAX_LISTED} more.</p>}
    </>
  );
}

interface OpenedDialogProps {
  readonly opened: Opened | undefined;
  readonly refused: string | undefined;
  readonly onClose: () => void;
}

function OpenedDialog({ onClose, opened, refused }: OpenedDialogProps): JSX.Element {
  return (
    <DialogBoundary key={opened?.kind ?? 'none'} onFail={onClose}>
      {opened?.kind === 'rotation' && <RotationDialog opened={opened.rotation} refused={refused} onClose={onClose} />}
      {opened?.kind === 'remove' && (
        <RemoveRotationDialog schedule={opened.seen} rotation={opened.rotation} onClose={onClose} />
      )}
      {opened?.kind === 'details' && <DetailsDialog schedule={opened.seen} refused={refused} onClose={onClose} />}
      {opened?.kind === 'delete' && <DeleteScheduleDialog schedule={opened.seen} onClose={onClose} />}
    </DialogBoundary>
  );
}
