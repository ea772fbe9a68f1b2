import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { teamsQuery } from '../people/queries.ts';
import { useSession } from '../session/use-session.ts';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { useTyped } from '../shell/use-typed.ts';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { type Faults, faultsOf, formOf, newForm, refusedFields } from './form.ts';
import { HeartbeatFields } from './heartbeat-fields.tsx';
import { type Heartbeat, heartbeatsQuery } from './queries.ts';
import { changeHeartbeat, createHeartbeat } from './write.ts';

interface HeartbeatDialogProps {
  /** The heartbeat to change; undefined for a new one. */
  readonly changed: Heartbeat | undefined;
  readonly onClose: () => void;
}

/** Creates or changes a heartbeat. */
export function HeartbeatDialog({ changed, onClose }: HeartbeatDialogProps): JSX.Element {
  const client = useQueryClient();
  const { teams } = useSession();
  // The list behind the dialog goes on: the form was filled from what it was when it was opened.
  const [filled] = useState(changed);
  const own = teams.find(({ role }) => role === 'admin');
  const initial = filled === undefined ? newForm(own?.id ?? '') : formOf(filled);
  const { clear, type, typed } = useTyped(`heartbeat ${filled?.name ?? ''}`, initial);
  const [isTried, setTried] = useState(false);
  const owner = useOwner(typed.ownerTeam);
  const refused = useTeamChangesRefused(owner);
  const close = () => {
    clear();
    onClose();
  };
  const write = useMutation({
    mutationFn: (seen: Heartbeat | undefined) =>
      filled === undefined || seen === undefined
        ? createHeartbeat(typed)
        : changeHeartbeat({ form: typed, filled, seen }),
    onSuccess: async ({ changes }) => {
      if (changes.length === 0) {
        announce(filled === undefined ? 'The heartbeat was added.' : 'The heartbeat was changed.');
        close();
      }
      await client.invalidateQueries(heartbeatsQuery);
    },
  });
  const changes = write.data?.changes ?? [];
  const faults: Faults = { ...refusedFields(write.error), ...(isTried && faultsOf(typed, filled)) };
  return (
    <Modal
      title={filled === undefined ? 'Add a heartbeat' : `Change ${filled.name}`}
      {...(!write.isPending && { onClose: close })}
      keepsInput
    >
      <WriteForm
        action={changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={[]}
        // What a field says is not said twice.
        write={{ isPending: write.isPending, error: Object.keys(faults).length > 0 ? null : write.error }}
        disabledReason={refused}
        onSubmit={() => {
          setTried(true);
          if (Object.keys(faultsOf(typed, filled)).length === 0) write.mutate(write.data?.seen ?? filled);
        }}
        onCancel={close}
      >
        <HeartbeatFields form={typed} faults={faults} changed={filled} onType={type} />
        <SeenChanges of={filled?.name ?? 'The heartbeat'} changes={changes} />
      </WriteForm>
    </Modal>
  );
}

/** The team that a form names, with its name once it is known. */
function useOwner(id: string): { readonly id: string; readonly name?: string | undefined } | undefined {
  const { data = [] } = useQuery(teamsQuery);
  return id === '' ? undefined : { id, name: data.find((team) => team.id === id)?.name };
}
