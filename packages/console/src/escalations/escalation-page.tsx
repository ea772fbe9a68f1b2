import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type JSX, type SubmitEvent, useState } from 'react';
import { call } from '../api/call.ts';
import { useGuardedWrite } from '../api/guarded-write.ts';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import ui from '../ui/ui.module.css';
import flow from '../flow/flow.module.css';
import { EscalationFields } from './escalation-fields.tsx';
import {
  changesBetween,
  type Escalation,
  type EscalationForm,
  formOf,
  readForm,
  refusedFields,
} from './escalation-form.ts';
import { EscalationPreview } from './escalation-preview.tsx';
import { escalationQuery, escalationsQuery, pathOf, readEscalation } from './queries.ts';

/** Who is notified of an alert and who after them: the rules, with a preview of them beside. */
export function EscalationPage(): JSX.Element {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const query = useQuery(escalationQuery(id));
  return (
    <>
      <p>
        <PageLink to={paths.escalations()}>All escalations</PageLink>
      </p>
      <PageHeading key={id} title={query.data?.name ?? 'Escalation'} isReady={!query.isPending} />
      <Loaded query={query} height="60vh">
        {(escalation) => <EscalationEditor key={escalation.id} escalation={escalation} />}
      </Loaded>
    </>
  );
}

/** What was typed, and what its person saw of the escalation when they began. */
interface Typed {
  readonly form: EscalationForm;
  readonly seen: Escalation;
}

const placeOf = (id: string): string => `escalation ${id}`;

function typedBefore(id: string): Typed | undefined {
  return readDraft(placeOf(id)) as Typed | undefined;
}

function EscalationEditor({ escalation }: { readonly escalation: Escalation }): JSX.Element {
  const { id, ownerTeam } = escalation;
  const refused = useTeamChangesRefused(ownerTeam);
  const client = useQueryClient();
  const [typed, setTyped] = useState(() => typedBefore(id));
  const [isTried, setTried] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { form, seen } = typed ?? { form: formOf(escalation), seen: escalation };
  const forget = () => {
    keepDraft(placeOf(id), '');
    setTyped(undefined);
    setTried(false);
  };
  const write = useGuardedWrite(seen, {
    read: () => readEscalation(id),
    changesBetween,
    onDone: async () => {
      await Promise.all([client.invalidateQueries(escalationQuery(id)), client.invalidateQueries(escalationsQuery)]);
      forget();
      announce('The escalation was saved.');
    },
  });
  const read = readForm(form);
  const refusedAt = refusedFields(write.error, form);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    const { body } = read;
    if (body !== undefined) write.save(() => call({ method: 'PATCH', path: pathOf(id), body }));
  };
  const answering = write.isPending ? 'The server is answering.' : undefined;
  const same = typed === undefined ? 'Nothing was changed.' : undefined;
  return (
    <>
      <p className={ui['hint']}>
        {ownerTeam === undefined ? 'It belongs to no team.' : `It belongs to team ${ownerTeam.name ?? ownerTeam.id}.`}{' '}
        An alert that is under way keeps the rules with which it began.
      </p>
      <div className={flow['page']}>
        <form noValidate onSubmit={submit} aria-label="Escalation">
          <EscalationFields
            form={form}
            faults={{ ...refusedAt, ...(isTried && read.faults) }}
            onChange={(next) => {
              const kept: Typed = { form: next, seen };
              write.forgetError();
              setTyped(kept);
              keepDraft(placeOf(id), JSON.stringify(kept));
            }}
          />
          <SeenChanges of="The escalation" changes={write.changes} />
          {write.error !== null && Object.keys(refusedAt).length === 0 && <Problem error={write.error} />}
          <div className={ui['row']}>
            <Button type="submit" look="primary" disabledReason={refused ?? answering ?? same}>
              {write.changes.length > 0 ? 'Save all the same' : 'Save'}
            </Button>
            <Button disabledReason={answering ?? same} onClick={forget}>
              Discard
            </Button>
            <Button
              disabledReason={refused ?? answering}
              onClick={() => {
                setDeleting(true);
              }}
            >
              Delete
            </Button>
          </div>
        </form>
        <EscalationPreview id={id} name={escalation.name} body={read.body} />
      </div>
      <DialogBoundary
        key={String(isDeleting)}
        onFail={() => {
          setDeleting(false);
        }}
      >
        {isDeleting && (
          <DeleteDialog
            escalation={escalation}
            onClose={() => {
              setDeleting(false);
            }}
          />
        )}
      </DialogBoundary>
    </>
  );
}

interface DeleteDialogProps {
  readonly escalation: Escalation;
  readonly onClose: () => void;
}

function DeleteDialog({ escalation: { id, name }, onClose }: DeleteDialogProps): JSX.Element {
  const client = useQueryClient();
  const go = useGo();
  const write = useMutation({
    mutationFn: () => call({ method: 'DELETE', path: pathOf(id) }),
    onSuccess: async () => {
      keepDraft(placeOf(id), '');
      await client.invalidateQueries(escalationsQuery);
      announce(`${name} was deleted.`);
      go(paths.escalations());
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
      <p>It cannot be deleted while a routing rule or a rotation names it.</p>
    </ConfirmDialog>
  );
}
