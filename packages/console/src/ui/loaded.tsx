import type { UseQueryResult } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import { hidesData } from '../api/call-error.ts';
import { Problem } from './problem.tsx';
import styles from './ui.module.css';

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** The height that the content will have, such as `12rem`, so that the page does not move when it comes. */
  readonly height: string;
  readonly children: (data: T) => ReactNode;
}

/**
 * The answer of a query, its failure, or the space that it will take. The last answer stays while a later read fails, unless the failure
 * says that there is no answer any more.
 */
export function Loaded<T>({ children, height, query }: LoadedProps<T>): JSX.Element {
  if (query.data !== undefined && !hidesData(query.error)) return <>{children(query.data)}</>;
  if (query.error !== null) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton height={height} />;
}

export function Skeleton({ height }: { readonly height: string }): JSX.Element {
  return (
    <div aria-busy="true" className={styles['skeleton']} style={{ height }}>
      <span className={styles['hidden']}>Loading…</span>
    </div>
  );
}
