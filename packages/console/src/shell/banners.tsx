import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import { useStaleAgeMs } from '../live/data-age.ts';
import { shadowQuery } from '../move/queries.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { lengthText } from '../ui/time.ts';
import { PageLink } from './link.tsx';
import { newVersionStore } from './new-version.ts';
import { paths } from './paths.ts';
import styles from './shell.module.css';
import { useStore } from './store.ts';

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

/** Goes away only once the server says that shadow is off. One line of it stays in view while the page is scrolled. */
function ShadowBanner(): JSX.Element {
  const { data: shadow } = useQuery(shadowQuery);
  const isOn = shadow?.enabled === true;
  return (
    <>
      <Banner isUrgent text={isOn ? 'Shadow is on: no user is paged.' : undefined} />
      {isOn && (
        <aside aria-label="Shadow" className={styles['shadow']}>
          Alerts are processed, and each page, call, mail and post is recorded in place of being sent. Since{' '}
          <Instant at={shadow.changedAt} />
          {shadow.changedBy !== undefined && `, by ${shadow.changedBy}`}. <code>tocsin shadow stop</code> ends it.{' '}
          <PageLink to={paths.move()}>Where the move stands</PageLink>
        </aside>
      )}
    </>
  );
}

interface BannerProps {
  /** Whether no person may miss it: it is of one line, and stays in view. */
  readonly isUrgent?: boolean;
  /** What a screen reader reads out, once; undefined while there is nothing to say. */
  readonly text: string | undefined;
  readonly children?: ReactNode;
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
