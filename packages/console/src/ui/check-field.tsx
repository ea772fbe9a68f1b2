import { type JSX, useId } from 'react';
import { FieldNotes } from './text-field.tsx';
import styles from './ui.module.css';

interface CheckFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A field for yes or no. */
export function CheckField({ error, hint, isChecked, label, onChange }: CheckFieldProps): JSX.Element {
  const id = useId();
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className={styles['checked']}>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={isChecked}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={notes.length > 0 ? notes.join(' ') : undefined}
          onChange={(event) => {
            onChange(event.target.checked);
          }}
        />
        {label}
      </label>
      <FieldNotes error={error} hint={hint} id={id} />
    </div>
  );
}
