import { shadowThatIs } from './shadow-double.ts';
import { DeliverMessages, type DeliverPorts } from '../queue/deliver-operations.ts';
import { SendToUsers, type SendToUsersPorts } from '../messages/operations.ts';

const nothing = (): void => undefined;

export type QuietPorts = SendToUsersPorts & Omit<DeliverPorts, 'kind'>;

/** Sends messages to users, and calls only the listeners that `ports` name. */
export function quietDeliver(
  ports: Pick<QuietPorts, 'store' | 'clock' | 'channels'> & Partial<QuietPorts>,
): DeliverMessages {
  const all: QuietPorts = {
    users: { get: () => undefined, isDeleted: () => false },
    random: () => 0,
    maxUnderWay: 50,
    onHandedOver: nothing,
    onBundle: nothing,
    onRefused: nothing,
    onNotice: nothing,
    onHeldBack: nothing,
    shadow: shadowThatIs('off'),
    onFailure: nothing,
    pause: () => Promise.resolve(),
    ...ports,
  };
  return new DeliverMessages({ ...all, kind: new SendToUsers(all) });
}
