import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { writeAlert } from './alert-write.ts';
import type { Alert } from './queries.ts';
import { useAlertWrite } from './use-alert-write.ts';

interface DirectActionsProps {
  readonly alert: Alert;
  readonly reasonFor: (action: 'own' | 'unacknowledge') => string | undefined;
  readonly onDone: (text: string) => void;
}

/** The actions that need no input. */
export function DirectActions({ alert, onDone, reasonFor }: DirectActionsProps): JSX.Element {
  const { user } = useSession();
  const roleRefused = useAlertChangesRefused();
  const write = useAlertWrite(({ action }) => {
    onDone(action === 'assign' ? 'You own the alert.' : 'The acknowledgement was taken back.');
  });
  const underWay = write.isPending ? 'The last action is under way.' : undefined;
  return (
    <>
      <Button
        disabledReason={reasonFor('own') ?? roleRefused ?? underWay}
        onClick={() => {
          write.mutate({ id: alert.id, action: 'assign', body: { owner: { username: user.username } } });
        }}
      >
        Take ownership
      </Button>
      <Button
        disabledReason={reasonFor('unacknowledge') ?? roleRefused ?? underWay}
        onClick={() => {
          write.mutate({ id: alert.id, action: 'unacknowledge' });
        }}
      >
        Unacknowledge
      </Button>
      <WriteFault error={write.error} fault={write.data?.fault} />
    </>
  );
}

interface WriteFaultProps {
  readonly error: Error | null;
  readonly fault: string | undefined;
  /** Which action failed, where that is not plain. */
  readonly of?: string;
}

/** Why a write did not happen. */
export function WriteFault({ error, fault, of = '' }: WriteFaultProps): JSX.Element {
  return (
    <>
      {error !== null && <Problem error={error} of={of} />}
      {fault !== undefined && (
        <p role="alert" className={ui['error']}>
          {of}
          {fault}
        </p>
      )}
    </>
  );
}

interface CustomActionsProps {
  readonly alert: Alert;
  readonly onDone: (text: string) => void;
}

/** The custom actions that the alert lists. */
export function CustomActions({ alert, onDone }: CustomActionsProps): JSX.Element {
  const roleRefused = useAlertChangesRefused();
  const write = useAlertWrite(({ name = '' }) => {
    onDone(`The action ${name} was executed. The log has it.`);
  });
  const refused = roleRefused ?? (write.isPending ? 'The last action is under way.' : undefined);
  return (
    <>
      {alert.actions.map((name) => (
        <Button
          key={name}
          disabledReason={refused}
          onClick={() => {
            write.mutate({ id: alert.id, action: 'actions', name });
          }}
        >
          Execute {name}
        </Button>
      ))}
      <WriteFault error={write.error} fault={write.data?.fault} />
    </>
  );
}

/** Deletes the alert, after it was confirmed, and goes to the list. */
export function DeleteAlert({ alert: { id, message } }: { readonly alert: Alert }): JSX.Element {
  const client = useQueryClient();
  const go = useGo();
  const [isAsked, setAsked] = useState(false);
  const roleRefused = useAlertChangesRefused();
  const write = useMutation({
    mutationFn: async () => {
      const fault = await writeAlert({ id, action: 'delete' });
      if (fault !== undefined) throw new CallError({ status: 409, message: fault });
    },
    onSuccess: async () => {
      announce('The alert was deleted.');
      go(paths.alerts(), { replace: true });
      await client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  const close = () => {
    setAsked(false);
  };
  return (
    <>
      <Button
        disabledReason={roleRefused}
        onClick={() => {
          write.reset();
          setAsked(true);
        }}
      >
        Delete …
      </Button>
      <DialogBoundary key={String(isAsked)} onFail={close}>
        {isAsked && (
          <ConfirmDialog
            title={`Delete ${message}?`}
            action="Delete"
            write={write}
            onConfirm={() => {
              write.mutate();
            }}
            onClose={close}
          >
            <p>Its notes, log and files are deleted with it. They cannot be restored.</p>
          </ConfirmDialog>
        )}
      </DialogBoundary>
    </>
  );
}
