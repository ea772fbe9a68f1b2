import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { announce } from '../shell/announcer.tsx';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import { SET_UP, type SetUp, testLogQuery } from './queries.ts';
import { sendTestAlert } from './writes.ts';

interface TestAlertStepProps {
  readonly setUp: SetUp;
  readonly refused: string | undefined;
}

/** Sends an alert to the team, and shows what becomes of it. */
export function TestAlertStep({ refused, setUp }: TestAlertStepProps): JSX.Element {
  const { team, testAlert } = setUp;
  const client = useQueryClient();
  const sending = useMutation({
    mutationFn: async () => {
      if (team !== undefined) await sendTestAlert(team);
    },
    onSuccess: () => {
      announce('The test alert was sent.');
    },
    // It can have been accepted although the answer was lost.
    onSettled: () => client.invalidateQueries({ queryKey: SET_UP }),
  });
  return (
    <>
      {sending.error !== null && <Problem error={sending.error} />}
      <Button
        look="primary"
        disabledReason={refused ?? (sending.isPending ? 'The server is answering.' : undefined)}
        onClick={() => {
          sending.mutate();
        }}
      >
        Send a test alert
      </Button>
      {testAlert && <SentAlert id={testAlert.id} />}
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
          <ol>
            {entries.map(({ createdAt, log: text, offset }) => (
              <li key={offset}>
                <Instant at={createdAt} /> {text}
              </li>
            ))}
          </ol>
        </>
      )}
    </Loaded>
  );
}
