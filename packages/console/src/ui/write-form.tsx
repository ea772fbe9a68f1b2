import type { JSX, ReactNode } from 'react';
import { faultAt } from '../api/problem-text.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';
import ui from './ui.module.css';

interface WriteFormProps {
  /** The accessible name of the form, where the page has several. */
  readonly label?: string;
  readonly children: ReactNode;
  /** What the button says. */
  readonly action: string;
  /** The fields whose refusals stand at them; all other failures stand above the button. */
  readonly fields: readonly string[];
  readonly write: { readonly error: unknown; readonly isPending: boolean };
  readonly disabledReason?: string | undefined;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
}

/** A form that writes one thing. It keeps what was typed where the server refuses it. */
export function WriteForm(props: WriteFormProps): JSX.Element {
  const { action, children, disabledReason, fields, label, onCancel, onSubmit, write } = props;
  const reason = write.isPending ? 'The server is answering.' : disabledReason;
  const isSaidAtField = fields.some((name) => faultAt(write.error, name, '') !== undefined);
  return (
    <form
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) onSubmit();
      }}
    >
      {children}
      {write.error !== null && !isSaidAtField && <Problem error={write.error} />}
      <div className={ui['row']}>
        <Button type="submit" look="primary" disabledReason={reason}>
          {action}
        </Button>
        {onCancel && (
          <Button disabledReason={write.isPending ? reason : undefined} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
