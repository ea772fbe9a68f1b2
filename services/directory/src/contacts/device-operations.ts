import { randomBytes } from 'node:crypto';
import type { KeyedPushService, RegisterDeviceBody } from '@tocsin/api';
import { type Clock, InvalidError } from '@tocsin/core';
import { deviceAddress } from '@tocsin/events';
import type { Users } from '../users/operations.ts';
import { type NewDevice, NO_ROOM_FOR_DEVICE, subscription, withDevice } from './user-contacts.ts';
import { type CodeSources, freshCode, withCodeSent } from './verification-operations.ts';

/** A topic of 144 random bits. */
export const randomTopic = (): string => `tocsin-${randomBytes(18).toString('base64url')}`;

export interface DevicesDependencies extends CodeSources {
  readonly users: Pick<Users, 'change'>;
  readonly clock: Clock;
  /** A random topic. */
  readonly newTopic: () => string;
  /** The push server; without it there are no devices. */
  readonly pushUrl: string | undefined;
  /** The push services beside it that are set up. */
  readonly deviceServices: Readonly<Record<KeyedPushService, boolean>>;
}

const SERVICE_NAMES: Readonly<Record<KeyedPushService, string>> = {
  gotify: 'Gotify',
  pushover: 'Pushover',
  slack: 'Slack',
  mattermost: 'Mattermost',
};

/** The id of an account there is no secret, so only a code proves that it is the user's. */
const NEEDS_CODE: ReadonlySet<DeviceBody['kind']> = new Set(['slack', 'mattermost']);

/** The body of a device that is registered at once. */
type DeviceBody = RegisterDeviceBody & { readonly kind: KeyedPushService | 'ntfy' };

/** A device that was registered: its contact, and what it subscribes to. */
interface RegisteredDevice {
  readonly id: string;
  /** The address of the contact. */
  readonly topic: string;
  /** Absent where the device gets messages without a subscription. */
  readonly url?: string;
  readonly qrText?: string;
}

/** A device that was registered, and what its user has to know. */
interface Registration {
  readonly device: RegisteredDevice;
  readonly message: string | undefined;
}

/** The devices of users that show push messages (U13). */
export class Devices {
  readonly #ports: DevicesDependencies;

  constructor(ports: DevicesDependencies) {
    this.#ports = ports;
  }

  /**
   * Adds a contact of method mobile, and sends the code to an account of Slack or Mattermost.
   *
   * @throws NotFoundError when there is no such user.
   * @throws InvalidError when push is not set up, or the user has as many devices as one may have.
   */
  async register(user: string, { key = '', kind, name }: DeviceBody): Promise<Registration> {
    const { deviceServices, newId, newTopic, pushUrl } = this.#ports;
    if (kind !== 'ntfy') {
      if (!deviceServices[kind])
        throw InvalidError.about(
          'devices',
          `${SERVICE_NAMES[kind]} is not set up: ${kind.toUpperCase()}_URL is not set.`,
        );
      const device = { id: newId(), name, topic: deviceAddress(kind, key), needsCode: NEEDS_CODE.has(kind) };
      return this.#add(user, device);
    }
    if (pushUrl === undefined)
      throw InvalidError.about('devices', 'Push is not set up in this installation: PUSH_URL is not set.');
    const { device, message } = await this.#add(user, { id: newId(), name, topic: newTopic() });
    return { device: { ...device, ...subscription(pushUrl, device.topic) }, message };
  }

  async #add(user: string, device: NewDevice): Promise<Registration> {
    const { id, topic } = device;
    const fresh = freshCode(this.#ports);
    const { message } = await this.#ports.users.change(user, (present) => {
      if (present.contacts.some(({ method, to }) => method === 'mobile' && to === topic))
        throw InvalidError.about('devices', 'The user has a device with this key already.');
      const changed = withDevice(present, device);
      if (changed === undefined) throw InvalidError.about('devices', NO_ROOM_FOR_DEVICE);
      return withCodeSent(changed, id, fresh, this.#ports.clock.now());
    });
    return { device: { id, topic }, message };
  }
}
