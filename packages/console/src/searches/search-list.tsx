import { useMutation, type UseMutationResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, type SubmitEvent, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { useStore } from '../shell/store.ts';
import { draftsStore, keepDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { changeSearches, savedSearchesQuery, savedSearchQuery, type SearchChange } from './queries.ts';
import { saveRefused, searchChangeRefused } from './searches.ts';
import styles from './searches.module.css';

/** The searches that people saved, and a form that saves the one of the page. */
export function SearchList({ query }: { readonly query: string }): JSX.Element {
  const list = useQuery(savedSearchesQuery);
  return (
    <section aria-label="Saved searches" className={ui['card']}>
      <Loaded query={list} height="6rem">
        {({ data }) =>
          data.length === 0 ? (
            <p>No search is saved yet.</p>
          ) : (
            <ul className={styles['list']}>
              {data.map(({ id, name }) => (
                <SearchItem key={id} id={id} name={name} shown={query} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <SaveForm query={query} />
    </section>
  );
}

/** Sends a change, and reads the list again. */
function useSearchChange(onDone: () => void): UseMutationResult<void, Error, SearchChange> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: changeSearches,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['saved-searches'] });
      onDone();
    },
  });
}

/** What the server says of the name; undefined where it says nothing of it. A name that is taken is a conflict. */
const nameFault = (error: unknown): string | undefined => {
  if (!(error instanceof CallError)) return undefined;
  const { fields, message, status } = error;
  if (status === 409) return `${message}.`;
  return fields['name'] === undefined ? undefined : `The name ${fields['name']}.`;
};

interface SearchItemProps {
  readonly id: string;
  readonly name: string;
  /** The search that the page shows. */
  readonly shown: string;
}

function SearchItem({ id, name, shown }: SearchItemProps): JSX.Element {
  const session = useSession();
  const roleRefused = useAlertChangesRefused();
  const [step, setStep] = useState<'rename' | 'delete'>();
  const search = useQuery(savedSearchQuery(id)).data?.data;
  const refused =
    roleRefused ?? (search === undefined ? 'The search is being read.' : searchChangeRefused(search, session));
  const toggle = (next: typeof step) => () => {
    setStep(step === next ? undefined : next);
  };
  return (
    <li>
      <div className={ui['row']}>
        {search === undefined ? (
          <span>{name}</span>
        ) : (
          <PageLink to={paths.alerts(search.query)} aria-current={search.query === shown ? 'page' : undefined}>
            {name}
          </PageLink>
        )}
        <Button look="plain" disabledReason={refused} aria-expanded={step === 'rename'} onClick={toggle('rename')}>
          Rename<span className={ui['hidden']}> {name}</span>
        </Button>
        <Button look="plain" disabledReason={refused} aria-expanded={step === 'delete'} onClick={toggle('delete')}>
          Delete<span className={ui['hidden']}> {name}</span>
        </Button>
      </div>
      {search !== undefined && <p className={ui['hint']}>{search.query}</p>}
      {step === 'rename' && (
        <NameForm
          label={`New name of ${name}`}
          submit="Change the name"
          place={`saved-search ${id}`}
          initial={name}
          changeOf={(typed) => ({ kind: 'rename', id, name: typed })}
          refusedOf={(typed) => (typed.trim() === '' ? 'Type a name first.' : undefined)}
          onDone={() => {
            setStep(undefined);
            announce('The search has a new name.');
          }}
        />
      )}
      {step === 'delete' && <DeleteForm id={id} name={name} />}
    </li>
  );
}

function DeleteForm({ id, name }: { readonly id: string; readonly name: string }): JSX.Element {
  const change = useSearchChange(() => {
    announce('The search was deleted.');
  });
  return (
    <>
      {change.error !== null && <Problem error={change.error} />}
      <Button
        disabledReason={change.isPending ? 'It is being deleted.' : undefined}
        onClick={() => {
          change.mutate({ kind: 'delete', id });
        }}
      >
        Delete {name} for all
      </Button>
    </>
  );
}

function SaveForm({ query }: { readonly query: string }): JSX.Element {
  const { user } = useSession();
  const roleRefused = useAlertChangesRefused();
  return (
    <NameForm
      label="Name of the search of this page"
      submit="Save this search"
      place="saved-search"
      initial=""
      changeOf={(name) => ({ kind: 'save', name, query, username: user.username })}
      refusedOf={(name) => roleRefused ?? saveRefused(query, name)}
      onDone={() => {
        announce('The search is saved.');
      }}
    />
  );
}

interface NameFormProps {
  readonly label: string;
  readonly submit: string;
  /** Where what was typed is kept. */
  readonly place: string;
  readonly initial: string;
  readonly changeOf: (name: string) => SearchChange;
  readonly refusedOf: (name: string) => string | undefined;
  readonly onDone: () => void;
}

/** A form for the name of a search. What was typed stays until the server has it. */
function NameForm({ changeOf, initial, label, onDone, place, refusedOf, submit }: NameFormProps): JSX.Element {
  const name = useStore(draftsStore).get(place) ?? initial;
  const change = useSearchChange(() => {
    keepDraft(place, '');
    onDone();
  });
  const fault = nameFault(change.error);
  const submitForm = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate(changeOf(name.trim()));
  };
  return (
    <form onSubmit={submitForm}>
      <TextField
        label={label}
        value={name}
        autoComplete="off"
        error={fault}
        onChange={(event) => {
          keepDraft(place, event.target.value);
        }}
      />
      {change.error !== null && fault === undefined && <Problem error={change.error} />}
      <Button type="submit" disabledReason={refusedOf(name) ?? (change.isPending ? 'It is being sent.' : undefined)}>
        {submit}
      </Button>
    </form>
  );
}
