import type { JSX, ReactNode } from 'react';
import { announce } from '../shell/announcer.tsx';
import { Button } from './button.tsx';
import styles from './ui.module.css';

interface RowsFieldProps<T> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** What one of them is called, such as `Detail`. */
  readonly rowName: string;
  readonly rows: readonly T[];
  readonly newRow: T;
  /** Why no row can be added; undefined where one can. */
  readonly addRefused?: string | undefined;
  readonly onChange: (rows: readonly T[]) => void;
  /** The fields of one row. */
  readonly children: (row: T, change: (next: T) => void) => ReactNode;
}

/** A field for a list, of which each row has fields of its own. */
export function RowsField<T>(props: RowsFieldProps<T>): JSX.Element {
  const { addRefused, children, error, hint, label, newRow, onChange, rowName, rows } = props;
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['label']}>{label}</legend>
      {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
      {rows.length > 0 && (
        <ol className={styles['rows']}>
          {rows.map((row, index) => (
            <li key={index}>
              <div role="group" aria-label={`${rowName} ${index + 1}`} className={styles['fields']}>
                {children(row, (next) => {
                  onChange(rows.with(index, next));
                })}
                <Button
                  aria-label={`Remove ${rowName.toLowerCase()} ${index + 1}`}
                  onClick={() => {
                    onChange(rows.toSpliced(index, 1));
                    announce(`${rowName} ${index + 1} was removed.`);
                  }}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      <Button
        disabledReason={addRefused}
        onClick={() => {
          onChange([...rows, newRow]);
        }}
      >
        Add a {rowName.toLowerCase()}
      </Button>
      {error !== undefined && (
        <p role="alert" className={styles['error']}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
