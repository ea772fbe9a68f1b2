import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { draftsStore, keepDraft } from '../shell/unsaved.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Instant } from '../ui/instant.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import styles from './on-call.module.css';
import { calendarPath } from './queries.ts';

type CalendarLink = Answer<'get-calendar-link'>['data'];

const linkPath = (username: string): string => `/v2/users/${encodeURIComponent(username)}/calendar-link`;

const linkQuery = (username: string) =>
  queryOptions({
    queryKey: ['calendar-link', username],
    queryFn: async ({ signal }) => (await call<Answer<'get-calendar-link'>>({ path: linkPath(username), signal })).data,
  });

/** The calendar of a user, to download; their own also as a link that a calendar program follows. */
export function Calendar({ username }: { readonly username: string }): JSX.Element {
  const isMine = useSession().user.username === username;
  return (
    <section aria-label="Calendar">
      <h2>Calendar</h2>
      <p>
        <a href={calendarPath(username)} download={`${username}.ics`}>
          Download the calendar
        </a>{' '}
        of the next three months, for each calendar program. The file does not change afterwards.
      </p>
      {isMine && <FollowedCalendar username={username} />}
    </section>
  );
}

function FollowedCalendar({ username }: { readonly username: string }): JSX.Element {
  const query = useQuery(linkQuery(username));
  return (
    <>
      <p>A calendar program that follows changes needs a link. Who has the link sees your shifts, and nothing else.</p>
      <Loaded query={query} height="4rem">
        {(link) => <Link username={username} link={link} />}
      </Loaded>
    </>
  );
}

/** Where the link is kept until it is copied: so long the browser asks before the page is left. */
const PLACE = 'calendar link';

interface LinkProps {
  readonly username: string;
  readonly link: CalendarLink;
}

function Link({ link, username }: LinkProps): JSX.Element {
  const client = useQueryClient();
  const [url, setUrl] = useState(() => draftsStore.get().get(PLACE));
  const [asked, setAsked] = useState<'renew' | 'remove'>();
  const readAgain = () => client.invalidateQueries(linkQuery(username));
  const make = useMutation({
    mutationFn: () => call<Answer<'create-calendar-link'>>({ method: 'POST', path: linkPath(username) }),
    onSuccess: ({ data }) => {
      keepDraft(PLACE, data.url);
      setUrl(data.url);
      setAsked(undefined);
      announce('The link is on the page.');
    },
    // A link whose answer was lost is there, and can be renewed.
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: () => call<Answer<'delete-calendar-link'>>({ method: 'DELETE', path: linkPath(username) }),
    onSuccess: () => {
      keepDraft(PLACE, '');
      setUrl(undefined);
      setAsked(undefined);
      announce('The link was removed.');
    },
    onSettled: readAgain,
  });
  const close = () => {
    setAsked(undefined);
  };
  return (
    <>
      {url !== undefined && <NewLink url={url} />}
      {link.createdAt !== undefined && (
        <p>
          You have a link since <Instant at={link.createdAt} />. It is shown once.
        </p>
      )}
      {make.error !== null && asked === undefined && <Problem error={make.error} />}
      <div className={ui['row']}>
        {link.isActive ? (
          <>
            <Button
              onClick={() => {
                setAsked('renew');
              }}
            >
              Renew the link
            </Button>
            <Button
              onClick={() => {
                setAsked('remove');
              }}
            >
              Remove the link
            </Button>
          </>
        ) : (
          <Button
            disabledReason={make.isPending ? 'The server is answering.' : undefined}
            onClick={() => {
              make.mutate();
            }}
          >
            Make a link
          </Button>
        )}
      </div>
      {asked === 'renew' && (
        <ConfirmDialog
          title="Renew the link?"
          action="Renew it"
          write={make}
          onConfirm={() => {
            make.mutate();
          }}
          onClose={close}
        >
          <p>Calendar programs that use the present link get nothing from then on. Give them the new one.</p>
        </ConfirmDialog>
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title="Remove the link?"
          action="Remove it"
          write={remove}
          onConfirm={() => {
            remove.mutate();
          }}
          onClose={close}
        >
          <p>Calendar programs that use it get nothing from then on.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function NewLink({ url }: { readonly url: string }): JSX.Element {
  const [isRefused, setRefused] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setRefused(false);
      keepDraft(PLACE, '');
      announce('The link was copied.');
    } catch {
      setRefused(true);
    }
  };
  return (
    <>
      <p>Your link is shown this once. Copy it now, and add it to your calendar program as a calendar from the web:</p>
      <pre className={styles['address']} tabIndex={0} aria-label="Link to the calendar">
        {url}
      </pre>
      <p>
        <Button onClick={() => void copy()}>Copy the link</Button>
      </p>
      {isRefused && (
        <p role="alert" className={ui['error']}>
          The browser does not let the page copy. Select the text and copy it yourself.
        </p>
      )}
    </>
  );
}
