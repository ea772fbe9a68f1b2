import type { JSX } from 'react';
import ui from '../ui/ui.module.css';
import { type Condition, CONDITION_NAMES, missingOf, STATES } from './move.ts';
import styles from './move.module.css';

/** A condition of the switch, whether it is met, and what is missing. */
export function ConditionItem({ condition }: { readonly condition: Condition }): JSX.Element {
  const { name, state, summary } = condition;
  const { mark, word } = STATES[state];
  const { folded, open, unlisted } = missingOf(condition);
  return (
    <li className={styles['condition']} data-state={state}>
      <h3>
        <span aria-hidden="true" className={styles['mark']}>
          {mark}
        </span>{' '}
        <span className={styles['state']}>{word}:</span> {CONDITION_NAMES[name]}
      </h3>
      <p>{summary}</p>
      <Texts texts={open} />
      {folded.length > 0 && (
        <details className={styles['folded']}>
          <summary>{folded.length} more</summary>
          <Texts texts={folded} />
        </details>
      )}
      {unlisted > 0 && <p className={ui['hint']}>{unlisted} more are not listed in the check.</p>}
    </li>
  );
}

function Texts({ texts }: { readonly texts: readonly string[] }): JSX.Element | undefined {
  if (texts.length === 0) return undefined;
  return (
    <ul>
      {texts.map((text, place) => (
        <li key={`${place} ${text}`}>{text}</li>
      ))}
    </ul>
  );
}
