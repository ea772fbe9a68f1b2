import type { JSX } from 'react';
import { problemText } from '../api/problem-text.ts';
import { Button } from './button.tsx';
import styles from './ui.module.css';

/** A failure in the place of what it was to show. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): JSX.Element {
  const { advice, requestId, what } = problemText(error);
  return (
    <div role="alert" className={styles['problem']}>
      <p>
        <strong>{what}</strong> {advice}
      </p>
      {requestId !== undefined && <p className={styles['hint']}>Request id: {requestId}</p>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
