import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { type JSX, type SubmitEvent, useState } from 'react';
import { useGuardedWrite } from '../api/guarded-write.ts';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import ui from '../ui/ui.module.css';
import styles from './policies.module.css';
import { PolicyFields } from './policy-fields.tsx';
import {
  bodyOf,
  changesBetween,
  formOf,
  type Policy,
  type PolicyForm,
  type PolicyKind,
  refusedFields,
} from './policy-form.ts';
import { allPolicies, createPolicy, policyQuery, readPolicy, replacePolicy, teamNamesQuery } from './queries.ts';

/** A policy, or a new one of the kind and the team in the address. */
export function PolicyPage(): JSX.Element {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false });
  const search: { readonly kind?: string; readonly team?: string } = useSearch({ strict: false });
  const kind = search.kind === 'notification' ? 'notification' : 'alert';
  return id === 'new' ? <NewPolicy key={kind} kind={kind} teamId={search.team} /> : <KnownPolicy key={id} id={id} />;
}

function KnownPolicy({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery(policyQuery(id));
  return (
    <>
      <p>
        <PageLink to={paths.policies(query.data?.teamId)}>All policies</PageLink>
      </p>
      <PageHeading title={query.data?.name ?? 'Policy'} isReady={!query.isPending} />
      <Loaded query={query} height="40vh">
        {(policy) => <PolicyEditor kind={policy.type} teamId={policy.teamId} policy={policy} />}
      </Loaded>
    </>
  );
}

function NewPolicy({ kind, teamId }: { readonly kind: PolicyKind; readonly teamId: string | undefined }): JSX.Element {
  return (
    <>
      <p>
        <PageLink to={paths.policies(teamId)}>All policies</PageLink>
      </p>
      <PageHeading title={kind === 'alert' ? 'New alert policy' : 'New notification policy'} />
      <p>It comes last in its order.</p>
      <PolicyEditor kind={kind} teamId={teamId} policy={undefined} />
    </>
  );
}

interface PolicyEditorProps {
  readonly kind: PolicyKind;
  readonly teamId: string | undefined;
  readonly policy: Policy | undefined;
}

/** What was typed, and what its person saw of the policy when they began. */
interface Typed {
  readonly form: PolicyForm;
  readonly seen: Policy | undefined;
}

function typedBefore(place: string): Typed | undefined {
  return readDraft(place) as Typed | undefined;
}

const betweenPolicies = (before: Policy | undefined, now: Policy | undefined): readonly string[] =>
  before === undefined || now === undefined ? [] : changesBetween(before, now);

function PolicyEditor({ kind, policy, teamId }: PolicyEditorProps): JSX.Element {
  const client = useQueryClient();
  const go = useGo();
  const { data: teams = [] } = useQuery(teamNamesQuery);
  const team = teamId === undefined ? undefined : { id: teamId, name: teams.find(({ id }) => id === teamId)?.name };
  const refused = useTeamChangesRefused(team);
  const place = policy === undefined ? `new ${kind} policy ${teamId ?? ''}` : `policy ${policy.id}`;
  const [typed, setTyped] = useState(() => typedBefore(place));
  const { form, seen } = typed ?? { form: formOf(policy), seen: policy };
  const forget = () => {
    keepDraft(place, '');
    setTyped(undefined);
  };
  const write = useGuardedWrite(seen, {
    read: () => (policy === undefined ? Promise.resolve(undefined) : readPolicy(policy.id)),
    changesBetween: betweenPolicies,
    onDone: async () => {
      await client.invalidateQueries(allPolicies);
      forget();
      announce('The policy was saved.');
    },
  });
  const answering = write.isPending ? 'The server is answering.' : undefined;
  const same = typed === undefined ? 'Nothing was changed.' : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write.save(async (now) => {
      const body = bodyOf(form, kind, seen);
      if (now !== undefined) return replacePolicy(now.id, body);
      const id = await createPolicy(teamId, body);
      keepDraft(place, '');
      go(paths.policy(id), { replace: true });
      return id;
    });
  };
  const faults = refusedFields(write.error);
  return (
    <form noValidate onSubmit={submit} aria-label="Policy" className={styles['form']}>
      <PolicyFields
        kind={kind}
        form={form}
        refused={faults}
        onChange={(change) => {
          const kept: Typed = { form: { ...form, ...change }, seen };
          write.forgetError();
          setTyped(kept);
          keepDraft(place, JSON.stringify(kept));
        }}
      />
      <SeenChanges of="The policy" changes={write.changes} />
      {write.error !== null && <Problem error={write.error} />}
      <div className={ui['row']}>
        <Button type="submit" look="primary" disabledReason={refused ?? answering ?? same}>
          {write.changes.length > 0 ? 'Save all the same' : 'Save'}
        </Button>
        <Button disabledReason={answering ?? same} onClick={forget}>
          Discard
        </Button>
      </div>
    </form>
  );
}
