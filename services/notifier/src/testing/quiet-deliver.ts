import { Deliver, type DeliverPorts } from '../application/deliver.ts';

const nothing = (): void => undefined;

/** Hands messages over, and tells nobody of it but whom `ports` name. */
export const quietDeliver = (
  ports: Pick<DeliverPorts, 'store' | 'clock' | 'channels'> & Partial<DeliverPorts>,
): Deliver =>
  new Deliver({
    users: { get: () => undefined, isDeleted: () => false },
    random: () => 0,
    window: 50,
    onHandedOver: nothing,
    onBundle: nothing,
    onRefused: nothing,
    onNotice: nothing,
    onTrouble: nothing,
    pause: () => Promise.resolve(),
    ...ports,
  });
