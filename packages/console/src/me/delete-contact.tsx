import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { contactName, lostStepsText } from './contacts.ts';
import { type Contact, rulesQuery, userPath } from './queries.ts';
import { useOwnWrite } from './use-own-write.ts';

interface DeleteContactProps {
  readonly userId: string;
  readonly contact: Contact;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

/** Asks before a contact is deleted, and says which steps of the rules go with it. */
export function DeleteContact({ contact, onClose, onDone, userId }: DeleteContactProps): JSX.Element {
  const rules = useQuery({ ...rulesQuery(userId), staleTime: 0 });
  const name = contactName(contact);
  const write = useOwnWrite(
    userId,
    () => call<Answer<'delete-contact'>>({ method: 'DELETE', path: userPath(userId, `/contacts/${contact.id}`) }),
    ({ message }) => {
      onClose();
      onDone(`${name} was deleted. ${message ?? ''}`.trim());
    },
  );
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      write={write}
      onConfirm={() => {
        write.mutate();
      }}
      onClose={onClose}
    >
      <Loaded query={rules} height="3rem">
        {({ rules: present }) => <p>{lostStepsText(present, contact)}</p>}
      </Loaded>
    </ConfirmDialog>
  );
}
