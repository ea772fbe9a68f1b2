import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { localZone } from '../schedules/time-text.ts';
import { useTeamsChangesRefused } from '../session/use-rights.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { ruleText } from './entities.ts';
import styles from './maintenance.module.css';
import { type WholeWindow, type Window, windowQuery } from './queries.ts';
import { useEntities, useOwners } from './use-entities.ts';
import { whenText } from './windows.ts';

/** A dialog of a window. */
export interface OpenedWindow {
  readonly kind: 'change' | 'move-end' | 'end' | 'delete';
  readonly window: WholeWindow;
}

interface WindowItemProps {
  readonly window: Window;
  readonly onOpen: (opened: OpenedWindow) => void;
}

const STATUS_TEXTS: Readonly<Record<Window['status'], string>> = {
  active: 'On now',
  planned: 'Planned',
  past: 'Over',
  cancelled: 'Ended before its time',
};

/** A window, and what can be done with it. */
export function WindowItem({ onOpen, window }: WindowItemProps): JSX.Element {
  const now = useNow(15_000);
  // Its rules are read again where its status changes.
  const query = useQuery(windowQuery(window.id));
  const { description, status } = window;
  return (
    <li className={styles['window']} data-status={status}>
      <h3>{description === '' ? 'Maintenance' : description}</h3>
      <p className={styles['status']}>{STATUS_TEXTS[status]}</p>
      <p>{whenText(window, localZone(), now)}</p>
      <Loaded query={query} height="5rem">
        {(whole) => <Rules window={{ ...whole, ...window }} onOpen={onOpen} />}
      </Loaded>
    </li>
  );
}

interface RulesProps {
  readonly window: WholeWindow;
  readonly onOpen: (opened: OpenedWindow) => void;
}

function Rules({ onOpen, window }: RulesProps): JSX.Element {
  const { data: entities = [] } = useQuery(useEntities());
  const { description, rules, status } = window;
  const refused = useTeamsChangesRefused(useOwners(rules, entities));
  const button = (text: string, kind: OpenedWindow['kind']) => (
    <Button
      aria-label={description === '' ? undefined : `${text}: ${description}`}
      disabledReason={refused}
      onClick={() => {
        onOpen({ kind, window });
      }}
    >
      {text}
    </Button>
  );
  return (
    <>
      <ul className={styles['rules']}>
        {rules.map((rule) => (
          <li key={`${rule.entity.type} ${rule.entity.id} ${rule.state}`}>{ruleText(rule, entities)}</li>
        ))}
      </ul>
      <div className={ui['row']}>
        {status === 'active' && button('End now', 'end')}
        {status === 'active' && button('Move the end', 'move-end')}
        {status === 'planned' && button('Change', 'change')}
        {button('Delete', 'delete')}
      </div>
    </>
  );
}
