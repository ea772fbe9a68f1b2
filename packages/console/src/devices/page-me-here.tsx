import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { type Contact as UserContact, meKey, rulesQuery, userPath } from '../me/queries.ts';
import { useOwnWrite } from '../me/use-own-write.ts';
import { useSession } from '../session/use-session.ts';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { writeStored } from '../shell/stored.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { subscribeBrowser } from './browser-push.ts';
import styles from './devices.module.css';
import { browserName, type DeviceState, deviceState, deviceText, subscribeText } from './push-state.ts';
import { browserQuery, pushKeyQuery, REGISTRATION } from './queries.ts';

/** Whether this browser shows the pages of the signed-in person, and how it does. */
export function PageMeHere({ contacts }: { readonly contacts: readonly UserContact[] }): JSX.Element {
  const userId = useSession().user.id;
  const key = useQuery(pushKeyQuery);
  const here = useQuery(browserQuery);
  return (
    <div role="group" aria-label="This device" className={styles['here']}>
      <Loaded query={key} height="4rem">
        {({ publicKey }) => (
          <Loaded query={here} height="4rem">
            {(read) => (
              <ThisDevice state={deviceState({ ...read, publicKey, userId, contacts })} publicKey={publicKey ?? ''} />
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}

interface ThisDeviceProps {
  readonly state: DeviceState;
  readonly publicKey: string;
}

function ThisDevice({ publicKey, state }: ThisDeviceProps): JSX.Element {
  const { user } = useSession();
  const client = useQueryClient();
  const refused = useOwnChangesRefused();
  const [failure, setFailure] = useState('');
  const subscribing = useOwnWrite(
    user.id,
    () => register(user, publicKey, state),
    (failed: string | undefined) => {
      setFailure(failed ?? '');
      announce(failed ?? 'Your pages are shown on this device.');
      void client.invalidateQueries({ queryKey: browserQuery.queryKey });
    },
  );
  const action = subscribeText(state);
  return (
    <>
      <p>{deviceText(state)}</p>
      {failure !== '' && (
        <p role="alert" className={ui['problem']}>
          {failure}
        </p>
      )}
      {subscribing.error !== null && <Problem error={subscribing.error} />}
      {action !== undefined && (
        <Button
          look="primary"
          disabledReason={subscribing.isPending ? 'The browser is subscribing.' : refused}
          onClick={() => {
            subscribing.mutate();
          }}
        >
          {action}
        </Button>
      )}
      {state.kind === 'subscribed' && <NewAlertsHere contact={state.contact} refused={refused} />}
    </>
  );
}

/** Makes the browser a contact, or gives its contact a new subscription. Resolves with why it is none. */
async function register(
  user: { readonly id: string; readonly username: string },
  publicKey: string,
  state: DeviceState,
): Promise<string | undefined> {
  const subscription = await subscribeBrowser(publicKey);
  if ('refused' in subscription) return subscription.refused;
  const { data } = await call<Answer<'register-browser'>>({
    method: 'POST',
    path: userPath(user.id, '/browsers'),
    body: {
      name: browserName(navigator.userAgent),
      subscription,
      ...(state.kind === 'ended' && { replaces: state.contact.id }),
    },
  });
  const registration = { userId: user.id, username: user.username, contactId: data.id };
  writeStored('device', REGISTRATION, JSON.stringify(registration));
  return undefined;
}

interface NewAlertsHereProps {
  readonly contact: Pick<UserContact, 'to'>;
  readonly refused: string | undefined;
}

/** Adds the step without which a registered device shows no page, where no rule has one. */
function NewAlertsHere({ contact: { to }, refused }: NewAlertsHereProps): JSX.Element | null {
  const { user } = useSession();
  const client = useQueryClient();
  const { data } = useQuery(rulesQuery(user.id));
  const rule = data?.rules.find(({ actionType, enabled }) => actionType === 'create-alert' && enabled);
  const adding = useOwnWrite(
    user.id,
    () =>
      call({
        method: 'POST',
        path: userPath(user.id, `/notification-rules/${encodeURIComponent(rule?.id ?? '')}/steps`),
        body: {
          contact: { method: 'mobile', to },
          sendAfter: { timeAmount: 0, timeUnit: 'minutes' },
          enabled: true,
        },
        isDoneEachTime: true,
      }),
    () => {
      announce('New alerts are sent to this device at once.');
      void client.invalidateQueries({ queryKey: meKey(user.id) });
    },
  );
  const isUsed = data?.rules.some(({ steps }) => steps.some(({ contact }) => contact.to === to)) ?? true;
  if (isUsed) return null;
  return (
    <>
      <p role="note">No notification rule of yours has a step for this device, so no page is sent to it.</p>
      {adding.error !== null && <Problem error={adding.error} />}
      {rule !== undefined && (
        <Button
          look="primary"
          disabledReason={adding.isPending ? 'The server is answering.' : refused}
          onClick={() => {
            adding.mutate();
          }}
        >
          Send new alerts here at once
        </Button>
      )}
    </>
  );
}
