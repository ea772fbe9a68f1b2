import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useAlertChangesRefused, useTeamChangesRefused } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Instant } from '../ui/instant.tsx';
import { Problem } from '../ui/problem.tsx';
import ui from '../ui/ui.module.css';
import { useNow } from '../ui/use-now.ts';
import { intervalText, pingCommand, stateOf, stateText } from './heartbeat.ts';
import styles from './heartbeats.module.css';
import { type Heartbeat, heartbeatsQuery } from './queries.ts';
import { act, type HeartbeatAction } from './write.ts';

interface HeartbeatItemProps {
  readonly heartbeat: Heartbeat;
  readonly onOpen: (opened: OpenedHeartbeat) => void;
}

/** A dialog of a heartbeat; without one it adds a heartbeat. */
export interface OpenedHeartbeat {
  readonly kind: 'change' | 'delete' | 'add';
  readonly heartbeat?: Heartbeat;
}

/** A heartbeat, and what can be done with it. */
export function HeartbeatItem({ heartbeat, onOpen }: HeartbeatItemProps): JSX.Element {
  const { description, lastPingTime, name, ownerTeam } = heartbeat;
  return (
    <li className={styles['heartbeat']} data-state={stateOf(heartbeat, useNow(15_000))}>
      <h2>{name}</h2>
      <State heartbeat={heartbeat} />
      <p className={ui['hint']}>
        Expected {intervalText(heartbeat)}.{' '}
        {lastPingTime !== undefined && (
          <>
            Last ping, or enabled: <Instant at={lastPingTime} />.{' '}
          </>
        )}
        {ownerTeam === undefined ? 'No team: its alert pages no one.' : `Team ${ownerTeam.name ?? ownerTeam.id}.`}
      </p>
      {description !== '' && <p>{description}</p>}
      <Actions heartbeat={heartbeat} onOpen={onOpen} />
      <details className={styles['command']}>
        <summary>
          How to ping it<span className={ui['hidden']}> {name}</span>
        </summary>
        <p>With the key of an API integration of its team or of the account, which needs no right to write:</p>
        <pre tabIndex={0} aria-label={`Command that pings ${name}`}>
          {pingCommand(window.location.origin, name)}
        </pre>
      </details>
    </li>
  );
}

/** It moves each second, alone. */
function State({ heartbeat }: { readonly heartbeat: Heartbeat }): JSX.Element {
  const now = useNow(1_000);
  return <p className={styles['state']}>{stateText(heartbeat, now)}</p>;
}

const DONE: Readonly<Record<Exclude<HeartbeatAction, 'delete'>, string>> = {
  ping: 'was pinged.',
  enable: 'was enabled.',
  disable: 'was disabled.',
};

function Actions({ heartbeat, onOpen }: HeartbeatItemProps): JSX.Element {
  const { enabled, name, ownerTeam } = heartbeat;
  const client = useQueryClient();
  const { role } = useSession();
  const refused = useTeamChangesRefused(ownerTeam);
  const isReader = useAlertChangesRefused() !== undefined;
  const action = useMutation({
    mutationFn: (kind: Exclude<HeartbeatAction, 'delete'>) => act(kind, name),
    onSuccess: async (_, kind) => {
      announce(`${name} ${DONE[kind]}`);
      await client.invalidateQueries(heartbeatsQuery);
    },
  });
  const answering = action.isPending ? 'The server is answering.' : undefined;
  const pingRefused = isReader ? `Your role "${role.name}" can only read heartbeats.` : undefined;
  const disabled = enabled ? undefined : 'It is disabled: a ping changes nothing.';
  const button = (text: string, reason: string | undefined, onClick: () => void) => (
    <Button aria-label={`${text} ${name}`} disabledReason={reason} onClick={onClick}>
      {text}
    </Button>
  );
  const toggled = enabled ? 'disable' : 'enable';
  return (
    <>
      {action.error !== null && <Problem error={action.error} />}
      <div className={ui['row']}>
        {button('Ping', pingRefused ?? disabled ?? answering, () => {
          action.mutate('ping');
        })}
        {button(enabled ? 'Disable' : 'Enable', refused ?? answering, () => {
          action.mutate(toggled);
        })}
        {button('Change', refused, () => {
          onOpen({ kind: 'change', heartbeat });
        })}
        {button('Delete', refused, () => {
          onOpen({ kind: 'delete', heartbeat });
        })}
      </div>
    </>
  );
}
