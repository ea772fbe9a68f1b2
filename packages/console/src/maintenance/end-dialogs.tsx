import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { TimeField } from '../schedules/time-field.tsx';
import { localZone } from '../schedules/time-text.ts';
import { fieldOf, instantOfField } from '../schedules/wall-field.ts';
import { announce } from '../shell/announcer.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { refusedFields } from './form.ts';
import { type WholeWindow, WINDOWS } from './queries.ts';
import { useEntities } from './use-entities.ts';
import type { OpenedWindow } from './window-item.tsx';
import { changesBetween, spanOf } from './windows.ts';
import { changeWindow, deleteWindow, endWindow } from './write.ts';

interface EndDialogProps {
  readonly opened: OpenedWindow;
  readonly onClose: () => void;
}

const TEXTS = {
  end: {
    title: 'End the window now?',
    what: 'Its integrations make alerts again, and its policies are as their own switches say. It cannot begin again.',
    action: 'End it',
    done: 'The window has ended.',
  },
  delete: {
    title: 'Delete the window?',
    what: 'One that is on ends with it. It is in no list afterwards.',
    action: 'Delete it',
    done: 'The window was deleted.',
  },
} as const;

/** Asks before a window is ended or deleted. */
export function EndDialog({ onClose, opened: { kind, window } }: EndDialogProps): JSX.Element {
  const client = useQueryClient();
  const { action, done, title, what } = TEXTS[kind === 'end' ? 'end' : 'delete'];
  const write = useMutation({
    mutationFn: () => (kind === 'end' ? endWindow(window.id) : deleteWindow(window.id)),
    onSuccess: () => {
      announce(done);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: WINDOWS }),
  });
  return (
    <ConfirmDialog
      title={title}
      action={action}
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <p>{what}</p>
    </ConfirmDialog>
  );
}

interface MoveEndDialogProps {
  readonly window: WholeWindow;
  readonly onClose: () => void;
}

const HOUR_MS = 3_600_000;

interface EndWrite {
  readonly endDate: string;
  readonly seen: WholeWindow;
}

/** Moves the end of a window that is on. */
export function MoveEndDialog({ onClose, window: opened }: MoveEndDialogProps): JSX.Element {
  const client = useQueryClient();
  const zone = localZone();
  // The list behind the dialog goes on.
  const [window] = useState(opened);
  const [field, setField] = useState(() => fieldOf(spanOf(window)?.until ?? nextHour(), zone));
  const { data: entities = [] } = useQuery(useEntities());
  const write = useMutation({
    mutationFn: ({ endDate, seen }: EndWrite) =>
      changeWindow({
        seen,
        change: { endDate },
        changesBetween: (before, now) => changesBetween(before, now, { entities, zone }),
      }),
    onSuccess: ({ changes }) => {
      if (changes.length > 0) return;
      announce('The end was moved.');
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: WINDOWS }),
  });
  const end = instantOfField(field, zone, spanOf(window)?.until);
  const changes = write.data?.changes ?? [];
  const fault = end.at === undefined ? end.fault : refusedFields(write.error).until;
  return (
    <Modal title="Move the end of the window" {...(!write.isPending && { onClose })} keepsInput>
      <WriteForm
        action={changes.length > 0 ? 'Move it all the same' : 'Move it'}
        fields={[]}
        write={{ isPending: write.isPending, error: fault === undefined ? write.error : null }}
        onSubmit={() => {
          if (end.at === undefined) return;
          write.mutate({ endDate: new Date(end.at).toISOString(), seen: write.data?.seen ?? window });
        }}
        onCancel={onClose}
      >
        <TimeField label="Until" zone={zone} field={field} error={fault} onChange={setField} />
        <SeenChanges of="The window" changes={changes} />
      </WriteForm>
    </Modal>
  );
}

const nextHour = (): number => Math.ceil(serverNow() / HOUR_MS) * HOUR_MS;
