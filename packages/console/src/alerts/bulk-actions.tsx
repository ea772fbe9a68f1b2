import { useQueryClient } from '@tanstack/react-query';
import { type JSX, lazy, Suspense, useState } from 'react';
import { pause } from '../api/pause.ts';
import { noteEnd } from '../session/session.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/loaded.tsx';
import { BULK_FORMS, type BulkForm, FORM_ACTIONS, notePlace } from './actions.ts';
import { type AlertWrite, writeAlert } from './alert-write.ts';
import styles from './alerts.module.css';
import { actOnAll, bulkDraftPlace, type BulkResult, countsOf, removeBulkDraft } from './bulk.ts';
import type { AlertItem } from './queries.ts';

interface BulkActionsProps {
  readonly selected: readonly AlertItem[];
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  /** Called for each alert of an action as soon as its result is known. */
  readonly onResult: (result: BulkResult<AlertItem>) => void;
}

const BulkActionForm = lazy(async () => ({ default: (await import('./bulk-action-form.tsx')).BulkActionForm }));

const ACTIONS = {
  acknowledge: { name: 'Acknowledge', done: 'acknowledged' },
  close: { name: 'Close', done: 'closed' },
} as const;
type Action = keyof typeof ACTIONS;

const doneWord = (action: Run['action']): string =>
  action === 'acknowledge' || action === 'close' ? ACTIONS[action].done : FORM_ACTIONS[action].done;

interface Run {
  readonly action: Action | BulkForm;
  readonly count: number;
  readonly results: readonly BulkResult<AlertItem>[];
  readonly isDone: boolean;
}

/** Does the same to all selected alerts, with a result for each. Those that failed stay selected. */
export function BulkActions({ onResult, onSelect, selected }: BulkActionsProps): JSX.Element {
  const client = useQueryClient();
  const roleRefused = useAlertChangesRefused();
  const [run, setRun] = useState<Run>();
  const [open, setOpen] = useState<BulkForm>();
  const isRunning = run?.isDone === false;
  const refused = roleRefused ?? (isRunning ? 'The last action is under way.' : undefined);
  const noSelection = selected.length === 0 ? 'Select alerts in the list.' : undefined;
  const start = async (action: Run['action'], body?: AlertWrite['body']): Promise<Run['results']> => {
    const alerts = selected;
    const began: Run = { action, count: alerts.length, results: [], isDone: false };
    setRun(began);
    const results = await actOnAll(alerts, {
      act: ({ id }) =>
        writeAlert({ id, action, ...(body && { body }) }).catch((error: unknown) => {
          noteEnd(error);
          throw error;
        }),
      wait: pause,
      onResult: (result) => {
        onResult(result);
        setRun((now) => now && { ...now, results: [...now.results, result] });
      },
    });
    setRun({ ...began, results, isDone: true });
    announce(resultText({ ...began, results, isDone: true }));
    await client.invalidateQueries({ queryKey: ['alerts'] });
    return results;
  };
  const startForm = async (action: BulkForm, body: AlertWrite['body'], typed: string) => {
    setOpen(undefined);
    const results = await start(action, body);
    const place = bulkDraftPlace(action);
    removeBulkDraft(place, typed, results);
    removeBulkDraft(notePlace(place), body?.note ?? '', results);
  };
  return (
    <div className={styles['bulk']} data-idle={selected.length === 0 && run === undefined}>
      {(Object.keys(ACTIONS) as Action[]).map((action) => (
        <Button key={action} disabledReason={refused ?? noSelection} onClick={() => void start(action)}>
          {ACTIONS[action].name}
        </Button>
      ))}
      {BULK_FORMS.map((action) => (
        <Button
          key={action}
          aria-expanded={open === action}
          disabledReason={refused ?? noSelection}
          onClick={() => {
            setOpen(open === action ? undefined : action);
          }}
        >
          {FORM_ACTIONS[action].name}
        </Button>
      ))}
      {selected.length > 0 && (
        <>
          <span>{selected.length} selected</span>
          <Button
            look="plain"
            onClick={() => {
              onSelect(new Set());
            }}
          >
            Select none
          </Button>
        </>
      )}
      {open !== undefined && (
        <Suspense fallback={<Skeleton height="8rem" />}>
          <BulkActionForm
            key={open}
            action={open}
            disabledReason={refused ?? noSelection}
            onSubmit={(body, typed) => void startForm(open, body, typed)}
          />
        </Suspense>
      )}
      {run && (
        <RunResults
          run={run}
          onClose={() => {
            setRun(undefined);
          }}
        />
      )}
    </div>
  );
}

function resultText({ action, count, isDone, results }: Run): string {
  const { accepted, done, failed } = countsOf(results);
  const waiting = accepted > 0 ? `, ${accepted} accepted and not applied yet` : '';
  const progress = isDone ? '' : ` The other ${count - results.length} are under way.`;
  return `${done} of ${count} ${doneWord(action)}${waiting}${failed > 0 ? `, ${failed} not` : ''}.${progress}`;
}

function RunResults({ onClose, run }: { readonly run: Run; readonly onClose: () => void }): JSX.Element {
  const failed = run.results.filter(({ fault }) => fault !== undefined);
  return (
    <section aria-label="Results" className={styles['results']}>
      <p>{resultText(run)}</p>
      {failed.length > 0 && (
        <ul>
          {failed.map(({ fault, item }) => (
            <li key={item.id}>
              <PageLink to={paths.alert(item.id)}>{item.message}</PageLink>: {fault}
            </li>
          ))}
        </ul>
      )}
      {run.isDone && <Button onClick={onClose}>Close the results</Button>}
    </section>
  );
}
