import { useQuery } from '@tanstack/react-query';
import { type JSX, useId, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { faultAt } from '../api/problem-text.ts';
import { PageMeHere } from '../devices/page-me-here.tsx';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { useTyped } from '../shell/use-typed.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';
import { WriteForm } from '../ui/write-form.tsx';
import { ContactItem } from './contact-item.tsx';
import styles from './me.module.css';
import { contactsQuery, userPath } from './queries.ts';
import { useOwnWrite } from './use-own-write.ts';
import { useResult } from './use-result.ts';

type Registered = Answer<'register-device'>['data'];

/** The devices that show pushes to a user. */
export function Devices({ userId }: { readonly userId: string }): JSX.Element {
  const headingId = useId();
  const query = useQuery(contactsQuery(userId));
  const [result, say] = useResult();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Devices</h2>
      <p>Phones and browsers that show your pages as pushes. Add a step of a notification rule for each.</p>
      <Loaded query={query} height="4rem">
        {(contacts) => (
          <>
            <PageMeHere contacts={contacts} />
            <ul className={styles['list']}>
              {contacts
                .filter(({ method }) => method === 'mobile')
                .map((contact) => (
                  <ContactItem key={contact.id} userId={userId} contact={contact} onDone={say} />
                ))}
            </ul>
          </>
        )}
      </Loaded>
      {result !== '' && <p className={ui['hint']}>{result}</p>}
      <RegisterDevice userId={userId} kind="ntfy" />
      <RegisterDevice userId={userId} kind="telegram" />
      <RegisterDevice userId={userId} kind="slack" />
      <RegisterDevice userId={userId} kind="mattermost" />
    </section>
  );
}

interface KindTexts {
  readonly summary: string;
  readonly form: string;
  readonly action: string;
  readonly hint: string;
  readonly done: string;
  /** Of a kind whose devices have a key. */
  readonly key?: { readonly label: string; readonly hint: string };
}

/** What a person reads who adds a device of each kind. */
const KINDS: Readonly<Record<'ntfy' | 'telegram' | 'slack' | 'mattermost', KindTexts>> = {
  ntfy: {
    summary: 'Add a device with the app of ntfy',
    form: 'New device',
    action: 'Register',
    hint: 'Such as My phone.',
    done: 'The device was registered. Subscribe it now.',
  },
  telegram: {
    summary: 'Add an account of Telegram',
    form: 'New account of Telegram',
    action: 'Get the link',
    hint: 'Such as Telegram.',
    done: 'The link is there. Open it now.',
  },
  slack: {
    summary: 'Add an account of Slack',
    form: 'New account of Slack',
    action: 'Send the code',
    hint: 'Such as Slack.',
    done: 'The account was added. Type the code that the bot sends you in Slack.',
    key: { label: 'Member ID', hint: 'In Slack: your picture, Profile, More (⋮), Copy member ID. Such as U012AB3CD.' },
  },
  mattermost: {
    summary: 'Add an account of Mattermost',
    form: 'New account of Mattermost',
    action: 'Send the code',
    hint: 'Such as Mattermost.',
    done: 'The account was added. Type the code that the bot sends you in Mattermost.',
    key: {
      label: 'User ID',
      hint: '26 letters and digits: `id` of the page /api/v4/users/me of your server, in the browser in which you are signed in.',
    },
  },
};

interface RegisterDeviceProps {
  readonly userId: string;
  readonly kind: keyof typeof KINDS;
}

function RegisterDevice({ kind, userId }: RegisterDeviceProps): JSX.Element {
  const texts = KINDS[kind];
  const refused = useOwnChangesRefused();
  const { clear, type, typed } = useTyped(kind === 'ntfy' ? 'me new device' : `me new ${kind}`, { name: '', key: '' });
  const [registered, setRegistered] = useState<Registered>();
  const write = useOwnWrite(
    userId,
    () =>
      call<Answer<'register-device'>>({
        method: 'POST',
        path: userPath(userId, '/devices'),
        body: { name: typed.name, kind, ...(texts.key && { key: typed.key.trim() }) },
      }),
    ({ data }) => {
      clear();
      setRegistered(data);
      announce(texts.done);
    },
  );
  const close = () => {
    setRegistered(undefined);
  };
  return (
    <details className={styles['adding']}>
      <summary>{texts.summary}</summary>
      {registered && kind === 'ntfy' && <Subscription device={registered} onClose={close} />}
      {registered && kind === 'telegram' && <AccountLink device={registered} onClose={close} />}
      <WriteForm
        label={texts.form}
        action={texts.action}
        fields={texts.key === undefined ? ['name'] : ['name', 'key']}
        write={write}
        disabledReason={refused}
        onSubmit={() => {
          write.mutate();
        }}
      >
        <TextField
          label="Name of the device"
          hint={texts.hint}
          value={typed.name}
          error={faultAt(write.error, 'name', 'Name')}
          autoComplete="off"
          onChange={({ target }) => {
            type({ ...typed, name: target.value });
          }}
        />
        {texts.key !== undefined && (
          <TextField
            label={texts.key.label}
            hint={texts.key.hint}
            value={typed.key}
            error={faultAt(write.error, 'key', texts.key.label)}
            autoComplete="off"
            onChange={({ target }) => {
              type({ ...typed, key: target.value });
            }}
          />
        )}
      </WriteForm>
    </details>
  );
}

interface RegisteredProps {
  readonly device: Registered;
  readonly onClose: () => void;
}

/** How an account of Telegram is linked. The page lists the device once it is. */
function AccountLink({ device: { url }, onClose }: RegisteredProps): JSX.Element {
  return (
    <div role="group" aria-label="Link the account" className={styles['verification']}>
      <p>
        Open{' '}
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>{' '}
        within 15 minutes on a device with Telegram, and press Start. The device is in the list above then.
      </p>
      <p>Keep the link to yourself: the account that opens it first gets your pages.</p>
      <Button onClick={onClose}>Done</Button>
    </div>
  );
}

/** How a device subscribes. The page shows it until it is closed or left. */
function Subscription({ device, onClose }: RegisteredProps): JSX.Element {
  return (
    <div role="group" aria-label="Subscribe the device" className={styles['verification']}>
      <p>
        Subscribe the device now; the page shows this once. In a browser, open{' '}
        <a href={device.url} target="_blank" rel="noreferrer">
          {device.url}
        </a>
        . In the app of ntfy on a phone, open or scan:
      </p>
      <p>
        <code>{device.qrText}</code>
      </p>
      <p>
        Keep it to yourself: who knows the address can read your pages. If you lose it, delete the device and register
        it again.
      </p>
      <Button onClick={onClose}>Done</Button>
    </div>
  );
}
