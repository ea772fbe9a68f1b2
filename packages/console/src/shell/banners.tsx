import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import { useStaleAgeMs } from '../live/data-age.ts';
import { Button } from '../ui/button.tsx';
import { lengthText } from '../ui/time.ts';
import { newVersionStore } from './new-version.ts';
import styles from './shell.module.css';
import { useStore } from './store.ts';

/** What holds for the whole page: that its data is old, and that there is a newer version of the page. */
export function Banners(): JSX.Element {
  const hasNewVersion = useStore(newVersionStore);
  const ageMs = useStaleAgeMs();
  return (
    <>
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

interface BannerProps {
  /** What a screen reader reads out, once; undefined while there is nothing to say. */
  readonly text: string | undefined;
  readonly children: ReactNode;
}

function Banner({ children, text }: BannerProps): JSX.Element {
  return (
    <div className={text === undefined ? undefined : styles['banner']}>
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
