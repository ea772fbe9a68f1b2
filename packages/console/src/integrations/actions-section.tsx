import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { call } from '../api/call.ts';
import { sendUnlessChanged } from '../api/guarded-write.ts';
import { announce } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { SeenChanges } from '../ui/seen-changes.tsx';
import ui from '../ui/ui.module.css';
import {
  actionChanges,
  type ActionGroup,
  actionText,
  bodyWithout,
  contentTexts,
  inOrder,
  movedBody,
  type PlacedAction,
} from './actions.ts';
import { kindOf } from './integration.ts';
import styles from './integrations.module.css';
import { type Actions, actionsQuery, allIntegrations, integrationPath, readActions } from './queries.ts';

interface ActionsSectionProps {
  readonly integrationId: string;
  readonly refused: string | undefined;
}

/** What becomes of what an integration takes: its actions in the order in which they are tried. */
export function ActionsSection({ integrationId, refused }: ActionsSectionProps): JSX.Element {
  const query = useQuery(actionsQuery(integrationId));
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">Actions</h2>
      <p>
        They are tried in this order, and the first that fits is taken. Where none fits, nothing is done.{' '}
        <PageLink to={paths.integrationActions(integrationId)}>Add and change actions</PageLink>
      </p>
      <Loaded query={query} height="6rem">
        {(actions) => <ActionList actions={actions} refused={refused} />}
      </Loaded>
    </section>
  );
}

interface ActionListProps {
  readonly actions: Actions;
  readonly refused: string | undefined;
  /** Opens the form of an action, where the page has forms. */
  readonly onChange?: (place: { readonly type: ActionGroup; readonly index: number }) => void;
}

/** Actions as their person saw them, and what is to replace them. */
interface Replacement {
  readonly seen: Actions;
  readonly body: object;
}

/** The actions of an integration in their order: to be moved, deleted and changed. */
export function ActionList({ actions, onChange, refused }: ActionListProps): JSX.Element {
  const { id, type } = actions._parent;
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ readonly placed: PlacedAction; readonly seen: Actions }>();
  const close = () => {
    setAsked(undefined);
  };
  const write = useMutation({
    mutationFn: ({ body, seen }: Replacement) =>
      sendUnlessChanged(seen, { read: () => readActions(id), changesBetween: actionChanges }, () =>
        call({ method: 'PUT', path: `${integrationPath(id)}/actions`, body }),
      ),
    onSuccess: async ({ changes }) => {
      close();
      if (changes.length === 0) announce('The actions were changed.');
      // Also where another person changed them: the next change is made to what the page shows then.
      await client.invalidateQueries(allIntegrations);
    },
  });
  const blocked = refused ?? (write.isPending ? 'The server is answering.' : undefined);
  const placed = inOrder(actions);
  return (
    <>
      <SeenChanges of="The list of actions" changes={write.data?.changes ?? []} />
      {write.error !== null && asked === undefined && <Problem error={write.error} />}
      <ol className={styles['list']} aria-label="Actions">
        {placed.map((each) => (
          <ActionItem
            key={`${each.action.type} ${each.index}`}
            placed={each}
            next={placed.find(({ action, index }) => action.type === each.action.type && index === each.index + 1)}
            of={kindOf(type) === 'mail' ? 'mail' : 'request'}
            blocked={blocked}
            onMove={(by) => {
              write.mutate({ seen: actions, body: movedBody(actions, each.action.type, each.index, by) });
            }}
            onChange={
              onChange &&
              (() => {
                onChange({ type: each.action.type, index: each.index });
              })
            }
            onDelete={() => {
              write.reset();
              setAsked({ placed: each, seen: actions });
            }}
          />
        ))}
      </ol>
      {asked && (
        <ConfirmDialog
          title={`Delete the action ${asked.placed.action.name}?`}
          action="Delete it"
          write={write}
          onConfirm={() => {
            const { placed: deleted, seen } = asked;
            write.mutate({ seen, body: bodyWithout(seen, deleted.action.type, deleted.index) });
          }}
          onClose={close}
        >
          <p>What it takes now goes to the actions after it, or to none.</p>
          {placed.length === 1 && <p>It is the last: the default action, which creates alerts, takes its place.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}

interface ActionItemProps {
  readonly placed: PlacedAction;
  /** The action after it in its group. */
  readonly next: PlacedAction | undefined;
  readonly of: 'request' | 'mail';
  readonly blocked: string | undefined;
  readonly onMove: (by: -1 | 1) => void;
  readonly onChange: (() => void) | undefined;
  readonly onDelete: () => void;
}

function ActionItem({ blocked, next, of, onChange, onDelete, onMove, placed }: ActionItemProps): JSX.Element {
  const { action, index, isDefault } = placed;
  const { name } = action;
  const contents = contentTexts(action);
  const fixed = isDefault ? 'The default action is the last of its kind.' : undefined;
  const last = next === undefined || next.isDefault ? 'It is the last of its kind.' : undefined;
  const button = (text: string, label: string, reason: string | undefined, onClick: () => void) => (
    <Button aria-label={label} disabledReason={reason} onClick={onClick}>
      {text}
    </Button>
  );
  return (
    <li className={styles['action']}>
      <div>
        {name}
        <div className={ui['hint']}>{actionText(action, of)}</div>
        {contents.length > 0 && <div className={ui['hint']}>{contents.join(' · ')}</div>}
      </div>
      <div className={ui['row']}>
        {button(
          'Up',
          `Move ${name} up`,
          blocked ?? fixed ?? (index === 0 ? 'It is the first of its kind.' : undefined),
          () => {
            onMove(-1);
          },
        )}
        {button('Down', `Move ${name} down`, blocked ?? fixed ?? last, () => {
          onMove(1);
        })}
        {onChange && button('Change', `Change ${name}`, undefined, onChange)}
        {button('Delete', `Delete ${name}`, blocked, onDelete)}
      </div>
    </li>
  );
}
