import { useQueries, useQuery } from '@tanstack/react-query';
import { type JSX, useDeferredValue } from 'react';
import { ChoiceField } from '../ui/choice-field.tsx';
import { choiceOf, RESPONDER_KINDS, type ResponderKind, responderText } from './people.ts';
import { namesQuery, usersQuery } from './queries.ts';

interface NameFieldProps {
  readonly error?: string | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
}

interface ResponderFieldProps extends NameFieldProps {
  readonly label?: string;
  readonly hint?: string;
  /** What it offers beside people; all kinds by default. */
  readonly kinds?: readonly ResponderKind[];
  /** Texts that it offers besides. */
  readonly further?: readonly string[];
}

/** A field for who is paged: a person by user name, or a team, schedule or escalation such as `Team: Database`. */
export function ResponderField({
  error,
  further = [],
  hint = 'A person, a team, a schedule or an escalation: type a part of the name.',
  kinds = RESPONDER_KINDS,
  label = 'Responder',
  onText,
  text,
}: ResponderFieldProps): JSX.Element {
  const users = useQuery(usersQuery(useDeferredValue(text)));
  const names = useQueries({ queries: kinds.map(namesQuery) });
  const others = kinds.flatMap((kind, index) =>
    (names[index]?.data ?? []).map((name) => {
      const value = responderText(kind, name);
      return { key: value, name: value, value };
    }),
  );
  const people = (users.data ?? []).map((user) => ({ ...choiceOf(user), value: user.username }));
  return (
    <ChoiceField
      label={label}
      hint={hint}
      error={error}
      text={text}
      onText={onText}
      choices={[...people, ...others, ...further.map((value) => ({ key: value, name: value, value }))]}
      onChoose={({ value }) => {
        onText(value);
      }}
    />
  );
}

/** A field for the name of an escalation. */
export function EscalationField({ error, onText, text }: NameFieldProps): JSX.Element {
  const names = useQuery(namesQuery('escalation'));
  return (
    <ChoiceField
      label="Escalation"
      hint="Its next rule runs now, whatever its delay."
      error={error}
      text={text}
      onText={onText}
      choices={(names.data ?? []).map((name) => ({ key: name, name }))}
      onChoose={({ name }) => {
        onText(name);
      }}
    />
  );
}
