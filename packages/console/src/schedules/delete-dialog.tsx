import type { JSX } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import ui from '../ui/ui.module.css';
import { overrideText, type SeenSchedule } from './changes.ts';
import type { Override } from './queries.ts';
import { useOverrideWrite } from './use-override-write.ts';

interface DeleteDialogProps {
  readonly override: Override;
  readonly seen: SeenSchedule;
  readonly onClose: () => void;
}

/** Asks before an override is deleted. */
export function DeleteDialog({ onClose, override, seen }: DeleteDialogProps): JSX.Element {
  const write = useOverrideWrite(seen.schedule.id, () => {
    announce('The override was deleted.');
    onClose();
  });
  const changes = write.data?.changes ?? [];
  const answering = write.isPending ? 'The server is answering.' : undefined;
  return (
    <Modal title={`Delete the override “${override.alias}”?`} {...(!write.isPending && { onClose })}>
      <p>{overrideText(override, seen.schedule.timezone)}. Afterwards the rotations and other overrides count.</p>
      <SeenChanges of="The schedule" changes={changes} />
      {write.error !== null && <Problem error={write.error} />}
      <div className={ui['row']}>
        <Button
          look="primary"
          disabledReason={answering}
          onClick={() => {
            write.mutate({ kind: 'delete', alias: override.alias, seen: write.data?.seen ?? seen });
          }}
        >
          {changes.length > 0 ? 'Delete all the same' : 'Delete'}
        </Button>
        <Button disabledReason={answering} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Modal>
  );
}
