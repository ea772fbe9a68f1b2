import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { useTeamsChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { entityText, foundEntities, keyOf } from './entities.ts';
import { bodyFromNow, disabling, LENGTHS } from './form.ts';
import styles from './maintenance.module.css';
import { type Entity, WINDOWS } from './queries.ts';
import { useEntities, useOwners } from './use-entities.ts';
import { createWindow } from './write.ts';

/** Starts a window in two clicks: what is off, and for how long. */
export function StartNow(): JSX.Element {
  const query = useQuery(useEntities());
  return (
    <section aria-label="Start now" className={styles['start']}>
      <h2 className={styles['first']}>Start now</h2>
      <Loaded query={query} height="12rem">
        {(entities) =>
          entities.length === 0 ? (
            <p>There is no integration and no policy to turn off.</p>
          ) : (
            <Choice entities={entities} />
          )
        }
      </Loaded>
    </section>
  );
}

/** How many are listed before a person searches. */
const MAX_LISTED = 8;

function Choice({ entities }: { readonly entities: readonly Entity[] }): JSX.Element {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const found = foundEntities(entities, text);
  const rules = entities.filter((entity) => chosen.includes(keyOf(entity))).map(disabling);
  const refused = useTeamsChangesRefused(useOwners(rules, entities));
  const write = useMutation({
    mutationFn: (ms: number | undefined) => createWindow(bodyFromNow(rules, ms, serverNow())),
    onSuccess: () => {
      setChosen([]);
      announce('The maintenance window has begun.');
    },
    // An answer that was lost can be that of a window that has begun.
    onSettled: () => client.invalidateQueries({ queryKey: WINDOWS }),
  });
  const reason = rules.length === 0 ? 'Choose first what is off.' : refused;
  return (
    <>
      {entities.length > MAX_LISTED && (
        <TextField
          label="Find an integration or policy"
          type="search"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
          }}
        />
      )}
      <Checks found={found} chosen={chosen} onChoose={setChosen} />
      {write.error !== null && <Problem error={write.error} />}
      <div role="group" aria-label="For how long" className={ui['row']}>
        {LENGTHS.map(({ ms, name }) => (
          <Button
            key={name}
            disabledReason={write.isPending ? 'The server is answering.' : reason}
            onClick={() => {
              write.mutate(ms);
            }}
          >
            {ms === undefined ? 'Until you end it' : `For ${name}`}
          </Button>
        ))}
      </div>
    </>
  );
}

interface ChecksProps {
  readonly found: readonly Entity[];
  /** The keys of those that are chosen. */
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

function Checks({ chosen, found, onChoose }: ChecksProps): JSX.Element {
  // What is chosen stays in the list, whatever is searched.
  const listed = found.filter((entity, place) => place < MAX_LISTED || chosen.includes(keyOf(entity)));
  return (
    <fieldset className={styles['choices']}>
      <legend>What is off</legend>
      {listed.map((entity) => (
        <CheckField
          key={keyOf(entity)}
          label={entityText(entity)}
          isChecked={chosen.includes(keyOf(entity))}
          onChange={(isChecked) => {
            const others = chosen.filter((key) => key !== keyOf(entity));
            onChoose(isChecked ? [...others, keyOf(entity)] : others);
          }}
        />
      ))}
      {found.length > listed.length && <p className={ui['hint']}>And {found.length - listed.length} more: search.</p>}
      {found.length === 0 && <p>None has this name.</p>}
    </fieldset>
  );
}
