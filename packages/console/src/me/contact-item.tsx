import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { faultAt } from '../api/problem-text.ts';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { useTyped } from '../shell/use-typed.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { WriteForm } from '../ui/write-form.tsx';
import { CodeForm } from './code-form.tsx';
import { addressHint, contactName, isUnverified, stateText } from './contacts.ts';
import { DeleteContact } from './delete-contact.tsx';
import styles from './me.module.css';
import { type Contact, userPath } from './queries.ts';
import { useOwnWrite } from './use-own-write.ts';

interface ContactItemProps {
  readonly userId: string;
  readonly contact: Contact;
  /** Called with what was done, for the page to say. */
  readonly onDone: (text: string) => void;
}

/** A contact or device, and all that its person does with it. */
export function ContactItem({ contact, onDone, userId }: ContactItemProps): JSX.Element {
  const refused = useOwnChangesRefused();
  const [open, setOpen] = useState<'address' | 'delete'>();
  const name = contactName(contact);
  const path = userPath(userId, `/contacts/${contact.id}`);
  const { enabled } = contact.status;
  const switching = useOwnWrite(
    userId,
    () => call({ method: 'POST', path: `${path}/${enabled ? 'disable' : 'enable'}` }),
    () => {
      onDone(enabled ? `${name} is disabled.` : `${name} is enabled.`);
    },
  );
  const close = () => {
    setOpen(undefined);
  };
  const answering = switching.isPending ? 'The server is answering.' : undefined;
  return (
    <li className={styles['item']} data-used={contact.status.disabledReason === undefined}>
      <div className={styles['summary']}>
        <div>
          <strong>{name}</strong>
          <div className={ui['hint']}>{stateText(contact)}</div>
        </div>
        <div className={ui['row']} role="group" aria-label={name}>
          {contact.method !== 'mobile' && (
            <Button
              aria-expanded={open === 'address'}
              disabledReason={refused}
              onClick={() => {
                setOpen(open === 'address' ? undefined : 'address');
              }}
            >
              Change
            </Button>
          )}
          <Button
            disabledReason={refused ?? answering}
            onClick={() => {
              switching.mutate();
            }}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button
            disabledReason={refused}
            onClick={() => {
              setOpen('delete');
            }}
          >
            Delete
          </Button>
        </div>
      </div>
      {switching.error !== null && <Problem error={switching.error} />}
      {isUnverified(contact) && <CodeForm userId={userId} contact={contact} onDone={onDone} />}
      {open === 'address' && <AddressForm userId={userId} contact={contact} onDone={onDone} onClose={close} />}
      {open === 'delete' && <DeleteContact userId={userId} contact={contact} onDone={onDone} onClose={close} />}
    </li>
  );
}

function AddressForm({
  contact,
  onClose,
  onDone,
  userId,
}: ContactItemProps & { readonly onClose: () => void }): JSX.Element {
  const { id, method, to } = contact;
  const refused = useOwnChangesRefused();
  const { clear, type, typed } = useTyped(`me contact ${id}`, { to });
  const write = useOwnWrite(
    userId,
    () => call<Answer<'update-contact'>>({ method: 'PATCH', path: userPath(userId, `/contacts/${id}`), body: typed }),
    ({ message = 'The address was changed. The steps of your rules that used the old one use the new one.' }) => {
      clear();
      onClose();
      onDone(message);
    },
  );
  return (
    <WriteForm
      label={`New address of ${contactName(contact)}`}
      action="Save the address"
      fields={['to']}
      write={write}
      disabledReason={refused}
      onSubmit={() => {
        write.mutate();
      }}
      onCancel={() => {
        clear();
        onClose();
      }}
    >
      <TextField
        label="New address"
        hint={addressHint(method)}
        value={typed.to}
        error={faultAt(write.error, 'to', 'Address')}
        type={method === 'email' ? 'email' : 'tel'}
        autoComplete="off"
        onChange={({ target }) => {
          type({ to: target.value });
        }}
      />
    </WriteForm>
  );
}
