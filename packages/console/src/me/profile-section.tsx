import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useId } from 'react';
import { ProfileForm } from '../profile/profile-form.tsx';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { Loaded } from '../ui/loaded.tsx';
import styles from './me.module.css';
import { meKey, personQuery } from './queries.ts';

/** What a user is called, and on which clock their times are. */
export function NameAndZone({ userId }: { readonly userId: string }): JSX.Element {
  const headingId = useId();
  const client = useQueryClient();
  const person = useQuery(personQuery(userId));
  const refused = useOwnChangesRefused();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Name and time zone</h2>
      <p>The times of your notification rules are in this zone.</p>
      <div className={styles['adding']}>
        <Loaded query={person} height="14rem">
          {(data) => (
            <ProfileForm
              person={data}
              disabledReason={refused}
              onSaved={() => client.invalidateQueries({ queryKey: meKey(userId) })}
            />
          )}
        </Loaded>
      </div>
    </section>
  );
}
