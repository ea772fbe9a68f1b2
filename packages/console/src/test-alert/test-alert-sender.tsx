import { useMutation, useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { alertQuery } from '../alerts/queries.ts';
import { useAlertWrite } from '../alerts/use-alert-write.ts';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { announce } from '../shell/announcer.tsx';
import { ServerText } from '../explanation/server-text.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { testLogQuery } from './queries.ts';

interface TestAlertSenderProps {
  /** What the button says. */
  readonly action: string;
  readonly disabledReason: string | undefined;
  /** The newest test alert. */
  readonly alertId: string | undefined;
  readonly send: () => Promise<unknown>;
  /** Reads the newest test alert again: one can have been accepted although its answer was lost. */
  readonly onSettled: () => Promise<unknown>;
}

/** Sends a test alert, shows what becomes of it, and closes it. */
export function TestAlertSender({
  action,
  alertId,
  disabledReason,
  onSettled,
  send,
}: TestAlertSenderProps): JSX.Element {
  const sending = useMutation({
    mutationFn: send,
    onSuccess: () => {
      announce('The test alert was sent.');
    },
    onSettled,
  });
  return (
    <>
      {sending.error !== null && <Problem error={sending.error} />}
      <p>
        <Button
          look="primary"
          disabledReason={disabledReason ?? (sending.isPending ? 'The server is answering.' : undefined)}
          onClick={() => {
            sending.mutate();
          }}
        >
          {action}
        </Button>
      </p>
      {alertId !== undefined && <SentAlert key={alertId} id={alertId} />}
    </>
  );
}

function SentAlert({ id }: { readonly id: string }): JSX.Element {
  const log = useQuery(testLogQuery(id));
  return (
    <Loaded query={log} height="6rem">
      {(entries) => (
        <>
          <p>
            <PageLink to={paths.alert(id)}>Open the test alert</PageLink>, to acknowledge it or to see why it went where
            it went. What happened, the newest first:
          </p>
          <ol aria-label="Log of the test alert">
            {entries.map(({ createdAt, log: text, offset }) => (
              <li key={offset}>
                <Instant at={createdAt} />{' '}
                <bdi>
                  <ServerText text={text} />
                </bdi>
              </li>
            ))}
          </ol>
          <CloseAlert id={id} />
        </>
      )}
    </Loaded>
  );
}

function CloseAlert({ id }: { readonly id: string }): JSX.Element {
  const alert = useQuery(alertQuery(id));
  const refused = useAlertChangesRefused();
  const write = useAlertWrite(() => {
    announce('The test alert was closed.');
  });
  const isClosed = alert.data?.data.status === 'closed';
  return (
    <>
      {write.error !== null && <Problem error={write.error} />}
      {write.data?.fault !== undefined && (
        <p role="alert" className={ui['error']}>
          {write.data.fault}
        </p>
      )}
      <Button
        disabledReason={
          isClosed ? 'The alert is closed.' : (refused ?? (write.isPending ? 'The server is answering.' : undefined))
        }
        onClick={() => {
          write.mutate({ id, action: 'close' });
        }}
      >
        Close the test alert
      </Button>
    </>
  );
}
