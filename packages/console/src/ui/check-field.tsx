import type { JSX } from 'react';
import styles from './ui.module.css';

interface CheckFieldProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A field for yes or no. */
export function CheckField({ isChecked, label, onChange }: CheckFieldProps): JSX.Element {
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => {
          onChange(event.target.checked);
        }}
      />
      {label}
    </label>
  );
}
