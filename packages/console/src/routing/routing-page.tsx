import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { useTeamChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import flow from '../flow/flow.module.css';
import { act, type RuleAction, routingQuery } from './queries.ts';
import styles from './routing.module.css';
import { RoutingPreview } from './routing-preview.tsx';
import { type RoutingRule, ruleText } from './routing-form.ts';
import { RuleForm } from './rule-form.tsx';

/** Where the alerts of a team go: its routing rules, in their order. */
export function RoutingPage(): JSX.Element {
  const { teamId = '' }: { readonly teamId?: string } = useParams({ strict: false });
  const query = useQuery(routingQuery(teamId));
  const { data } = query;
  const title = data === undefined ? 'Routing rules' : `Routing rules of ${data.team.name}`;
  return (
    <>
      <p>
        <PageLink to={paths.escalations()}>All escalations</PageLink>
      </p>
      <PageHeading key={teamId} title={title} isReady={!query.isPending} />
      <p>The first rule that matches an alert to the team decides where it goes.</p>
      <Loaded query={query} height="20rem">
        {({ rules, team }) => <Rules key={team.id} team={team} rules={rules} />}
      </Loaded>
    </>
  );
}

interface RulesProps {
  readonly team: { readonly id: string; readonly name: string };
  readonly rules: readonly RoutingRule[];
}

const NEW = 'new';

function Rules({ rules, team }: RulesProps): JSX.Element {
  const refused = useTeamChangesRefused(team);
  const client = useQueryClient();
  const [opened, setOpened] = useState<string>();
  const [deleted, setDeleted] = useState<RoutingRule>();
  const write = useMutation({
    mutationFn: (action: RuleAction) => act(team.id, action),
    onSuccess: (_, { kind, rule }) => {
      announce(`${rule.name} was ${kind === 'move' ? 'moved' : 'deleted'}.`);
      setDeleted(undefined);
    },
    onSettled: () => client.invalidateQueries(routingQuery(team.id)),
  });
  const close = () => {
    setOpened(undefined);
  };
  const keep = () => {
    setDeleted(undefined);
  };
  const toggle = (id: string) => {
    setOpened(opened === id ? undefined : id);
  };
  return (
    <>
      <div className={flow['page']}>
        <div>
          <p>
            <Button
              look="primary"
              aria-expanded={opened === NEW}
              disabledReason={refused}
              onClick={() => {
                toggle(NEW);
              }}
            >
              Add a routing rule
            </Button>
          </p>
          {opened === NEW && <RuleForm teamId={team.id} rule={undefined} refused={refused} onClose={close} />}
          {write.error !== null && deleted === undefined && <Problem error={write.error} />}
          <ol className={styles['list']} aria-label="Routing rules">
            {rules.map((rule) => (
              <li key={rule.id}>
                <strong>{rule.name}</strong>
                <p>{ruleText(rule)}</p>
                <RuleButtons
                  rule={rule}
                  rules={rules}
                  isLast={rules[rule.order + 1]?.isDefault !== false}
                  isOpen={opened === rule.id}
                  blocked={refused ?? (write.isPending ? 'The server is answering.' : undefined)}
                  onToggle={toggle}
                  onAct={write.mutate}
                  onDelete={setDeleted}
                />
                {opened === rule.id && (
                  <RuleForm key={rule.id} teamId={team.id} rule={rule} refused={refused} onClose={close} />
                )}
              </li>
            ))}
          </ol>
        </div>
        <RoutingPreview team={team} rules={rules} />
      </div>
      <DialogBoundary key={deleted?.id ?? 'none'} onFail={keep}>
        {deleted && (
          <ConfirmDialog
            title={`Delete ${deleted.name}?`}
            action="Delete"
            write={write}
            onConfirm={() => {
              write.mutate({ kind: 'delete', rule: deleted });
            }}
            onClose={keep}
          >
            <p>Its alerts go where the rules after it say.</p>
          </ConfirmDialog>
        )}
      </DialogBoundary>
    </>
  );
}

interface RuleButtonsProps {
  readonly rule: RoutingRule;
  /** All rules of the team. */
  readonly rules: readonly RoutingRule[];
  readonly isLast: boolean;
  readonly isOpen: boolean;
  readonly blocked: string | undefined;
  readonly onToggle: (id: string) => void;
  readonly onAct: (action: RuleAction) => void;
  readonly onDelete: (rule: RoutingRule) => void;
}

const STAYS_LAST = 'The default rule stays the last.';

function RuleButtons(props: RuleButtonsProps): JSX.Element {
  const { blocked, isLast, isOpen, onAct, onDelete, onToggle, rule, rules } = props;
  const { id, isDefault, name, order } = rule;
  const fixed = isDefault ? STAYS_LAST : undefined;
  const move = (by: -1 | 1) => () => {
    onAct({ kind: 'move', rule, by, seen: rules });
  };
  return (
    <div className={ui['row']}>
      <Button
        aria-label={`Change ${name}`}
        aria-expanded={isOpen}
        onClick={() => {
          onToggle(id);
        }}
      >
        Change
      </Button>
      <Button
        aria-label={`Move ${name} up`}
        disabledReason={blocked ?? fixed ?? (order === 0 ? 'It is the first.' : undefined)}
        onClick={move(-1)}
      >
        Up
      </Button>
      <Button
        aria-label={`Move ${name} down`}
        disabledReason={blocked ?? fixed ?? (isLast ? STAYS_LAST : undefined)}
        onClick={move(1)}
      >
        Down
      </Button>
      <Button
        aria-label={`Delete ${name}`}
        disabledReason={blocked ?? (isDefault ? 'The default rule stays.' : undefined)}
        onClick={() => {
          onDelete(rule);
        }}
      >
        Delete
      </Button>
    </div>
  );
}
