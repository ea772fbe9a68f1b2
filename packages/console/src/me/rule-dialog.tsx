import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { faultAt } from '../api/problem-text.ts';
import { ConditionsField } from '../conditions/conditions-field.tsx';
import { keepDraft, readDraft } from '../shell/unsaved.ts';
import { Modal } from '../ui/modal.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { WriteForm } from '../ui/write-form.tsx';
import { type CheckedWrite, writeUnlessChanged } from './checked-write.ts';
import styles from './me.module.css';
import { type Contact, readRule, type Rule, rulePath, userPath } from './queries.ts';
import { LeadTimesField, RepeatFields, StepsField } from './rule-fields.tsx';
import {
  bodyOfForm,
  faultsOf,
  formOfRule,
  hasFault,
  newForm,
  refusedFaults,
  type RuleFaults,
  type RuleForm,
  ruleOfForm,
  withAction,
} from './rule-form.ts';
import { ACTION_NAMES, type ActionType, isOfShifts, isRepeatable, ruleText } from './rules-text.ts';
import { TimeFields } from './time-fields.tsx';
import { useOwnWrite } from './use-own-write.ts';

interface RuleDialogProps {
  readonly userId: string;
  /** Undefined for a new rule. */
  readonly rule: Rule | undefined;
  readonly contacts: readonly Contact[];
  readonly refused: string | undefined;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

/** What was typed, and the rule as its person saw it then. */
interface Draft {
  readonly form: RuleForm;
  readonly seen: Rule | undefined;
}

function keptDraft(place: string): Draft | undefined {
  return readDraft(place) as Draft | undefined;
}

const ACTION_OPTIONS = Object.entries(ACTION_NAMES).map(([value, name]) => ({ value: value as ActionType, name }));

/** Creates or changes a notification rule. It shows the sentence that the rule will be. */
export function RuleDialog({ contacts, onClose, onDone, refused, rule, userId }: RuleDialogProps): JSX.Element {
  const place = `me rule ${rule?.id ?? 'new'}`;
  const [draft, setDraft] = useState<Draft>(
    () => keptDraft(place) ?? { form: rule === undefined ? newForm(contacts) : formOfRule(rule), seen: rule },
  );
  const [isTried, setTried] = useState(false);
  const { form, seen } = draft;
  const keep = (next: Draft) => {
    setDraft(next);
    keepDraft(place, JSON.stringify(next));
  };
  const change = (typed: Partial<RuleForm>) => {
    keep({ ...draft, form: { ...form, ...typed } });
  };
  const close = () => {
    keepDraft(place, '');
    onClose();
  };
  const write = useRuleWrite(userId, draft, {
    onSent: () => {
      close();
      onDone(rule === undefined ? 'The rule was created.' : 'The rule was changed.');
    },
    onChanged: (present) => {
      keep({ form, seen: present });
    },
  });
  const fields = write.error instanceof CallError ? write.error.fields : {};
  const own = faultsOf(form);
  const faults = isTried && hasFault(own) ? own : refusedFaults(fields);
  return (
    <Modal
      title={rule === undefined ? 'Add a rule' : `Change ${rule.name}`}
      keepsInput
      {...(!write.isPending && { onClose: close })}
    >
      <WriteForm
        action={write.data?.kind === 'changed' ? 'Save all the same' : 'Save'}
        fields={Object.keys(fields).filter((name) => SAID_AT_FIELD.test(name))}
        write={write}
        disabledReason={refused}
        onSubmit={() => {
          setTried(true);
          if (!hasFault(own)) write.mutate();
        }}
        onCancel={close}
      >
        <RuleFields
          form={form}
          seen={seen}
          contacts={contacts}
          faults={faults}
          fields={fields}
          onChange={change}
          error={write.error}
        />
        <p role="note" aria-label="In words" className={styles['words']}>
          {ruleText(ruleOfForm(form, seen), contacts)}
        </p>
        <Meanwhile write={write.data} contacts={contacts} />
      </WriteForm>
    </Modal>
  );
}

/** The fields of a body whose refusals stand at fields of the form. */
const SAID_AT_FIELD = /^(name$|criteria|steps\[|notificationTime|timeRestriction|repeat)/;

interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly seen: Rule | undefined;
  readonly contacts: readonly Contact[];
  readonly faults: RuleFaults;
  readonly fields: Readonly<Record<string, string>>;
  readonly error: unknown;
  readonly onChange: (change: Partial<RuleForm>) => void;
}

function RuleFields({ contacts, error, faults, fields, form, onChange, seen }: RuleFieldsProps): JSX.Element {
  const { actionType } = form;
  return (
    <>
      {seen === undefined && (
        <SelectField
          label="It is about"
          value={actionType}
          options={ACTION_OPTIONS}
          error={faultAt(error, 'actionType', 'The action type')}
          onValue={(next) => {
            onChange(withAction(form, next));
          }}
        />
      )}
      <TextField
        label="Name"
        value={form.name}
        error={faultAt(error, 'name', 'Name')}
        autoComplete="off"
        onChange={({ target }) => {
          onChange({ name: target.value });
        }}
      />
      {isOfShifts(actionType) ? (
        <LeadTimesField
          chosen={form.leadTimes}
          error={faults.leadTimes}
          onChange={(leadTimes) => {
            onChange({ leadTimes });
          }}
        />
      ) : (
        <ConditionsField
          label="For which alerts"
          name="criteria"
          value={form.criteria}
          refused={fields}
          onChange={(criteria) => {
            onChange({ criteria });
          }}
        />
      )}
      <TimeFields
        time={form.time}
        error={faults.time}
        onChange={(time) => {
          onChange({ time });
        }}
      />
      <StepsField
        steps={form.steps}
        contacts={contacts}
        faults={faults.steps}
        onChange={(steps) => {
          onChange({ steps });
        }}
      />
      {isRepeatable(actionType) && (
        <RepeatFields repeats={form.repeats} loopAfter={form.loopAfter} error={faults.loopAfter} onChange={onChange} />
      )}
    </>
  );
}

interface MeanwhileProps {
  readonly write: CheckedWrite<Rule> | undefined;
  readonly contacts: readonly Contact[];
}

/** What another person did to the rule since it was opened. */
function Meanwhile({ contacts, write }: MeanwhileProps): JSX.Element | null {
  if (write === undefined || write.kind === 'sent') return null;
  return (
    <p role="alert" className={styles['notice']}>
      {write.kind === 'missing'
        ? 'The rule was deleted since you opened it. Nothing was saved. Cancel, and add a new one.'
        : `The rule was changed since you opened it, and nothing was saved. It is now: ${ruleText(write.present, contacts)}`}
    </p>
  );
}

interface RuleWriteEffects {
  readonly onSent: () => void;
  readonly onChanged: (present: Rule) => void;
}

function useRuleWrite(userId: string, { form, seen }: Draft, { onChanged, onSent }: RuleWriteEffects) {
  return useOwnWrite(
    userId,
    async (): Promise<CheckedWrite<Rule>> => {
      const body = bodyOfForm(form, seen);
      if (seen === undefined) {
        const path = userPath(userId, '/notification-rules');
        await call<Answer<'create-notification-rule'>>({ method: 'POST', path, body });
        return { kind: 'sent' };
      }
      const path = rulePath(userId, seen.id);
      return writeUnlessChanged(seen, {
        // Not by the query of the page: this can give the answer to a read that began before another person's write.
        read: () => readRule(userId, seen.id),
        send: () => call<Answer<'update-notification-rule'>>({ method: 'PATCH', path, body }),
      });
    },
    (result) => {
      if (result.kind === 'sent') onSent();
      else if (result.kind === 'changed') onChanged(result.present);
    },
  );
}
