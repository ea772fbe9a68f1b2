import type { JSX } from 'react';
import { ResponderField } from '../people/responder-field.tsx';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import {
  type Condition,
  type EscalationFaults,
  movedRule,
  NEW_RULE,
  notifyOptions,
  type RuleForm,
  withRecipient,
} from './escalation-form.ts';
import styles from './escalations.module.css';

const RECIPIENTS = ['schedule', 'team'] as const;
const CONDITION_OPTIONS: readonly { readonly value: Condition; readonly name: string }[] = [
  { value: 'if-not-acked', name: 'not acknowledged' },
  { value: 'if-not-closed', name: 'not closed' },
];

interface RulesProps {
  readonly rules: readonly RuleForm[];
  readonly faults: EscalationFaults;
  readonly onChange: (rules: readonly RuleForm[]) => void;
}

/** The rules of an escalation, each with its recipient and its minute. */
export function RulesFields({ faults, onChange, rules }: RulesProps): JSX.Element {
  const move = (index: number, by: -1 | 1) => {
    onChange(movedRule(rules, index, by));
    announce(`Rule ${index + 1} is rule ${index + 1 + by} now.`);
  };
  return (
    <fieldset className={styles['rules']}>
      <legend className={ui['label']}>Rules</legend>
      <ol className={styles['list']}>
        {rules.map((rule, index) => (
          <li key={index}>
            <div role="group" aria-label={`Rule ${index + 1}`}>
              <strong className={styles['place']}>Rule {index + 1}</strong>
              <RuleFields
                rule={rule}
                place={index}
                faults={faults}
                onChange={(next) => {
                  onChange(rules.with(index, next));
                }}
              />
              <div className={ui['row']}>
                <Button
                  aria-label={`Move rule ${index + 1} up`}
                  disabledReason={index === 0 ? 'It is the first rule.' : undefined}
                  onClick={() => {
                    move(index, -1);
                  }}
                >
                  Up
                </Button>
                <Button
                  aria-label={`Move rule ${index + 1} down`}
                  disabledReason={index === rules.length - 1 ? 'It is the last rule.' : undefined}
                  onClick={() => {
                    move(index, 1);
                  }}
                >
                  Down
                </Button>
                <Button
                  aria-label={`Remove rule ${index + 1}`}
                  disabledReason={rules.length === 1 ? 'An escalation has at least one rule.' : undefined}
                  onClick={() => {
                    onChange(rules.toSpliced(index, 1));
                    announce(`Rule ${index + 1} was removed.`);
                  }}
                >
                  Remove
                </Button>
              </div>
            </div>
          </li>
        ))}
      </ol>
      <Button
        onClick={() => {
          onChange([...rules, { ...NEW_RULE, minutes: rules.at(-1)?.minutes ?? '0' }]);
        }}
      >
        Add a rule
      </Button>
    </fieldset>
  );
}

interface RuleFieldsProps {
  readonly rule: RuleForm;
  readonly place: number;
  readonly faults: EscalationFaults;
  readonly onChange: (rule: RuleForm) => void;
}

function RuleFields({ faults, onChange, place, rule }: RuleFieldsProps): JSX.Element {
  const fault = (name: keyof RuleForm) => faults[`rules[${place}].${name}`];
  return (
    <>
      <ResponderField
        label="Recipient"
        hint="A person, a schedule or a team: type a part of the name."
        kinds={RECIPIENTS}
        text={rule.to}
        error={fault('to')}
        onText={(to) => {
          onChange(withRecipient(rule, to));
        }}
      />
      <div className={styles['pair']}>
        <SelectField
          label="Who"
          value={rule.notifyType}
          error={fault('notifyType')}
          options={notifyOptions(rule)}
          onValue={(notifyType) => {
            onChange({ ...rule, notifyType });
          }}
        />
        <TextField
          label="After minutes"
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          value={rule.minutes}
          error={fault('minutes')}
          onChange={({ target }) => {
            onChange({ ...rule, minutes: target.value });
          }}
        />
        <SelectField
          label="If the alert is"
          value={rule.condition}
          error={fault('condition')}
          options={CONDITION_OPTIONS}
          onValue={(condition) => {
            onChange({ ...rule, condition });
          }}
        />
      </div>
    </>
  );
}
