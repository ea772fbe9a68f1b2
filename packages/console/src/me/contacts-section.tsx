import { useQuery } from '@tanstack/react-query';
import { type JSX, useId } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { faultAt } from '../api/problem-text.ts';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { useTyped } from '../shell/use-typed.ts';
import { Loaded } from '../ui/loaded.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { WriteForm } from '../ui/write-form.tsx';
import { ContactItem } from './contact-item.tsx';
import { type AddedMethod, addressHint, METHOD_OPTIONS, unreachableText } from './contacts.ts';
import styles from './me.module.css';
import { contactsQuery, userPath } from './queries.ts';
import { useOwnWrite } from './use-own-write.ts';
import { useResult } from './use-result.ts';

/** The addresses of a user, with what is not used and why. */
export function Contacts({ userId }: { readonly userId: string }): JSX.Element {
  const headingId = useId();
  const query = useQuery(contactsQuery(userId));
  const [result, say] = useResult();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Contacts</h2>
      <p>Your notification rules send messages to these. You can have two of each method.</p>
      <Loaded query={query} height="12rem">
        {(contacts) => (
          <>
            <Unreachable text={unreachableText(contacts)} />
            <ul className={styles['list']}>
              {contacts
                .filter(({ method }) => method !== 'mobile')
                .map((contact) => (
                  <ContactItem key={contact.id} userId={userId} contact={contact} onDone={say} />
                ))}
            </ul>
          </>
        )}
      </Loaded>
      {result !== '' && <p className={ui['hint']}>{result}</p>}
      <AddContact userId={userId} onDone={say} />
    </section>
  );
}

function Unreachable({ text }: { readonly text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null;
  return (
    <p role="note" className={styles['notice']}>
      {text}
    </p>
  );
}

interface AddContactProps {
  readonly userId: string;
  readonly onDone: (text: string) => void;
}

function AddContact({ onDone, userId }: AddContactProps): JSX.Element {
  const refused = useOwnChangesRefused();
  const { clear, type, typed } = useTyped<{ method: AddedMethod; to: string }>('me new contact', {
    method: 'email',
    to: '',
  });
  const write = useOwnWrite(
    userId,
    () => call<Answer<'create-contact'>>({ method: 'POST', path: userPath(userId, '/contacts'), body: typed }),
    ({ message }) => {
      clear();
      onDone(message === undefined ? 'The contact was added.' : `The contact was added. ${message}`);
    },
  );
  return (
    <details className={styles['adding']}>
      <summary>Add a contact</summary>
      <WriteForm
        label="New contact"
        action="Add"
        fields={['to', 'method']}
        write={write}
        disabledReason={refused}
        onSubmit={() => {
          write.mutate();
        }}
      >
        <SelectField
          label="Method"
          value={typed.method}
          options={METHOD_OPTIONS}
          error={faultAt(write.error, 'method', 'Method')}
          onValue={(method) => {
            type({ method });
          }}
        />
        <TextField
          label="Address"
          hint={addressHint(typed.method)}
          value={typed.to}
          error={faultAt(write.error, 'to', 'Address')}
          type={typed.method === 'email' ? 'email' : 'tel'}
          autoComplete={typed.method === 'email' ? 'email' : 'off'}
          onChange={({ target }) => {
            type({ to: target.value });
          }}
        />
      </WriteForm>
    </details>
  );
}
