import { useQuery } from '@tanstack/react-query';
import { type JSX, useDeferredValue, useState } from 'react';
import { useAccountChangesRefused } from '../session/use-rights.ts';
import { announce, PageHeading } from '../shell/announcer.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { InviteForm } from './invite-form.tsx';
import { PersonItem } from './person-item.tsx';
import styles from './people.module.css';
import { peopleQuery } from './queries.ts';

/** The users of the account, and the ways to invite, change and remove them. */
export function PeoplePage(): JSX.Element {
  const [text, setText] = useState('');
  const [result, setResult] = useState('');
  const refused = useAccountChangesRefused();
  const query = useQuery(peopleQuery(useDeferredValue(text)));
  const say = (said: string) => {
    setResult(said);
    announce(said);
  };
  return (
    <>
      <PageHeading title="People" />
      <div className={styles['form']}>
        <TextField
          label="Name or user name"
          hint="Finds names that begin with it."
          type="search"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
          }}
        />
      </div>
      <Loaded query={query} height="20rem">
        {({ isTruncated, users }) => (
          <>
            <p role="status" className={ui['hint']}>
              {isTruncated
                ? `The first ${users.length} people. Type a name to find others.`
                : `People: ${users.length}.`}
            </p>
            <ul className={styles['list']}>
              {users.map((user) => (
                <PersonItem key={user.id} user={user} refused={refused} onDone={say} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {result !== '' && <p className={ui['hint']}>{result}</p>}
      <InviteForm refused={refused} onDone={say} />
    </>
  );
}
