import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { useStaleAgeMs } from '../live/data-age.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { lengthText } from '../ui/time.ts';
import { newVersionStore } from './new-version.ts';
import styles from './shell.module.css';
import { useStore } from './store.ts';

/** How often each page asks whether shadow is on. */
const SHADOW_EVERY_MS = 30_000;

/** What holds for the whole page: that no message is sent (M4), that its data is old, and that there is a newer version of the page. */
export function Banners(): JSX.Element {
  const hasNewVersion = useStore(newVersionStore);
  const ageMs = useStaleAgeMs();
  return (
    <>
      <ShadowBanner />
      <Banner text={ageMs === undefined ? undefined : 'This data is not up to date.'}>
        <p>It is {lengthText(ageMs ?? 0)} old. Retrying.</p>
        <TryNow />
      </Banner>
      <Banner text={hasNewVersion ? 'There is a newer version of this page.' : undefined}>
        <p>Save what you typed, then reload.</p>
        <Button
          onClick={() => {
            window.location.reload();
          }}
        >
          Reload
        </Button>
      </Banner>
    </>
  );
}

/** Goes away only once the server says that shadow is off. */
function ShadowBanner(): JSX.Element {
  const { data } = useQuery({
    queryKey: ['shadow'],
    queryFn: ({ signal }) => call<Answer<'get-shadow'>>({ path: '/v2/account/shadow', signal }),
    refetchInterval: SHADOW_EVERY_MS,
  });
  const shadow = data?.data.enabled === true ? data.data : undefined;
  return (
    <Banner isUrgent text={shadow === undefined ? undefined : 'Shadow is on: no page, call, mail or post is sent.'}>
      <aside aria-label="Shadow">
        Alerts are processed, and each message is recorded in place of being sent. Since{' '}
        <Instant at={shadow?.changedAt ?? ''} />
        {shadow?.changedBy !== undefined && `, by ${shadow.changedBy}`}. <code>tocsin shadow stop</code> ends it.
      </aside>
    </Banner>
  );
}

interface BannerProps {
  /** Whether no person may miss it. */
  readonly isUrgent?: boolean;
  /** What a screen reader reads out, once; undefined while there is nothing to say. */
  readonly text: string | undefined;
  readonly children: ReactNode;
}

function Banner({ children, isUrgent = false, text }: BannerProps): JSX.Element {
  const shown = isUrgent ? `${styles['banner']} ${styles['urgent']}` : styles['banner'];
  return (
    <div className={text === undefined ? undefined : shown}>
      {/* It is in the page before its text, else the text is not read out. */}
      <div role="status">{text}</div>
      {text !== undefined && children}
    </div>
  );
}

function TryNow(): JSX.Element {
  const client = useQueryClient();
  const isReading = useIsFetching() > 0;
  return (
    <Button
      disabledReason={isReading ? 'The page is trying now.' : undefined}
      onClick={() => void client.refetchQueries({ type: 'active' })}
    >
      Try now
    </Button>
  );
}
