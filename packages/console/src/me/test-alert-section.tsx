import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useId, useState } from 'react';
import { useAlertChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { testAlertQuery } from '../test-alert/queries.ts';
import { DEFAULT_TEST_PRIORITY, sendTestAlert, TEST_PRIORITIES } from '../test-alert/test-alert.ts';
import { TestAlertSender } from '../test-alert/test-alert-sender.tsx';
import { Problem } from '../ui/problem.tsx';
import { SelectField } from '../ui/select-field.tsx';
import styles from './me.module.css';

const PRIORITY_OPTIONS = TEST_PRIORITIES.map((value) => ({ value, name: value }));

/** Sends an alert to the signed-in person alone, and shows what becomes of it. */
export function TestAlert(): JSX.Element {
  const headingId = useId();
  const { user } = useSession();
  const refused = useAlertChangesRefused();
  const client = useQueryClient();
  const [priority, setPriority] = useState(DEFAULT_TEST_PRIORITY);
  const responder = { type: 'user', id: user.id, name: user.username } as const;
  const query = testAlertQuery(responder);
  const { data, error, refetch } = useQuery(query);
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Test alert</h2>
      <p>
        A real alert to you alone, sent as your contacts, devices and notification rules say. Close it when you have
        seen enough.
      </p>
      <div className={styles['adding']}>
        <SelectField label="Priority" value={priority} options={PRIORITY_OPTIONS} onValue={setPriority} />
      </div>
      {data === undefined && error !== null && (
        <Problem of="Earlier test alerts: " error={error} onRetry={() => void refetch()} />
      )}
      <TestAlertSender
        action="Send me a test alert"
        disabledReason={refused}
        alertId={data?.id}
        send={() => sendTestAlert({ responder, page: 'Me', priority })}
        onSettled={() => client.invalidateQueries({ queryKey: query.queryKey })}
      />
    </section>
  );
}
