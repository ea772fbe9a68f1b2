import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { useGuardedWrite } from '../api/guarded-write.ts';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { ActionFields } from './action-fields.tsx';
import { type ActionForm, type ActionPlace, bodyWith, formOf, placeNow, refusedOf } from './action-form.ts';
import { ActionList } from './actions-section.tsx';
import { actionChanges, type ActionGroup, GROUP_VERBS, GROUPS } from './actions.ts';
import { kindOf } from './integration.ts';
import styles from './integrations.module.css';
import {
  type Actions,
  actionsQuery,
  allIntegrations,
  integrationPath,
  integrationQuery,
  readActions,
} from './queries.ts';
import { TryDraft } from './try-draft.tsx';

/** The actions of an integration, each with a form. */
export function ActionsPage(): JSX.Element {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery(integrationQuery(id));
  const actions = useQuery(actionsQuery(id));
  const refused = useTeamChangesRefused(query.data?.ownerTeam);
  const name = query.data?.name;
  return (
    <>
      <p>
        <PageLink to={paths.integration(id)}>{name ?? 'The integration'}</PageLink>
      </p>
      <PageHeading title={name === undefined ? 'Actions' : `Actions of ${name}`} isReady={!query.isPending} />
      <p>They are tried in this order, and the first that fits is taken. Where none fits, nothing is done.</p>
      <Loaded query={actions} height="40vh">
        {(data) => <ActionsEditor actions={data} refused={refused} />}
      </Loaded>
    </>
  );
}

interface ActionsEditorProps {
  readonly actions: Actions;
  readonly refused: string | undefined;
}

const KINDS = GROUPS.map((value) => ({ value, name: `Actions that ${GROUP_VERBS[value]}` }));

function ActionsEditor({ actions, refused }: ActionsEditorProps): JSX.Element {
  const [opened, setOpened] = useState<ActionPlace>();
  const [kind, setKind] = useState<ActionGroup>('ignore');
  const close = () => {
    setOpened(undefined);
  };
  if (opened !== undefined) return <ActionEditor place={opened} actions={actions} refused={refused} onClose={close} />;
  return (
    <>
      <ActionList actions={actions} refused={refused} onChange={setOpened} />
      <h2>Another action</h2>
      <SelectField label="What it does" value={kind} options={KINDS} onValue={setKind} />
      <Button
        disabledReason={refused}
        onClick={() => {
          setOpened({ type: kind, index: actions[kind].length });
        }}
      >
        Add an action
      </Button>
    </>
  );
}

interface ActionEditorProps extends ActionsEditorProps {
  readonly place: ActionPlace;
  readonly onClose: () => void;
}

/** What was typed, and what its person saw of the actions when they began. */
interface Typed {
  readonly form: ActionForm;
  readonly seen: Actions;
}

function ActionEditor({ actions, onClose, place, refused }: ActionEditorProps): JSX.Element {
  const { id, type: integrationType } = actions._parent;
  const client = useQueryClient();
  const draft = `action ${id} ${place.type} ${place.index}`;
  const [{ form, seen }, setTyped] = useState((): Typed => {
    return (readDraft(draft) as Typed | undefined) ?? { form: formOf(actions[place.type][place.index]), seen: actions };
  });
  const close = () => {
    keepDraft(draft, '');
    onClose();
  };
  const write = useGuardedWrite(seen, {
    read: () => readActions(id),
    changesBetween: actionChanges,
    onDone: async () => {
      await client.invalidateQueries(allIntegrations);
      announce('The action was saved.');
      close();
    },
  });
  const [sent, setSent] = useState(place);
  const [refusedDraft, setRefusedDraft] = useState<Readonly<Record<string, string>>>({});
  const save = () => {
    write.save((now) => {
      const at = placeNow(place, seen, now);
      setSent(at);
      return call({ method: 'PUT', path: `${integrationPath(id)}/actions`, body: bodyWith(form, at, now) });
    });
  };
  const name = seen[place.type][place.index]?.name;
  const kind = kindOf(integrationType);
  const refusedFields =
    write.error instanceof CallError ? refusedOf(write.error.fields, sent) : refusedOf(refusedDraft, place);
  return (
    <div className={styles['beside']}>
      <WriteForm
        label="Action"
        action={write.changes.length > 0 ? 'Save all the same' : 'Save'}
        fields={[]}
        write={write}
        disabledReason={refused}
        onSubmit={save}
        onCancel={close}
      >
        <h2>{name === undefined ? 'A new action' : `Action ${name}`}</h2>
        <ActionFields
          type={place.type}
          of={kind === 'mail' ? 'mail' : 'alert'}
          form={form}
          refused={refusedFields}
          onChange={(change) => {
            const kept: Typed = { form: { ...form, ...change }, seen };
            write.forgetError();
            setRefusedDraft({});
            setTyped(kept);
            keepDraft(draft, JSON.stringify(kept));
          }}
        />
        <SeenChanges of="The list of actions" changes={write.changes} />
      </WriteForm>
      {kind === 'key' && (
        <TryDraft
          integrationId={id}
          integrationType={integrationType}
          actions={bodyWith(form, place, seen)}
          onDraftRefused={setRefusedDraft}
        />
      )}
    </div>
  );
}
