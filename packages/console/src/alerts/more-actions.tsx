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
import styles from './alerts.module.css';
import { ActionField } from './action-field.tsx';
import { ActionNoteField } from './action-note-field.tsx';
import {
  actionRefused,
  bodyOf,
  CHANGING,
  draftOf,
  fieldFault,
  FORM_ACTIONS,
  type FormAction,
  formAfter,
  isReplacing,
  notePlace,
  snoozePresets,
  textOf,
  withNote,
} from './actions.ts';
import type { AlertWrite } from './alert-write.ts';
import { CustomActions, DeleteAlert, DirectActions, WriteFault } from './direct-actions.tsx';
import type { Alert } from './queries.ts';
import { useAlertWrite } from './use-alert-write.ts';

const ACTIONS = (Object.keys(FORM_ACTIONS) as readonly FormAction[]).filter(
  (action) => !(CHANGING as readonly FormAction[]).includes(action),
);

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
    tell(
      method === 'DELETE' ? `The ${action === 'tags' ? 'tag' : 'detail'} was removed.` : FORM_ACTIONS[action].result,
    );
  });
  const reasonFor = (action: Parameters<typeof actionRefused>[0]) => actionRefused(action, alert, user.username);
  const opening = (action: FormAction) => (
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
  );
  return (
    <section aria-label="More actions">
      <div className={ui['row']}>
        {ACTIONS.map(opening)}
        <DirectActions alert={alert} reasonFor={reasonFor} onDone={tell} />
        <CustomActions alert={alert} onDone={tell} />
      </div>
      <details className={styles['change']}>
        <summary>Change or delete the alert</summary>
        <div className={ui['row']}>
          {CHANGING.map(opening)}
          <DeleteAlert alert={alert} />
        </div>
      </details>
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
    const place = draftPlace(request.id, request.action);
    removeSentDraft(place, draftOf(request.action, typed));
    removeSentDraft(notePlace(place), request.body?.note ?? '');
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

interface ActionFormProps {
  readonly action: FormAction;
  readonly alert: Alert;
  readonly write: FormWrite;
}

type Sent = Pick<AlertWrite, 'method'> & { readonly body: NonNullable<AlertWrite['body']> };

/** The form of an action. What was typed stays until the server has it. */
function ActionForm({ action, alert, write }: ActionFormProps): JSX.Element {
  const roleRefused = useAlertChangesRefused();
  const { details, id, tags } = alert;
  const { empty, field, submit } = FORM_ACTIONS[action];
  const place = draftPlace(id, action);
  const drafts = useStore(draftsStore);
  const text = textOf(action, drafts.get(place), alert);
  const note = drafts.get(notePlace(place)) ?? '';
  const error = write.sent === action ? write.error : null;
  const fault = fieldFault(error, field) ?? (write.sent === action ? write.fault : undefined);
  const body = isReplacing(action) && text.trim() === alert[action] ? undefined : bodyOf(action, text);
  const refused = roleRefused ?? (write.isPending ? 'The last action is under way.' : undefined);
  const noteFault = fieldFault(error, 'note');
  const send = ({ body: said, ...change }: Sent, typed: string) => {
    write.send({ id, action, ...change, body: withNote(said, note) }, typed);
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
        <Removals
          names={tags}
          disabledReason={refused}
          onRemove={(tag) => {
            send({ method: 'DELETE', body: { tags: [tag] } }, '');
          }}
        />
      )}
      {action === 'details' && (
        <Removals
          names={Object.keys(details)}
          disabledReason={refused}
          onRemove={(key) => {
            send({ method: 'DELETE', body: { keys: [key] } }, '');
          }}
        />
      )}
      <ActionField
        action={action}
        text={text}
        onText={(typed) => {
          keepDraft(place, draftOf(action, typed));
        }}
        error={fault}
      />
      <ActionNoteField place={place} error={noteFault} />
      {error !== null && fault === undefined && noteFault === undefined && <Problem error={error} />}
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

interface RemovalsProps {
  /** Of tags, or of details. */
  readonly names: readonly string[];
  readonly disabledReason: string | undefined;
  readonly onRemove: (name: string) => void;
}

function Removals({ disabledReason, names, onRemove }: RemovalsProps): JSX.Element {
  return (
    <div className={ui['row']}>
      {names.map((name) => (
        <Button
          key={name}
          disabledReason={disabledReason}
          onClick={() => {
            onRemove(name);
          }}
        >
          Remove {name}
        </Button>
      ))}
    </div>
  );
}
