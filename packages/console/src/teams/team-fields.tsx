import type { JSX } from 'react';
import { CallError } from '../api/call-error.ts';
import { faultAt } from '../api/problem-text.ts';
import { TextField } from '../ui/text-field.tsx';

interface TeamTexts extends Readonly<Record<string, string>> {
  readonly name: string;
  readonly description: string;
}

/** What is wrong with the name of a team: one that is taken is a conflict. */
const nameFault = (error: unknown): string | undefined =>
  error instanceof CallError && error.status === 409 ? error.message : faultAt(error, 'name', 'Name');

const descriptionFault = (error: unknown) => faultAt(error, 'description', 'Description');

interface Write {
  readonly error: unknown;
  readonly isPending: boolean;
}

/** A write of a team as its form shows it: what the field of the name says of a failure does not stand above the button too. */
export const shownWrite = ({ error, isPending }: Write): Write => ({
  error: nameFault(error) === undefined ? error : null,
  isPending,
});

interface TeamFieldsProps {
  readonly typed: TeamTexts;
  readonly type: (change: Partial<TeamTexts>) => void;
  readonly error: unknown;
}

/** The fields of a team. */
export function TeamFields({ error, type, typed }: TeamFieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label="Name"
        value={typed.name}
        maxLength={100}
        autoComplete="off"
        error={nameFault(error)}
        onChange={({ target }) => {
          type({ name: target.value });
        }}
      />
      <TextField
        label="Description"
        value={typed.description}
        maxLength={200}
        autoComplete="off"
        error={descriptionFault(error)}
        onChange={({ target }) => {
          type({ description: target.value });
        }}
      />
    </>
  );
}
