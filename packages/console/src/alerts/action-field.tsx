import type { JSX } from 'react';
import { PersonField } from '../people/person-field.tsx';
import { EscalationField, ResponderField } from '../people/responder-field.tsx';
import { PairsField } from '../ui/pairs-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { PRIORITY_OPTIONS } from '../ui/choices.ts';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { detailRows, detailsText, type FormAction } from './actions.ts';

interface ActionFieldProps {
  readonly action: FormAction;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly error: string | undefined;
}

/** The field of an action that a person has to say something for. */
export function ActionField({ action, ...field }: ActionFieldProps): JSX.Element {
  const { error, onText, text } = field;
  switch (action) {
    case 'snooze':
    case 'tags':
      return (
        <TextField
          {...(action === 'snooze' ? UNTIL : TAGS)}
          value={text}
          error={error}
          onChange={(event) => {
            onText(event.target.value);
          }}
        />
      );
    case 'message':
    case 'description':
      return (
        <TextArea
          {...(action === 'message' ? MESSAGE : DESCRIPTION)}
          value={text}
          error={error}
          onChange={(event) => {
            onText(event.target.value);
          }}
        />
      );
    case 'priority':
      return <SelectField label="Priority" value={text} error={error} options={PRIORITY_OPTIONS} onValue={onText} />;
    case 'details':
      return (
        <PairsField
          label="Details to set"
          hint="A detail with the same name is replaced."
          rowName="Detail"
          error={error}
          pairs={detailRows(text)}
          onChange={(pairs) => {
            onText(detailsText(pairs));
          }}
        />
      );
    case 'assign':
      return <PersonField label="New owner" {...field} />;
    case 'responders':
      return <ResponderField {...field} />;
    case 'escalate':
      return <EscalationField {...field} />;
  }
}

const UNTIL = {
  label: 'Until',
  type: 'datetime-local',
  step: 1,
  hint: 'On the clock of this device, at most 7 days ahead. Then paging starts from the beginning.',
} as const;

const MESSAGE = { label: 'Message', rows: 1 } as const;
const DESCRIPTION = { label: 'Description', rows: 4, hint: 'It may be empty.' } as const;

const TAGS = {
  label: 'Tags',
  hint: 'Several are separated by commas.',
  autoComplete: 'off',
  spellCheck: false,
} as const;
