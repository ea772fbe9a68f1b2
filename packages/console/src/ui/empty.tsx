import type { JSX, ReactNode } from 'react';
import styles from './ui.module.css';

/** What a page shows where there is nothing to list: what would be here, and how it comes. */
export function Empty({ children, title }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
