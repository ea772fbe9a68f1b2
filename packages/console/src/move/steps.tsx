import { type JSX, useId } from 'react';
import { CopyButtons } from '../integrations/copy-text.tsx';
import type { Step } from './move.ts';
import styles from './move.module.css';

/** Commands to run, one after the other, each to copy. */
export function Steps({ steps, title }: { readonly steps: readonly Step[]; readonly title: string }): JSX.Element {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <ol className={styles['steps']}>
        {steps.map(({ command, what }) => (
          <li key={command}>
            <p>{what}</p>
            <code className={styles['command']}>{command}</code>
            <CopyButtons texts={{ [`command ${nameOf(command)}`]: command }} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A command without its options. */
const nameOf = (command: string): string => command.split(' --')[0] ?? command;
