import type { JSX } from 'react';
import { faultUnder } from '../api/problem-text.ts';
import { RespondersField } from '../people/responders-field.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { PRIORITY_OPTIONS } from '../ui/choices.ts';
import { PairsField } from '../ui/pairs-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextArea } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { type EffectFieldsProps, IGNORED, type IgnoredName, type TextName, TEXTS } from './policy-form.ts';

const PRIORITIES = [{ value: '', name: 'The one that it has' }, ...PRIORITY_OPTIONS];

/** How an alert policy changes an alert. */
export function AlertEffects(props: EffectFieldsProps): JSX.Element {
  const { form, onChange, refused } = props;
  return (
    <>
      <fieldset className={ui['group']}>
        <legend className={ui['label']}>What the alert says</legend>
        <p className={ui['hint']}>
          Each is a template: {'{{message}}'} is the message that the alert has, {'{{details.host}}'} one of its
          details. What is left empty stays as it is, but a message is needed.
        </p>
        {(Object.keys(TEXTS) as TextName[]).map((name) => (
          <TextArea
            key={name}
            label={TEXTS[name]}
            rows={name === 'alertDescription' ? 3 : 1}
            value={form[name]}
            error={faultUnder(refused, name, TEXTS[name])}
            spellCheck={false}
            onChange={({ target }) => {
              onChange({ [name]: target.value });
            }}
          />
        ))}
        <SelectField
          label="Priority"
          value={form.priority}
          error={faultUnder(refused, 'priority', 'Priority')}
          options={PRIORITIES}
          onValue={(priority) => {
            onChange({ priority });
          }}
        />
      </fieldset>
      <AddedToLists {...props} />
      <RespondersField
        label="Responders that it adds"
        hint="They are paged beside those of the alert, or in their place."
        error={faultUnder(refused, 'responders', 'Responder')}
        rows={form.responders}
        onChange={(responders) => {
          onChange({ responders });
        }}
      />
      <Ignored name="ignoreOriginalResponders" {...props} />
      <CheckField
        label="Try the alert policies after it too"
        hint="Where it matches and this is not set, it is the last alert policy of an alert."
        isChecked={form.continue}
        onChange={(isContinued) => {
          onChange({ continue: isContinued });
        }}
      />
    </>
  );
}

/** What it adds to tags, actions and details. */
function AddedToLists(props: EffectFieldsProps): JSX.Element {
  const { form, onChange, refused } = props;
  return (
    <fieldset className={ui['group']}>
      <legend className={ui['label']}>What it adds and removes</legend>
      <TextArea
        label="Tags that it adds"
        hint="A template on each line."
        rows={2}
        value={form.tags}
        error={faultUnder(refused, 'tags', 'Tag')}
        spellCheck={false}
        onChange={({ target }) => {
          onChange({ tags: target.value });
        }}
      />
      <Ignored name="ignoreOriginalTags" {...props} />
      <TextArea
        label="Actions that it adds"
        hint="A name on each line: what people can start from the alert, such as restart."
        rows={2}
        value={form.actions}
        error={faultUnder(refused, 'actions', 'Action')}
        spellCheck={false}
        onChange={({ target }) => {
          onChange({ actions: target.value });
        }}
      />
      <Ignored name="ignoreOriginalActions" {...props} />
      <PairsField
        label="Details that it sets"
        hint="A value is a template. A detail with the same name is replaced."
        rowName="Detail"
        error={faultUnder(refused, 'details', 'Details')}
        pairs={form.details}
        onChange={(details) => {
          onChange({ details });
        }}
      />
      <Ignored name="ignoreOriginalDetails" {...props} />
    </fieldset>
  );
}

function Ignored({ form, name, onChange }: EffectFieldsProps & { readonly name: IgnoredName }): JSX.Element {
  return (
    <CheckField
      label={`Remove the ${IGNORED[name]} that the alert comes with`}
      isChecked={form[name]}
      onChange={(isChecked) => {
        onChange({ [name]: isChecked });
      }}
    />
  );
}
