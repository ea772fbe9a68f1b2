import { type JSX, useState } from 'react';
import { call } from '../api/call.ts';
import { faultAt } from '../api/problem-text.ts';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { WriteForm } from '../ui/write-form.tsx';
import { CODE_LIMITS, contactName, noCodeHint } from './contacts.ts';
import styles from './me.module.css';
import { type Contact, userPath } from './queries.ts';
import { useOwnWrite } from './use-own-write.ts';

interface CodeFormProps {
  readonly userId: string;
  readonly contact: Contact;
  readonly onDone: (text: string) => void;
}

/** Verifies a contact by the code that was sent to it. */
export function CodeForm({ contact, onDone, userId }: CodeFormProps): JSX.Element {
  const refused = useOwnChangesRefused();
  const name = contactName(contact);
  const path = userPath(userId, `/contacts/${contact.id}/verification`);
  const [code, setCode] = useState('');
  const [sent, setSent] = useState('');
  const verifying = useOwnWrite(
    userId,
    () => call({ method: 'POST', path: `${path}/confirm`, body: { code } }),
    () => {
      onDone(`${name} is verified.`);
    },
  );
  const sending = useOwnWrite(
    userId,
    () => call({ method: 'POST', path }),
    () => {
      setSent('Another code was sent.');
      announce('Another code was sent.');
    },
  );
  const noCode = code.trim() === '' ? 'Type the code first.' : undefined;
  return (
    <div className={styles['verification']}>
      <p>
        A code of six digits was sent to {contact.to}. Messages go there only after you typed it here.
        {noCodeHint(contact)}
      </p>
      <WriteForm
        label={`Verify ${name}`}
        action="Verify"
        fields={['code']}
        write={verifying}
        disabledReason={refused ?? noCode}
        onSubmit={() => {
          verifying.mutate();
        }}
      >
        <TextField
          label="Code"
          hint={CODE_LIMITS}
          value={code}
          error={faultAt(verifying.error, 'code', 'The code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          onChange={({ target }) => {
            setCode(target.value);
          }}
        />
      </WriteForm>
      {sending.error !== null && <Problem error={sending.error} />}
      <div className={ui['row']}>
        <Button
          disabledReason={refused ?? (sending.isPending ? 'The server is answering.' : undefined)}
          onClick={() => {
            sending.mutate();
          }}
        >
          Send another code
        </Button>
        {sent !== '' && <span className={ui['hint']}>{sent}</span>}
      </div>
    </div>
  );
}
