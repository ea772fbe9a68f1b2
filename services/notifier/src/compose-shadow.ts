import type { ContactMethod, ShadowSwitchState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { Connection } from '@tocsin/mongo';
import type { ServiceContext } from '@tocsin/service';
import { ShadowGate } from './shadow/operations.ts';
import { ShadowStore } from './shadow/store.ts';
import { followShadow } from './shadow/task.ts';

/** The switch that keeps messages back, which this process follows until the stop. It is not waited for: nothing is sent until it is known. */
export function openShadow(
  context: ServiceContext,
  connection: Connection,
  switches: ReplicaView<ShadowSwitchState>,
): ShadowGate {
  const gate = new ShadowGate({ store: new ShadowStore(connection), switches });
  followShadow(context, gate);
  return gate;
}

/** What a sender of messages needs of the switch. */
export const shadowPorts = ({ metrics }: Pick<ServiceContext, 'metrics'>, shadow: ShadowGate) => ({
  shadow,
  onHeldBack: (channel: ContactMethod | 'webhook' | 'chat') => {
    metrics.heldBack(channel);
  },
});
