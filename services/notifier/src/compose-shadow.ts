import type { ContactMethod, ShadowSwitchState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { Connection } from '@tocsin/mongo';
import type { ServiceContext } from '@tocsin/service';
import { ShadowGate } from './shadow/operations.ts';
import { ShadowStore } from './shadow/store.ts';

/** The switch that keeps messages back. Call it before the start of the replicas, whose changes it reads. */
export const openShadow = (connection: Connection, switches: ReplicaView<ShadowSwitchState>): ShadowGate =>
  new ShadowGate({ store: new ShadowStore(connection), switches });

/** What a sender of messages needs of the switch. */
export const shadowPorts = (
  { metrics }: Pick<ServiceContext, 'metrics'>,
  shadow: ShadowGate,
): { readonly shadow: ShadowGate; readonly onHeldBack: (channel: ContactMethod | 'webhook' | 'chat') => void } => ({
  shadow,
  onHeldBack: (channel: ContactMethod | 'webhook' | 'chat') => {
    metrics.heldBack(channel);
  },
});
