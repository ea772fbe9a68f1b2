import { Dialog } from '@base-ui/react/dialog';
import type { JSX, ReactNode } from 'react';
import styles from './ui.module.css';

interface ModalProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Absent where the dialog has to be answered. */
  readonly onClose?: () => void;
  /** Whether a click beside the dialog leaves it open, because what was typed would be lost. */
  readonly keepsInput?: boolean;
}

/** A dialog over the page. It holds the focus until it is closed, and then returns it. */
export function Modal({ children, keepsInput = false, onClose, title }: ModalProps): JSX.Element {
  return (
    <Dialog.Root
      open
      disablePointerDismissal={onClose === undefined || keepsInput}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose?.();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup className={styles['dialog']}>
          <Dialog.Title>{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
