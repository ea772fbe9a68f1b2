import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type JSX, useId, useState } from 'react';
import { call } from '../api/call.ts';
import { useAccountChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { MOVE_PATH, moveQuery } from './queries.ts';

/** For those who can: deletes the check once the move is over. */
export function EndSection(): JSX.Element | undefined {
  const headingId = useId();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const refused = useAccountChangesRefused();
  const close = () => {
    setOpen(false);
  };
  const write = useMutation({
    mutationFn: () => call({ method: 'DELETE', path: MOVE_PATH }),
    onSuccess: () => {
      client.setQueryData(moveQuery.queryKey, null);
      announce('The check was deleted.');
      close();
    },
    onSettled: () => client.invalidateQueries(moveQuery),
  });
  if (refused !== undefined) return undefined;
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Once the move is over</h2>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        Delete the check
      </Button>
      {isOpen && (
        <ConfirmDialog
          title="Delete the check?"
          action="Delete it"
          write={write}
          onConfirm={() => {
            write.mutate();
          }}
          onClose={close}
        >
          <p>
            Nothing else changes: not what was imported, and not shadow. The next check that is published is shown here
            again.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
