import { useQuery } from '@tanstack/react-query';
import { type JSX, useId } from 'react';
import { snoozePresets } from '../alerts/actions.ts';
import { call } from '../api/call.ts';
import { faultAt } from '../api/problem-text.ts';
import { serverNow } from '../api/server-clock.ts';
import { TimeField } from '../schedules/time-field.tsx';
import { localZone } from '../schedules/time-text.ts';
import { useOwnChangesRefused } from '../session/use-rights.ts';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { useTyped } from '../shell/use-typed.ts';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { WriteForm } from '../ui/write-form.tsx';
import styles from './me.module.css';
import { muteEnd, typedEnd } from './mute.ts';
import { personQuery, userPath } from './queries.ts';
import { useOwnWrite } from './use-own-write.ts';
import { useResult } from './use-result.ts';

/** Until when a user is sent pages of P1 alone. */
export function Mute({ userId }: { readonly userId: string }): JSX.Element {
  const headingId = useId();
  const person = useQuery(personQuery(userId));
  const refused = useOwnChangesRefused();
  const now = useNow(10_000);
  const { clear, type, typed } = useTyped('me mute', { until: '', showing: '0' });
  const write = useOwnWrite<string | null>(
    userId,
    (mutedUntil) => call({ method: 'PATCH', path: userPath(userId), body: { mutedUntil } }),
    clear,
  );
  const [result, say] = useResult();
  const end = muteEnd(person.data?.mutedUntil, now);
  const zone = localZone();
  const field = { text: typed.until, showing: Number(typed.showing) };
  const wanted = typedEnd(field, zone, now);
  const answering = write.isPending ? 'The server is answering.' : undefined;
  const send = (until: string | null) => {
    write.mutate(until, {
      onSuccess: () => {
        say(until === null ? 'The mute was ended.' : 'The mute was saved.');
      },
    });
  };
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Mute</h2>
      <p>
        While you are muted, only pages of P1 alerts are sent to you. You stay on call, and escalations go on to others
        only as their rules say; to give your shifts to another person,{' '}
        <PageLink to={paths.onCall()}>hand them over</PageLink>.
      </p>
      {end !== undefined && (
        <div role="note" className={styles['notice']}>
          <p>
            You are muted until <Instant isToMinute at={end} />.
          </p>
          <Button
            disabledReason={refused ?? answering}
            onClick={() => {
              send(null);
            }}
          >
            End the mute
          </Button>
        </div>
      )}
      <div className={ui['row']}>
        {snoozePresets(0).map(({ name }, index) => (
          <Button
            key={name}
            disabledReason={refused ?? answering}
            onClick={() => {
              const preset = snoozePresets(serverNow())[index];
              if (preset !== undefined) send(preset.endTime);
            }}
          >
            Mute {name}
          </Button>
        ))}
      </div>
      <div className={styles['adding']}>
        <WriteForm
          label="Mute until"
          action="Mute until then"
          fields={['mutedUntil']}
          write={write}
          disabledReason={refused ?? ('fault' in wanted ? wanted.fault : undefined)}
          onSubmit={() => {
            if ('at' in wanted) send(wanted.at);
          }}
        >
          <TimeField
            label="Mute until"
            zone={zone}
            field={field}
            error={faultAt(write.error, 'mutedUntil', 'The end')}
            onChange={({ showing, text }) => {
              type({ until: text, showing: String(showing) });
            }}
          />
        </WriteForm>
      </div>
      {result !== '' && <p className={ui['hint']}>{result}</p>}
    </section>
  );
}
