import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { teamsQuery } from '../people/queries.ts';
import { useTeamsChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { useTyped } from '../shell/use-typed.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Modal } from '../ui/modal.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { createBody, type Faults, faultsOf, formOf, type IntegrationForm, newForm, refusedFields } from './form.ts';
import { lostBy } from './integration.ts';
import { IntegrationFields } from './integration-fields.tsx';
import { keepKey, keyPlace } from './key-store.ts';
import { allIntegrations, type Integration } from './queries.ts';
import { act, changeIntegration, createIntegration } from './write.ts';

interface Write {
  readonly error: unknown;
  readonly isPending: boolean;
}

/** What is wrong with a form: what the server refused, and once it was sent what it lacks. */
const shownFaults = (form: IntegrationForm, { error }: Write, isTried: boolean): Faults => ({
  ...refusedFields(error),
  ...(isTried && faultsOf(form)),
});

/** What a field says is not said twice. */
const shownWrite = ({ error, isPending }: Write, faults: Faults): Write => ({
  isPending,
  error: Object.keys(faults).length > 0 ? null : error,
});

/** Creates an integration, and goes to its page, which shows its key. */
export function CreateIntegrationDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const client = useQueryClient();
  const go = useGo();
  const { teams } = useSession();
  const own = teams.find(({ role }) => role === 'admin');
  const { clear, type, typed } = useTyped('new integration', newForm(own?.id ?? ''));
  const [isTried, setTried] = useState(false);
  const refused = useTeamsChangesRefused([useNamedTeam(typed.ownerTeam)]);
  const close = () => {
    clear();
    onClose();
  };
  const write = useMutation({
    mutationFn: () => createIntegration(createBody(typed)),
    onSuccess: async ({ id, key }) => {
      if (key !== undefined) keepKey(keyPlace(id), key);
      clear();
      announce(
        key === undefined ? 'The integration was created.' : 'The integration was created. The page has its key.',
      );
      await client.invalidateQueries(allIntegrations);
      go(paths.integration(id));
    },
  });
  const faults = shownFaults(typed, write, isTried);
  return (
    <Modal title="Create an integration" {...(!write.isPending && { onClose: close })} keepsInput>
      <WriteForm
        action="Create the integration"
        fields={[]}
        write={shownWrite(write, faults)}
        disabledReason={refused}
        onSubmit={() => {
          setTried(true);
          if (Object.keys(faultsOf(typed)).length === 0) write.mutate();
        }}
        onCancel={close}
      >
        <IntegrationFields form={typed} faults={faults} changed={undefined} onType={type} />
      </WriteForm>
    </Modal>
  );
}

interface DialogProps {
  readonly integration: Integration;
  readonly onClose: () => void;
}

/** Changes the name, the team and the rights of an integration. */
export function ChangeIntegrationDialog({ integration, onClose }: DialogProps): JSX.Element {
  const client = useQueryClient();
  // The page behind the dialog goes on: the form was filled from what it was when it was opened.
  const [filled] = useState(integration);
  const { clear, type, typed } = useTyped(`integration ${filled.id}`, formOf(filled));
  const [isTried, setTried] = useState(false);
  const refused = useTeamsChangesRefused([filled.ownerTeam, useNamedTeam(typed.ownerTeam)]);
  const close = () => {
    clear();
    onClose();
  };
  const write = useMutation({
    mutationFn: (seen: Integration) => changeIntegration({ form: typed, filled, seen }),
    onSuccess: async ({ changes }) => {
      if (changes.length === 0) {
        announce('The integration was changed.');
        close();
      }
      await client.invalidateQueries(allIntegrations);
    },
  });
  const changes = write.data?.changes ?? [];
  const faults = shownFaults(typed, write, isTried);
  return (
    <Modal title={`Change ${filled.name}`} {...(!write.isPending && { onClose: close })} keepsInput>
      <WriteForm
        action={changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={[]}
        write={shownWrite(write, faults)}
        disabledReason={refused}
        onSubmit={() => {
          setTried(true);
          if (Object.keys(faultsOf(typed)).length === 0) write.mutate(write.data?.seen ?? filled);
        }}
        onCancel={close}
      >
        <IntegrationFields form={typed} faults={faults} changed={filled} onType={type} />
        <SeenChanges of="The integration" changes={changes} />
      </WriteForm>
    </Modal>
  );
}

/** The team that a form names, with its name once it is known. */
function useNamedTeam(id: string): { readonly id: string; readonly name?: string | undefined } | undefined {
  const { data = [] } = useQuery(teamsQuery);
  return id === '' ? undefined : { id, name: data.find((team) => team.id === id)?.name };
}

/** Asks before an integration is disabled, and says what stops. */
export function DisableDialog({ integration, onClose }: DialogProps): JSX.Element {
  const { id, name } = integration;
  const client = useQueryClient();
  const write = useMutation({
    mutationFn: () => act('disable', id),
    onSuccess: async () => {
      announce(`${name} was disabled.`);
      onClose();
      await client.invalidateQueries(allIntegrations);
    },
  });
  return (
    <ConfirmDialog
      title={`Disable ${name}?`}
      action="Disable it"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <LostList what="disable" integration={integration} />
    </ConfirmDialog>
  );
}

/** Asks before an integration is deleted, and says what stops. */
export function DeleteDialog({ integration, onClose }: DialogProps): JSX.Element {
  const { id, name } = integration;
  const client = useQueryClient();
  const go = useGo();
  const write = useMutation({
    mutationFn: () => act('delete', id),
    onSuccess: async () => {
      announce(`${name} was deleted.`);
      go(paths.integrations(), { replace: true });
      // What is deleted has nothing to read.
      await client.invalidateQueries({ queryKey: [...allIntegrations.queryKey, 'list'] });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete it"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <LostList what="delete" integration={integration} />
      <p>Its actions are deleted with it. Alerts that it created stay. This cannot be taken back.</p>
    </ConfirmDialog>
  );
}

function LostList({
  integration,
  what,
}: Pick<DialogProps, 'integration'> & { readonly what: 'disable' | 'delete' }): JSX.Element {
  return (
    <>
      {lostBy(what, integration).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </>
  );
}
