import type { JSX, ReactNode } from 'react';
import { Modal } from './modal.tsx';
import { WriteForm } from './write-form.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What the action takes with it. */
  readonly children: ReactNode;
  readonly action: string;
  readonly write: { readonly error: unknown; readonly isPending: boolean };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog({ action, children, onClose, onConfirm, title, write }: ConfirmDialogProps): JSX.Element {
  return (
    <Modal title={title} {...(!write.isPending && { onClose })}>
      <WriteForm action={action} fields={[]} write={write} onSubmit={onConfirm} onCancel={onClose}>
        {children}
      </WriteForm>
    </Modal>
  );
}
