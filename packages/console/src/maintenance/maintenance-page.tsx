import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { localZone } from '../schedules/time-text.ts';
import { useTeamsChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { PageHeading } from '../shell/announcer.tsx';
import { DialogBoundary } from '../shell/dialog-boundary.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { EndDialog, MoveEndDialog } from './end-dialogs.tsx';
import styles from './maintenance.module.css';
import { pastWindowsQuery, type Window, windowsQuery } from './queries.ts';
import { StartNow } from './start-now.tsx';
import { WindowDialog } from './window-dialog.tsx';
import { type OpenedWindow, WindowItem } from './window-item.tsx';
import { inOrder, newestFirst } from './windows.ts';

/** What is held back now and later, and the way to hold back more. */
export function MaintenancePage(): JSX.Element {
  const query = useQuery(windowsQuery);
  const [opened, setOpened] = useState<OpenedWindow | { readonly kind: 'plan' }>();
  const close = () => {
    setOpened(undefined);
  };
  return (
    <>
      <PageHeading title="Maintenance" />
      <p>
        While a window is on, an integration in it makes no alerts: what it sends is dropped. A policy in it is
        disabled, or enabled, whatever its own switch says. Times are in the zone of this device, {localZone()}.
      </p>
      <Loaded query={query} height="12rem">
        {(windows) => <Windows windows={windows} onOpen={setOpened} />}
      </Loaded>
      <StartNow />
      <h2>Later</h2>
      <PlanButton
        onPlan={() => {
          setOpened({ kind: 'plan' });
        }}
      />
      <Past onOpen={setOpened} />
      <DialogBoundary key={opened?.kind ?? 'none'} onFail={close}>
        {opened?.kind === 'plan' && <WindowDialog changed={undefined} onClose={close} />}
        {opened?.kind === 'change' && <WindowDialog changed={opened.window} onClose={close} />}
        {opened?.kind === 'move-end' && <MoveEndDialog window={opened.window} onClose={close} />}
        {(opened?.kind === 'end' || opened?.kind === 'delete') && <EndDialog opened={opened} onClose={close} />}
      </DialogBoundary>
    </>
  );
}

interface WindowsProps {
  readonly windows: readonly Window[];
  readonly onOpen: (opened: OpenedWindow) => void;
}

function Windows({ onOpen, windows }: WindowsProps): JSX.Element {
  if (windows.length === 0) {
    return (
      <Empty title="No maintenance">
        <p>No window is on, and none is planned.</p>
      </Empty>
    );
  }
  return (
    <section aria-label="Now and planned">
      <h2>Now and planned</h2>
      <WindowList windows={inOrder(windows)} onOpen={onOpen} />
    </section>
  );
}

/** How many are listed before a person asks for more: the rules of each are a read. */
const LISTED = 20;

function WindowList({ onOpen, windows }: WindowsProps): JSX.Element {
  const [shown, setShown] = useState(LISTED);
  return (
    <>
      <ul className={styles['list']}>
        {windows.slice(0, shown).map((window) => (
          <WindowItem key={window.id} window={window} onOpen={onOpen} />
        ))}
      </ul>
      {windows.length > shown && (
        <Button
          onClick={() => {
            setShown(shown + LISTED);
          }}
        >
          Show {Math.min(LISTED, windows.length - shown)} more of {windows.length}
        </Button>
      )}
    </>
  );
}

function PlanButton({ onPlan }: { readonly onPlan: () => void }): JSX.Element {
  const { teams } = useSession();
  const refused = useTeamsChangesRefused([teams.find(({ role }) => role === 'admin')]);
  return (
    <Button
      disabledReason={refused === undefined ? undefined : 'Only an admin of a team, or of the account, can plan one.'}
      onClick={onPlan}
    >
      Plan a window
    </Button>
  );
}

function Past({ onOpen }: Pick<WindowsProps, 'onOpen'>): JSX.Element {
  const [isShown, setShown] = useState(false);
  const query = useQuery({ ...pastWindowsQuery, enabled: isShown });
  return (
    <section aria-label="Past windows">
      <h2>Past</h2>
      <Button
        aria-expanded={isShown}
        onClick={() => {
          setShown(!isShown);
        }}
      >
        {isShown ? 'Hide past windows' : 'Show past windows'}
      </Button>
      {isShown && (
        <Loaded query={query} height="12rem">
          {(windows) =>
            windows.length === 0 ? (
              <p>There are none.</p>
            ) : (
              <WindowList windows={newestFirst(windows)} onOpen={onOpen} />
            )
          }
        </Loaded>
      )}
    </section>
  );
}
