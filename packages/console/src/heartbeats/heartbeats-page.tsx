import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { useMayChangeSomeTeam } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { found, inOrder, stateOf } from './heartbeat.ts';
import { HeartbeatDialog } from './heartbeat-dialog.tsx';
import { HeartbeatItem, type OpenedHeartbeat } from './heartbeat-item.tsx';
import styles from './heartbeats.module.css';
import { type Heartbeat, heartbeatsQuery } from './queries.ts';
import { act } from './write.ts';

/** Which systems are silent, and when each is expected to ping. */
export function HeartbeatsPage(): JSX.Element {
  const query = useQuery(heartbeatsQuery);
  const [opened, setOpened] = useState<OpenedHeartbeat>();
  const close = () => {
    setOpened(undefined);
  };
  return (
    <>
      <PageHeading title="Heartbeats" />
      <p>A heartbeat opens an alert where a system does not ping in time, and closes it with the next ping.</p>
      <AddButton
        onAdd={() => {
          setOpened({ kind: 'add' });
        }}
      />
      <Loaded query={query} height="16rem">
        {(heartbeats) =>
          heartbeats.length === 0 ? (
            <Empty title="No heartbeats">
              <p>Add one for each system whose silence is to page a team, such as a backup that runs each night.</p>
            </Empty>
          ) : (
            <HeartbeatList heartbeats={heartbeats} onOpen={setOpened} />
          )
        }
      </Loaded>
      <DialogBoundary key={opened?.kind ?? 'none'} onFail={close}>
        {opened?.kind === 'delete' && opened.heartbeat && <DeleteDialog heartbeat={opened.heartbeat} onClose={close} />}
        {(opened?.kind === 'add' || opened?.kind === 'change') && (
          <HeartbeatDialog changed={opened.heartbeat} onClose={close} />
        )}
      </DialogBoundary>
    </>
  );
}

function AddButton({ onAdd }: { readonly onAdd: () => void }): JSX.Element {
  const mayAdd = useMayChangeSomeTeam();
  return (
    <div className={styles['bar']}>
      <Button
        look="primary"
        disabledReason={mayAdd ? undefined : 'Only an admin of a team, or of the account, can add one.'}
        onClick={onAdd}
      >
        Add a heartbeat
      </Button>
    </div>
  );
}

/** How many are listed before a person searches. */
const MAX_LISTED = 100;

interface HeartbeatListProps {
  readonly heartbeats: readonly Heartbeat[];
  readonly onOpen: (opened: OpenedHeartbeat) => void;
}

function HeartbeatList({ heartbeats, onOpen }: HeartbeatListProps): JSX.Element {
  const now = useNow(15_000);
  const [text, setText] = useState('');
  const listed = inOrder(found(heartbeats, text), now);
  const expired = heartbeats.filter((each) => stateOf(each, now) === 'expired').length;
  return (
    <>
      <TextField
        label="Name or team"
        type="search"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
        }}
      />
      <p role="status" className={ui['hint']}>
        {listed.length > MAX_LISTED ? `The first ${MAX_LISTED} of ${listed.length}.` : `Heartbeats: ${listed.length}.`}{' '}
        {expired === 0 ? 'None is expired.' : `${expired} expired.`}
      </p>
      <ul className={styles['list']}>
        {listed.slice(0, MAX_LISTED).map((heartbeat) => (
          <HeartbeatItem key={heartbeat.name} heartbeat={heartbeat} onOpen={onOpen} />
        ))}
      </ul>
    </>
  );
}

interface DeleteDialogProps {
  readonly heartbeat: Heartbeat;
  readonly onClose: () => void;
}

function DeleteDialog({ heartbeat: { name }, onClose }: DeleteDialogProps): JSX.Element {
  const client = useQueryClient();
  const write = useMutation({
    mutationFn: () => act('delete', name),
    onSuccess: async () => {
      announce(`${name} was deleted.`);
      onClose();
      await client.invalidateQueries(heartbeatsQuery);
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <p>Its open alert is closed. Pings that still come change nothing.</p>
    </ConfirmDialog>
  );
}
