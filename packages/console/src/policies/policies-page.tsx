import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { SelectField } from '../ui/select-field.tsx';
import ui from '../ui/ui.module.css';
import styles from './policies.module.css';
import { effectTexts, type PolicyKind, scopeText } from './policy-form.ts';
import {
  act,
  allPolicies,
  type ListedPolicy,
  policiesQuery,
  type PolicyAction,
  policyQuery,
  teamNamesQuery,
} from './queries.ts';

/** What is held back, and how alerts are changed: the policies of the account or of a team, in their order. */
export function PoliciesPage(): JSX.Element {
  const search: { readonly team?: string } = useSearch({ strict: false });
  const teams = useQuery(teamNamesQuery);
  const go = useGo();
  const teamId = search.team;
  const names = teams.data ?? [];
  const team = names.find(({ id }) => id === teamId);
  const unknown = teamId === undefined || team !== undefined ? [] : [{ value: teamId, name: teamId }];
  const refused = useTeamChangesRefused(teamId === undefined ? undefined : { id: teamId, name: team?.name });
  return (
    <>
      <PageHeading title="Policies" />
      <p>
        Policies change alerts and hold notifications back, the ones of the account before those of the team of an
        alert. <PageLink to={paths.flow()}>Try an alert</PageLink> to see which take effect, and which condition fails
        of the others.
      </p>
      <SelectField
        label="Policies of"
        value={teamId ?? ''}
        options={[
          { value: '', name: 'The account' },
          ...names.map(({ id, name }) => ({ value: id, name: `Team ${name}` })),
          ...unknown,
        ]}
        onValue={(id) => {
          go(paths.policies(id === '' ? undefined : id), { replace: true });
        }}
      />
      <PolicyGroup key={`alert ${teamId ?? ''}`} kind="alert" teamId={teamId} refused={refused} />
      <PolicyGroup key={`notification ${teamId ?? ''}`} kind="notification" teamId={teamId} refused={refused} />
    </>
  );
}

const TITLES: Readonly<Record<PolicyKind, string>> = {
  alert: 'Alert policies',
  notification: 'Notification policies',
};

const DONE: Readonly<Record<PolicyAction['kind'], string>> = {
  enable: 'is enabled',
  disable: 'is disabled',
  delete: 'was deleted',
  move: 'was moved',
};

interface PolicyGroupProps {
  readonly kind: PolicyKind;
  readonly teamId: string | undefined;
  readonly refused: string | undefined;
}

function PolicyGroup({ kind, refused, teamId }: PolicyGroupProps): JSX.Element {
  const query = useQuery(policiesQuery(kind, teamId));
  const client = useQueryClient();
  const go = useGo();
  const [deleted, setDeleted] = useState<ListedPolicy>();
  const write = useMutation({
    mutationFn: (action: PolicyAction) => act(action, teamId),
    onSuccess: (_, { kind: done, policy }) => {
      announce(`${policy.name} ${DONE[done]}.`);
      setDeleted(undefined);
    },
    onSettled: () => client.invalidateQueries(allPolicies),
  });
  const blocked = refused ?? (write.isPending ? 'The server is answering.' : undefined);
  const close = () => {
    setDeleted(undefined);
  };
  return (
    <section aria-label={TITLES[kind]}>
      <h2>{TITLES[kind]}</h2>
      <p>
        <Button
          disabledReason={refused}
          onClick={() => {
            go(paths.newPolicy(kind, teamId));
          }}
        >
          {kind === 'alert' ? 'Add an alert policy' : 'Add a notification policy'}
        </Button>
      </p>
      {write.error !== null && deleted === undefined && <Problem error={write.error} />}
      <Loaded query={query} height="8rem">
        {(policies) =>
          policies.length === 0 ? (
            <p>There are none.</p>
          ) : (
            <ol className={styles['list']} aria-label={TITLES[kind]}>
              {policies.map((policy, index) => (
                <PolicyItem
                  key={policy.id}
                  policy={policy}
                  policies={policies}
                  isLast={index === policies.length - 1}
                  blocked={blocked}
                  onAct={write.mutate}
                  onDelete={setDeleted}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      <DialogBoundary key={deleted?.id ?? 'none'} onFail={close}>
        {deleted && (
          <ConfirmDialog
            title={`Delete ${deleted.name}?`}
            action="Delete"
            write={write}
            onConfirm={() => {
              write.mutate({ kind: 'delete', policy: deleted });
            }}
            onClose={close}
          >
            <p>Alerts that it held back already stay held back. New ones are not.</p>
          </ConfirmDialog>
        )}
      </DialogBoundary>
    </section>
  );
}

/** How many policies of a list are read, to say what they do. The others say it on their page. */
const MAX_READ = 20;

interface PolicyItemProps {
  readonly policy: ListedPolicy;
  /** The list that it is in. */
  readonly policies: readonly ListedPolicy[];
  readonly isLast: boolean;
  readonly blocked: string | undefined;
  readonly onAct: (action: PolicyAction) => void;
  readonly onDelete: (policy: ListedPolicy) => void;
}

function PolicyItem({ blocked, isLast, onAct, onDelete, policies, policy }: PolicyItemProps): JSX.Element {
  const { enabled, id, name, order } = policy;
  const query = useQuery({ ...policyQuery(id), enabled: order < MAX_READ });
  const move = (by: -1 | 1) => () => {
    onAct({ kind: 'move', policy, by, seen: policies });
  };
  return (
    <li>
      <PageLink to={paths.policy(id)}>{name}</PageLink>
      {!enabled && <strong> – disabled</strong>}
      {query.data && (
        <p className={ui['hint']}>
          {scopeText(query.data)} {effectTexts(query.data).join(' ')}
        </p>
      )}
      {order < MAX_READ && query.error !== null && <Problem error={query.error} />}
      <div className={ui['row']}>
        <Button
          aria-label={`Move ${name} up`}
          disabledReason={blocked ?? (order === 0 ? 'It is the first.' : undefined)}
          onClick={move(-1)}
        >
          Up
        </Button>
        <Button
          aria-label={`Move ${name} down`}
          disabledReason={blocked ?? (isLast ? 'It is the last.' : undefined)}
          onClick={move(1)}
        >
          Down
        </Button>
        <Button
          aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
          disabledReason={blocked}
          onClick={() => {
            onAct({ kind: enabled ? 'disable' : 'enable', policy });
          }}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        <Button
          aria-label={`Delete ${name}`}
          disabledReason={blocked}
          onClick={() => {
            onDelete(policy);
          }}
        >
          Delete
        </Button>
      </div>
    </li>
  );
}
