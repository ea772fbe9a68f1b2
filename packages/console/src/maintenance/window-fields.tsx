import { type JSX, useState } from 'react';
import { TimeField } from '../schedules/time-field.tsx';
import { localZone } from '../schedules/time-text.ts';
import { Button } from '../ui/button.tsx';
import { ChoiceField } from '../ui/choice-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { entityText, keyOf } from './entities.ts';
import { disabling, type WindowFaults, type WindowForm } from './form.ts';
import styles from './maintenance.module.css';
import type { Entity, Rule } from './queries.ts';

interface WindowFieldsProps {
  readonly form: WindowForm;
  readonly faults: WindowFaults;
  readonly entities: readonly Entity[];
  readonly onType: (change: Partial<WindowForm>) => void;
}

/** What is done in a window, when, and what is off or on meanwhile. */
export function WindowFields({ entities, faults, form, onType }: WindowFieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label="Description"
        hint="Such as what is done in this time."
        value={form.description}
        error={faults.description}
        autoComplete="off"
        onChange={({ target }) => {
          onType({ description: target.value });
        }}
      />
      <div className={styles['times']}>
        <TimeField
          label="From"
          zone={localZone()}
          field={form.from}
          error={faults.from}
          onChange={(from) => {
            onType({ from });
          }}
        />
        <TimeField
          label="Until"
          zone={localZone()}
          field={form.until}
          error={faults.until}
          onChange={(until) => {
            onType({ until });
          }}
        />
      </div>
      <RuleFields
        rules={form.rules}
        error={faults.rules}
        entities={entities}
        onRules={(rules) => {
          onType({ rules });
        }}
      />
    </>
  );
}

interface RuleFieldsProps {
  readonly rules: readonly Rule[];
  readonly error: string | undefined;
  readonly entities: readonly Entity[];
  readonly onRules: (rules: readonly Rule[]) => void;
}

function RuleFields({ entities, error, onRules, rules }: RuleFieldsProps): JSX.Element {
  const [text, setText] = useState('');
  const chosen = new Set(rules.map(({ entity }) => keyOf(entity)));
  const choices = entities
    .filter((entity) => !chosen.has(keyOf(entity)))
    .map((entity) => ({ key: keyOf(entity), name: entityText(entity), entity }));
  return (
    <>
      <ChoiceField
        label="Add an integration or policy"
        hint="Type a part of its name, and choose it."
        error={error}
        text={text}
        onText={setText}
        choices={choices}
        onChoose={({ entity }) => {
          onRules([...rules, disabling(entity)]);
          setText('');
        }}
      />
      <ul className={styles['rules']}>
        {rules.map((rule) => (
          <RuleRow
            key={keyOf(rule.entity)}
            rule={rule}
            entities={entities}
            onRule={(changed) => {
              const next = rules.map((each) => (each === rule ? changed : each));
              onRules(next.filter((each) => each !== undefined));
            }}
          />
        ))}
      </ul>
    </>
  );
}

interface RuleRowProps {
  readonly rule: Rule;
  readonly entities: readonly Entity[];
  /** Called with undefined where it is removed. */
  readonly onRule: (rule: Rule | undefined) => void;
}

const STATES = [
  { value: 'disabled', name: 'disabled' },
  { value: 'enabled', name: 'enabled' },
] as const;

function RuleRow({ entities, onRule, rule }: RuleRowProps): JSX.Element {
  const known = entities.find((entity) => keyOf(entity) === keyOf(rule.entity));
  const name = entityText({ type: rule.entity.type, name: known?.name ?? rule.entity.id });
  return (
    <li>
      <div className={ui['row']}>
        {rule.entity.type === 'integration' ? (
          <span>{name} is disabled</span>
        ) : (
          <SelectField
            label={`${name} is`}
            value={rule.state}
            options={STATES}
            onValue={(state) => {
              onRule({ ...rule, state });
            }}
          />
        )}
        <Button
          look="plain"
          aria-label={`Remove ${name}`}
          onClick={() => {
            onRule(undefined);
          }}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}
