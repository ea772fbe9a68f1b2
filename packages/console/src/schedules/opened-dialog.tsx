import type { JSX } from 'react';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { Opened } from './opened.ts';
import { OverrideDialog } from './override-dialog.tsx';

interface OpenedDialogProps {
  readonly opened: Opened | undefined;
  /** Why the person cannot change overrides. */
  readonly refused: string | undefined;
  readonly onClose: () => void;
}

/** The dialog of a schedule that is open. It is no part of the timeline, so it stays while that cannot be read. */
export function OpenedDialog({ onClose, opened, refused }: OpenedDialogProps): JSX.Element {
  return (
    <DialogBoundary key={opened?.kind ?? 'none'} onFail={onClose}>
      {opened?.kind === 'override' && <OverrideDialog opened={opened} refused={refused} onClose={onClose} />}
      {opened?.kind === 'delete' && <DeleteDialog override={opened.override} seen={opened.seen} onClose={onClose} />}
    </DialogBoundary>
  );
}
