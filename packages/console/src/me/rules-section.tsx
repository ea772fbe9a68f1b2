import { useQuery } from '@tanstack/react-query';
import { type JSX, useId, useState } from 'react';
import { call } from '../api/call.ts';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import styles from './me.module.css';
import { type Contact, contactsQuery, MAX_RULES_READ, type Rule, rulePath, type Rules, rulesQuery } from './queries.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { ACTION_NAMES, type ActionType, ruleText } from './rules-text.ts';
import { useResult } from './use-result.ts';
import { useOwnWrite } from './use-own-write.ts';

interface SectionProps {
  readonly userId: string;
  readonly timeZone: string | undefined;
}

/** The notification rules of a user, each as a sentence. */
export function NotificationRules({ timeZone, userId }: SectionProps): JSX.Element {
  const headingId = useId();
  const contacts = useQuery(contactsQuery(userId));
  const rules = useQuery(rulesQuery(userId));
  const refused = useOwnChangesRefused();
  const [open, setOpen] = useState<'new' | Rule>();
  const [result, say] = useResult();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Notification rules</h2>
      <p>
        What is sent to you, and when. Of several rules about the same thing, the first one that is enabled and holds is
        used.{timeZone !== undefined && ` Times are in your zone, ${timeZone}.`}
      </p>
      <Loaded query={contacts} height="1rem">
        {(known) => (
          <Loaded query={rules} height="20rem">
            {(data) => (
              <>
                <RuleGroups userId={userId} contacts={known} onDone={say} onOpen={setOpen} {...data} />
                {open !== undefined && (
                  <RuleDialog
                    userId={userId}
                    rule={open === 'new' ? undefined : open}
                    contacts={known}
                    refused={refused}
                    onDone={say}
                    onClose={() => {
                      setOpen(undefined);
                    }}
                  />
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
      {result !== '' && <p className={ui['hint']}>{result}</p>}
      <Button
        disabledReason={refused ?? (contacts.data === undefined ? 'The page is reading your contacts.' : undefined)}
        onClick={() => {
          setOpen('new');
        }}
      >
        Add a rule
      </Button>
    </section>
  );
}

interface RuleGroupsProps extends Rules {
  readonly userId: string;
  readonly contacts: readonly Contact[];
  readonly onDone: (text: string) => void;
  readonly onOpen: (rule: Rule) => void;
}

function RuleGroups({ count, rules, ...rest }: RuleGroupsProps): JSX.Element {
  const types = Object.keys(ACTION_NAMES) as readonly ActionType[];
  return (
    <>
      {types.map((actionType) => {
        const group = rules.filter((rule) => rule.actionType === actionType);
        if (group.length === 0) return null;
        return (
          <div key={actionType}>
            <h3>{ACTION_NAMES[actionType]}</h3>
            <ol className={styles['list']}>
              {group.map((rule) => (
                <RuleItem key={rule.id} rule={rule} last={group.length - 1} {...rest} />
              ))}
            </ol>
          </div>
        );
      })}
      {count > rules.length && (
        <p>
          {count - rules.length} more rules are not shown: the page has the first {MAX_RULES_READ}. The API has them
          all.
        </p>
      )}
    </>
  );
}

interface RuleItemProps extends Omit<RuleGroupsProps, keyof Rules> {
  readonly rule: Rule;
  /** The place of the last rule of the same action type. */
  readonly last: number;
}

function RuleItem({ contacts, last, onDone, onOpen, rule, userId }: RuleItemProps): JSX.Element {
  const refused = useOwnChangesRefused();
  const [isAsked, setAsked] = useState(false);
  const { enabled, name, order } = rule;
  const path = rulePath(userId, rule.id);
  const change = useOwnWrite<{ readonly to: string; readonly body?: object; readonly done: string }>(
    userId,
    ({ body, to }) => call({ method: 'POST', path: `${path}/${to}`, ...(body && { body }) }),
    () => undefined,
  );
  const reason = refused ?? (change.isPending ? 'The server is answering.' : undefined);
  const send = (input: Parameters<typeof change.mutate>[0]) => {
    change.mutate(input, {
      onSuccess: () => {
        onDone(input.done);
      },
    });
  };
  const move = (to: number) => {
    send({ to: 'change-order', body: { order: to }, done: `${name} is at place ${to + 1} now.` });
  };
  return (
    <li className={styles['item']} data-used={enabled}>
      <p>{ruleText(rule, contacts)}</p>
      <div className={styles['summary']}>
        <span className={ui['hint']}>
          {name}
          {!enabled && ', disabled: it is not used'}
        </span>
        <div className={ui['row']} role="group" aria-label={`Rule ${name}`}>
          <Button
            onClick={() => {
              onOpen(rule);
            }}
            disabledReason={refused}
          >
            Change
          </Button>
          <Button
            disabledReason={reason}
            onClick={() => {
              send(
                enabled
                  ? { to: 'disable', done: `${name} is disabled.` }
                  : { to: 'enable', done: `${name} is enabled.` },
              );
            }}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          {order > 0 && (
            <Button
              disabledReason={reason}
              onClick={() => {
                move(order - 1);
              }}
            >
              Move up
            </Button>
          )}
          {order < last && (
            <Button
              disabledReason={reason}
              onClick={() => {
                move(order + 1);
              }}
            >
              Move down
            </Button>
          )}
          <Button
            disabledReason={refused}
            onClick={() => {
              setAsked(true);
            }}
          >
            Delete
          </Button>
        </div>
      </div>
      {change.error !== null && <Problem error={change.error} />}
      {isAsked && (
        <DeleteRule
          path={path}
          userId={userId}
          rule={rule}
          contacts={contacts}
          onDone={onDone}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </li>
  );
}

interface DeleteRuleProps extends Pick<RuleItemProps, 'contacts' | 'onDone' | 'rule' | 'userId'> {
  readonly path: string;
  readonly onClose: () => void;
}

function DeleteRule({ contacts, onClose, onDone, path, rule, userId }: DeleteRuleProps): JSX.Element {
  const write = useOwnWrite(
    userId,
    () => call({ method: 'DELETE', path }),
    () => {
      onClose();
      onDone(`${rule.name} was deleted.`);
    },
  );
  return (
    <ConfirmDialog
      title={`Delete ${rule.name}?`}
      action="Delete"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <p>{ruleText(rule, contacts)}</p>
    </ConfirmDialog>
  );
}
