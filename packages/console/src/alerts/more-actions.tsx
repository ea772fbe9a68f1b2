import { type JSX, type SubmitEvent, useRef, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { useStore } from '../shell/store.ts';
import { draftsStore, keepDraft, removeSentDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { ActionField } from './action-field.tsx';
import {
  actionRefused,
  bodyOf,
  fieldFault,
  FORM_ACTIONS,
  type FormAction,
  formAfter,
  snoozePresets,
} from './actions.ts';
import type { AlertWrite } from './alert-write.ts';
import type { Alert } from './queries.ts';
import { useAlertWrite } from './use-alert-write.ts';

const ACTIONS = Object.keys(FORM_ACTIONS) as readonly FormAction[];

/** All that a person does with an alert beside acknowledging and closing it. */
export function MoreActions({ alert }: { readonly alert: Alert }): JSX.Element {
  const { user } = useSession();
  const [open, setOpen] = useState<FormAction>();
  const [result, setResult] = useState('');
  const tell = (text: string) => {
    setResult(text);
    announce(text);
  };
  const write = useFormWrite(({ action, method }) => {
    setOpen((now) => formAfter(now, action));
    tell(method === 'DELETE' ? 'The tag was removed.' : FORM_ACTIONS[action].result);
  });
  const reasonFor = (action: Parameters<typeof actionRefused>[0]) => actionRefused(action, alert, user.username);
  return (
    <section aria-label="More actions">
      <div className={ui['row']}>
        {ACTIONS.map((action) => (
          <Button
            key={action}
            aria-expanded={open === action}
            disabledReason={reasonFor(action)}
            onClick={() => {
              setOpen(open === action ? undefined : action);
              setResult('');
            }}
          >
            {FORM_ACTIONS[action].name}
          </Button>
        ))}
        <DirectActions alert={alert} reasonFor={reasonFor} onDone={tell} />
      </div>
      {write.sent !== undefined && write.sent !== open && (
        <WriteFault of={`${FORM_ACTIONS[write.sent].submit}: `} error={write.error} fault={write.fault} />
      )}
      {open !== undefined && <ActionForm key={open} action={open} alert={alert} write={write} />}
      {result !== '' && <p className={ui['hint']}>{result}</p>}
    </section>
  );
}

type FormWriteRequest = AlertWrite & { readonly action: FormAction };

/** The write of the forms of an alert. It goes on, and keeps its failure, whichever form is open. */
interface FormWrite {
  /** Sends what a form has, of which `typed` is its text. */
  readonly send: (request: FormWriteRequest, typed: string) => void;
  /** The action that was sent last. */
  readonly sent: FormAction | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Why it did not happen, where no call failed. */
  readonly fault: string | undefined;
}

function useFormWrite(onDone: (request: FormWriteRequest) => void): FormWrite {
  const last = useRef<{ readonly request: FormWriteRequest; readonly typed: string }>(undefined);
  const [sent, setSent] = useState<FormAction>();
  const write = useAlertWrite(() => {
    if (last.current === undefined) return;
    const { request, typed } = last.current;
    removeSentDraft(draftPlace(request.id, request.action), typed);
    onDone(request);
  });
  return {
    send: (request, typed) => {
      last.current = { request, typed };
      setSent(request.action);
      write.mutate(request);
    },
    sent,
    isPending: write.isPending,
    error: write.error,
    fault: write.data?.fault,
  };
}

const draftPlace = (id: string, action: FormAction): string => `${id} ${action}`;

interface DirectActionsProps {
  readonly alert: Alert;
  readonly reasonFor: (action: 'own' | 'unacknowledge') => string | undefined;
  readonly onDone: (text: string) => void;
}

/** The actions that need no input. */
function DirectActions({ alert, onDone, reasonFor }: DirectActionsProps): JSX.Element {
  const { user } = useSession();
  const roleRefused = useAlertChangesRefused();
  const write = useAlertWrite(({ action }) => {
    onDone(action === 'assign' ? 'You own the alert.' : 'The acknowledgement was taken back.');
  });
  const underWay = write.isPending ? 'The last action is under way.' : undefined;
  return (
    <>
      <Button
        disabledReason={reasonFor('own') ?? roleRefused ?? underWay}
        onClick={() => {
          write.mutate({ id: alert.id, action: 'assign', body: { owner: { username: user.username } } });
        }}
      >
        Take ownership
      </Button>
      <Button
        disabledReason={reasonFor('unacknowledge') ?? roleRefused ?? underWay}
        onClick={() => {
          write.mutate({ id: alert.id, action: 'unacknowledge' });
        }}
      >
        Unacknowledge
      </Button>
      <WriteFault error={write.error} fault={write.data?.fault} />
    </>
  );
}

interface WriteFaultProps {
  readonly error: Error | null;
  readonly fault: string | undefined;
  /** Which action failed, where that is not plain. */
  readonly of?: string;
}

function WriteFault({ error, fault, of = '' }: WriteFaultProps): JSX.Element {
  return (
    <>
      {error !== null && <Problem error={error} of={of} />}
      {fault !== undefined && (
        <p role="alert" className={ui['error']}>
          {of}
          {fault}
        </p>
      )}
    </>
  );
}

interface ActionFormProps {
  readonly action: FormAction;
  readonly alert: Alert;
  readonly write: FormWrite;
}

/** The form of an action. What was typed stays until the server has it. */
function ActionForm({ action, alert: { id, tags }, write }: ActionFormProps): JSX.Element {
  const roleRefused = useAlertChangesRefused();
  const { empty, field, submit } = FORM_ACTIONS[action];
  const place = draftPlace(id, action);
  const text = useStore(draftsStore).get(place) ?? '';
  const error = write.sent === action ? write.error : null;
  const fault = fieldFault(error, field) ?? (write.sent === action ? write.fault : undefined);
  const body = bodyOf(action, text);
  const refused = roleRefused ?? (write.isPending ? 'The last action is under way.' : undefined);
  const send = (change: Pick<AlertWrite, 'body' | 'method'>, typed: string) => {
    write.send({ id, action, ...change }, typed);
  };
  const submitForm = (event: SubmitEvent) => {
    event.preventDefault();
    if (body !== undefined) send({ body }, text);
  };
  return (
    <form onSubmit={submitForm} aria-label={submit}>
      {action === 'snooze' && (
        <SnoozePresets
          disabledReason={refused}
          onChoose={(endTime) => {
            send({ body: { endTime } }, '');
          }}
        />
      )}
      {action === 'tags' && (
        <TagRemovals
          tags={tags}
          disabledReason={refused}
          onRemove={(tag) => {
            send({ method: 'DELETE', body: { tags: [tag] } }, '');
          }}
        />
      )}
      <ActionField
        action={action}
        text={text}
        onText={(typed) => {
          keepDraft(place, typed);
        }}
        error={fault}
      />
      {error !== null && fault === undefined && <Problem error={error} />}
      <Button type="submit" disabledReason={refused ?? (body === undefined ? empty : undefined)}>
        {submit}
      </Button>
    </form>
  );
}

interface SnoozePresetsProps {
  readonly disabledReason: string | undefined;
  readonly onChoose: (endTime: string) => void;
}

/** Lengths count from the click. */
export function SnoozePresets({ disabledReason, onChoose }: SnoozePresetsProps): JSX.Element {
  return (
    <div className={ui['row']}>
      {snoozePresets(0).map(({ name }, index) => (
        <Button
          key={name}
          disabledReason={disabledReason}
          onClick={() => {
            const preset = snoozePresets(serverNow())[index];
            if (preset !== undefined) onChoose(preset.endTime);
          }}
        >
          Snooze {name}
        </Button>
      ))}
    </div>
  );
}

interface TagRemovalsProps {
  readonly tags: readonly string[];
  readonly disabledReason: string | undefined;
  readonly onRemove: (tag: string) => void;
}

function TagRemovals({ disabledReason, onRemove, tags }: TagRemovalsProps): JSX.Element {
  return (
    <div className={ui['row']}>
      {tags.map((tag) => (
        <Button
          key={tag}
          disabledReason={disabledReason}
          onClick={() => {
            onRemove(tag);
          }}
        >
          Remove {tag}
        </Button>
      ))}
    </div>
  );
}
