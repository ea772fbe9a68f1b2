import type { JSX } from 'react';
import { problemText } from '../api/problem-text.ts';
import { Button } from './button.tsx';
import styles from './ui.module.css';

interface ProblemProps {
  readonly error: unknown;
  /** What failed, before the text of the failure, such as `Assign: `. */
  readonly of?: string;
  readonly onRetry?: () => void;
}

/** A failure in the place of what it was to show. */
export function Problem({ error, of = '', onRetry }: ProblemProps): JSX.Element {
  const { advice, requestId, what } = problemText(error);
  return (
    <div role="alert" className={styles['problem']}>
      <p>
        <strong>
          {of}
          {what}
        </strong>{' '}
        {advice}
      </p>
      {requestId !== undefined && <p className={styles['hint']}>Request id: {requestId}</p>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
