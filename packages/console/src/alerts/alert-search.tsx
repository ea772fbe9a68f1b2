import { type JSX, useEffect, useState } from 'react';
import { completionsOf } from '../searches/completion.ts';
import { SavedSearches } from '../searches/saved-searches.tsx';
import { PageLink, useGo } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { SEARCH_FIELD } from '../shell/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { fixedSearches } from './alert-state.ts';
import styles from './alerts.module.css';
import { type SearchText, withQuery } from './search-text.ts';

interface AlertSearchProps {
  readonly query: string;
  readonly username: string;
  /** What is wrong with the search, as the server says it. */
  readonly fault: string | undefined;
}

/** How long after the last key a search begins. */
const SEARCH_AFTER_MS = 300;

export function AlertSearch({ fault, query, username }: AlertSearchProps): JSX.Element {
  return (
    <>
      <nav aria-label="Searches">
        <ul className={styles['views']}>
          {fixedSearches(username).map((view) => (
            <li key={view.name}>
              <PageLink to={paths.alerts(view.query)} aria-current={view.query === query ? 'page' : undefined}>
                {view.name}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <SearchForm query={query} fault={fault} />
      <SavedSearches query={query} />
    </>
  );
}

function SearchForm({ fault, query }: Omit<AlertSearchProps, 'username'>): JSX.Element {
  const go = useGo();
  const [typed, setTyped] = useState<SearchText>({ query, text: query, sent: undefined });
  if (typed.query !== query) setTyped(withQuery(typed, query));
  const text = typed.text;
  const isNew = text.trim() !== query;
  useEffect(() => {
    if (!isNew) return undefined;
    const timer = setTimeout(() => {
      setTyped((now) => ({ ...now, sent: text.trim() }));
      go(paths.alerts(text.trim()), { replace: true });
    }, SEARCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [isNew, text, go]);
  return (
    <search>
      <form
        className={styles['search']}
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <TextField
          {...SEARCH_FIELD}
          label="Search"
          type="search"
          value={text}
          spellCheck={false}
          autoComplete="off"
          error={fault === undefined ? undefined : `The search has a mistake ${fault}.`}
          onChange={(event) => {
            setTyped({ ...typed, text: event.target.value });
          }}
        />
        <Completions
          text={text}
          onChoose={(completed) => {
            setTyped({ ...typed, text: completed });
            document.querySelector<HTMLElement>('[data-search]')?.focus();
          }}
        />
      </form>
    </search>
  );
}

interface CompletionsProps {
  readonly text: string;
  readonly onChoose: (text: string) => void;
}

/** What the search may go on with, below its field. */
function Completions({ onChoose, text }: CompletionsProps): JSX.Element {
  const completions = completionsOf(text);
  return completions.length === 0 ? (
    <></>
  ) : (
    <div role="group" aria-label="Go on with" className={styles['completions']}>
      {completions.map((each) => (
        <Button
          key={each.name}
          onClick={() => {
            onChoose(each.text);
          }}
        >
          {each.name}
        </Button>
      ))}
    </div>
  );
}
