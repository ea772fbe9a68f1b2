import { type JSX, useId, useState } from 'react';
import { useAccountChangesRefused } from '../session/use-rights.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { type Shadow, shadowText } from './move.ts';
import { ShadowDialog } from './shadow-dialog.tsx';

/** Whether shadow is on, and, for those who can, a button to start or to stop it. */
export function ShadowSection({ shadow }: { readonly shadow: Shadow }): JSX.Element {
  const headingId = useId();
  const refused = useAccountChangesRefused();
  /** What the dialog starts or stops, also where another person does it meanwhile. */
  const [opened, setOpened] = useState<'start' | 'stop'>();
  const { after, before, since } = shadowText(shadow);
  const change = shadow.enabled ? 'stop' : 'start';
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Shadow</h2>
      <p>
        {before}
        {since !== undefined && <Instant isToMinute at={since} />}
        {after}
      </p>
      {refused === undefined ? (
        <Button
          onClick={() => {
            setOpened(change);
          }}
        >
          {shadow.enabled ? 'Stop shadow' : 'Start shadow'}
        </Button>
      ) : (
        <p>Owners and admins of the account start and stop it.</p>
      )}
      {opened !== undefined && (
        <ShadowDialog
          change={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </section>
  );
}
