import type { ChangedKind } from '@tocsin/api';
import { AlertEvents } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import { openTopicTail, type ServiceContext } from '@tocsin/service';
import { z } from 'zod';
import { ChangeStreams, type ChangeStreamsOptions } from './streams.ts';

/** Real time, in milliseconds (L1). */
const COMMENT_EVERY_MS = 15_000;
const LOOK_AT_SESSIONS_EVERY_MS = 500;

/** The fields of a hint of an alert. It has no others, so that an event of a newer release gives a hint too. */
const Versioned = z.object({ version: z.int() });

type Changing = Pick<ReplicaView<never>, 'whenChanged'>;

/**
 * The streams of changes of this process: of alerts by the end of `alert-events.v1`, of other kinds by `changing`, what the process knows of
 * them already. They end with the work of the service.
 */
export async function openChangeStreams(
  context: ServiceContext,
  changing: Readonly<Record<Exclude<ChangedKind, 'alerts'>, Changing>>,
  bounds: Pick<ChangeStreamsOptions, 'inAll'>,
): Promise<ChangeStreams> {
  const alerts = await openTopicTail(context, {
    topic: AlertEvents,
    onRecord: (id, value) => {
      const version = streams.isWanted('alerts') ? versionIn(value) : undefined;
      if (version !== undefined) streams.hint('alerts', id, version);
    },
    onFailure: () => {
      streams.endAll();
    },
  });
  const streams = new ChangeStreams({ ...bounds, alerts });
  for (const [kind, entities] of Object.entries(changing))
    entities.whenChanged((id, version) => {
      if (version !== undefined) streams.hint(kind as ChangedKind, id, `${version.epoch}.${version.n}`);
    });
  repeat(context, 'comment-on-streams', COMMENT_EVERY_MS, () => {
    streams.comment();
  });
  repeat(context, 'end-streams-of-ended-sessions', LOOK_AT_SESSIONS_EVERY_MS, () => {
    streams.endSignedOut();
  });
  return context.lifecycle.startWork(
    'streams of changes',
    () => streams,
    () => {
      streams.stop();
    },
  );
}

function repeat({ tasks }: ServiceContext, name: string, everyMs: number, work: () => void): void {
  tasks.add({
    name,
    everyMs,
    activate: () => {
      work();
      return Promise.resolve();
    },
  });
}

/** The version of an event; undefined where it is unreadable. */
function versionIn(value: Buffer): string | undefined {
  try {
    return String(Versioned.parse(JSON.parse(value.toString())).version);
  } catch {
    return undefined;
  }
}
