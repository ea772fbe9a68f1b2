import type { JSX } from 'react';
import styles from './ui.module.css';

/** How many are listed. */
const MAX_LISTED = 10;

interface SeenChangesProps {
  /** What was changed, such as `The schedule`. */
  readonly of: string;
  readonly changes: readonly string[];
}

/** What another person changed meanwhile, to decide by. Nothing was written. */
export function SeenChanges({ changes, of }: SeenChangesProps): JSX.Element | undefined {
  if (changes.length === 0) return undefined;
  return (
    <div role="alert" className={styles['changes']}>
      <p>
        <strong>{of} was changed since you saw it.</strong> Nothing was written. Look at the changes, and decide.
      </p>
      <ul>
        {changes.slice(0, MAX_LISTED).map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {changes.length > MAX_LISTED && <p>And {changes.length - MAX_LISTED} more.</p>}
    </div>
  );
}
