import { useQuery } from '@tanstack/react-query';
import { type JSX, useDeferredValue } from 'react';
import { problemText } from '../api/problem-text.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { choiceOf } from './people.ts';
import { usersQuery } from './queries.ts';

interface PersonFieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** A field for the user name of a person, who is found by their full name too. */
export function PersonField({ error, label, onText, text }: PersonFieldProps): JSX.Element {
  const users = useQuery(usersQuery(useDeferredValue(text)));
  const hint =
    users.error === null
      ? 'Type a part of the name, or the user name.'
      : `The people cannot be listed: ${problemText(users.error).what} Type the user name.`;
  return (
    <ChoiceField
      label={label}
      hint={hint}
      error={error}
      text={text}
      onText={onText}
      choices={(users.data ?? []).map(choiceOf)}
      onChoose={({ username }) => {
        onText(username);
      }}
    />
  );
}
