import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useId } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { useMayChangeSomeTeam, useOwnChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';

type Mail = Answer<'get-readiness-mail'>['data'];

const mailPath = (username: string): string => `/v2/users/${encodeURIComponent(username)}/readiness-mail`;

const mailQuery = (username: string) =>
  queryOptions({
    queryKey: ['readiness-mail', username],
    queryFn: async ({ signal }) =>
      (await call<Answer<'get-readiness-mail'>>({ path: mailPath(username), signal })).data,
  });

const NO_FINDINGS =
  'It has findings for an admin of a team, and for an owner or admin of the account: you are none of them.';

/** Whether the signed-in person gets the findings by mail. */
export function WeeklyMail(): JSX.Element {
  const headingId = useId();
  const { user } = useSession();
  const query = useQuery(mailQuery(user.username));
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Weekly mail</h2>
      <p>
        Each Monday at 09:00 on your clock: the findings of the teams that you administer, and all findings for an owner
        or admin of the account. It does not come where there is no finding.
      </p>
      <Loaded query={query} height="4rem">
        {(mail) => <MailSwitch mail={mail} username={user.username} />}
      </Loaded>
    </section>
  );
}

function MailSwitch({ mail, username }: { readonly mail: Mail; readonly username: string }): JSX.Element {
  const client = useQueryClient();
  const ownRefused = useOwnChangesRefused();
  const getsFindings = useMayChangeSomeTeam();
  // Who lost the right can still end it.
  const refused = ownRefused ?? (mail.isActive || getsFindings ? undefined : NO_FINDINGS);
  const write = useMutation({
    mutationFn: (isWanted: boolean) => call({ method: isWanted ? 'POST' : 'DELETE', path: mailPath(username) }),
    onSuccess: (_, isWanted) => {
      announce(isWanted ? 'You get the weekly mail.' : 'You get no weekly mail.');
    },
    // Also where the write failed: its answer can be lost.
    onSettled: () => client.invalidateQueries(mailQuery(username)),
  });
  return (
    <>
      {mail.nextAt !== undefined && (
        <p className={ui['hint']}>
          The next one is due <Instant isToMinute at={mail.nextAt} />.
        </p>
      )}
      {write.error !== null && <Problem error={write.error} />}
      <Button
        disabledReason={refused ?? (write.isPending ? 'The server is answering.' : undefined)}
        onClick={() => {
          write.mutate(!mail.isActive);
        }}
      >
        {mail.isActive ? 'End the weekly mail' : 'Mail me each Monday'}
      </Button>
    </>
  );
}
