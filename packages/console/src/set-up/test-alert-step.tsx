import { useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { sendTestAlert } from '../test-alert/test-alert.ts';
import { TestAlertSender } from '../test-alert/test-alert-sender.tsx';
import { SET_UP, type SetUp, testResponder } from './queries.ts';

interface TestAlertStepProps {
  readonly setUp: SetUp;
  readonly refused: string | undefined;
}

/** Sends an alert to the team, and shows what becomes of it. */
export function TestAlertStep({ refused, setUp }: TestAlertStepProps): JSX.Element {
  const { team, testAlert } = setUp;
  const client = useQueryClient();
  return (
    <TestAlertSender
      action="Send a test alert"
      disabledReason={refused}
      alertId={testAlert?.id}
      send={async () => {
        if (team !== undefined) await sendTestAlert({ responder: testResponder(team), page: 'Set up' });
      }}
      onSettled={() => client.invalidateQueries({ queryKey: SET_UP })}
    />
  );
}
