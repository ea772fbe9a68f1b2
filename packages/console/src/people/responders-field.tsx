import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { RowsField } from '../ui/rows-field.tsx';
import { responderNameQuery } from './queries.ts';
import { ResponderField } from './responder-field.tsx';
import {
  ALONE_TEXTS,
  type KnownResponder,
  knownText,
  lookUpOf,
  NEW_RESPONDER,
  type ResponderRow,
} from './responders.ts';

interface RespondersFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly rows: readonly ResponderRow[];
  readonly onChange: (rows: readonly ResponderRow[]) => void;
}

const ALONE = Object.values(ALONE_TEXTS);

/** A field for a list of responders: those that are there, and those that a person types. */
export function RespondersField(props: RespondersFieldProps): JSX.Element {
  return (
    <RowsField {...props} rowName="Responder" newRow={NEW_RESPONDER}>
      {({ known, typed }, change) =>
        known === undefined ? (
          <ResponderField
            text={typed}
            hint="A person, a team, a schedule, an escalation, or all users: type a part of the name."
            further={ALONE}
            onText={(text) => {
              change({ typed: text });
            }}
          />
        ) : (
          <ResponderName responder={known} />
        )
      }
    </RowsField>
  );
}

/** The name of a responder, which is looked up where the answer has none. */
function ResponderName({ responder }: { readonly responder: KnownResponder }): JSX.Element {
  const asked = lookUpOf(responder);
  const { data } = useQuery({ ...responderNameQuery(asked ?? NONE), enabled: asked !== undefined });
  return <p>{knownText(responder, data)}</p>;
}

const NONE = { type: 'user', id: '' } as const;
