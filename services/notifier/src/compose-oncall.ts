import { setTimeout as pause } from 'node:timers/promises';
import type { IntegrationState, UserState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { Connection } from '@tocsin/mongo';
import { internalClient, type ServiceContext } from '@tocsin/service';
import type { Pauses } from './channels/channel.ts';
import { UsersOnCallClient } from './chat/on-call/client.ts';
import { ShowOnCall } from './chat/on-call/operations.ts';
import { ShownOnCalls } from './chat/on-call/store.ts';
import { addOnCallTasks } from './chat/on-call/task.ts';
import type { Chats } from './compose-chat.ts';
import type { Config } from './config.ts';
import type { ShadowGate } from './shadow/operations.ts';
import { workLeases } from './compose-leases.ts';

interface OnCallParts {
  readonly connection: Connection;
  readonly integrations: ReplicaView<IntegrationState>;
  readonly users: ReplicaView<UserState>;
  readonly pauses: Pauses;
  readonly shadow: Pick<ShadowGate, 'maySend'>;
  readonly chats: Chats;
}

/** Shows in channels of chat who is on call until the stop. */
export function openOnCall(
  context: ServiceContext<Config>,
  { chats, connection, integrations, pauses, shadow, users }: OnCallParts,
): void {
  const { clock, lifecycle, logger } = context;
  const lease = workLeases(connection, 'on-call').lease('channels');
  lifecycle.add('lease of on call', () => lease.release());
  const show = new ShowOnCall({
    settings: chats.settings,
    clients: chats.onCallClients,
    integrations,
    users,
    onCalls: new UsersOnCallClient(internalClient(context, 'scheduling')),
    accounts: chats.accountsByMail,
    store: new ShownOnCalls(connection),
    clock,
    pause,
    isLeased: () => lease.isHeld && shadow.maySend('on-call'),
    pausedMs: (id) => pauses.of(`webhook/${id}`).remainingMs(),
    onFailure: (error) => {
      logger.error({ err: error }, 'It cannot be shown in a channel who is on call. It is tried again.');
    },
  });
  addOnCallTasks(context, { lease, show });
}
