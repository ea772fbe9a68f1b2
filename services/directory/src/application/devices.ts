import { randomBytes } from 'node:crypto';
import type { RegisterDeviceBody } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';
import { MAX_CONTACTS_OF_METHOD } from '../domain/contact-book.ts';
import { subscription, withDevice } from '../domain/device.ts';
import type { UserStore } from '../ports/user-store.ts';
import { changeUser } from './existing-user.ts';

/** A topic of 144 random bits. */
export const randomTopic = (): string => `tocsin-${randomBytes(18).toString('base64url')}`;

export interface DevicesDependencies {
  readonly users: UserStore;
  readonly newId: () => string;
  /** A topic that nobody can foretell. */
  readonly newTopic: () => string;
  /** The push server; without it there are no devices. */
  readonly pushUrl: string | undefined;
}

/** A device that was registered: its contact, and what it subscribes to. */
export interface RegisteredDevice {
  readonly id: string;
  readonly topic: string;
  readonly url: string;
  readonly qrText: string;
}

/** The devices of users that show push messages (U13). */
export class Devices {
  readonly #ports: DevicesDependencies;

  constructor(ports: DevicesDependencies) {
    this.#ports = ports;
  }

  /**
   * Adds a contact of method mobile.
   *
   * @throws NotFoundError when there is no such user.
   * @throws InvalidError when push is not set up, or the user has as many devices as one may have.
   */
  async register(user: string, { name }: RegisterDeviceBody): Promise<RegisteredDevice> {
    const { newId, newTopic, pushUrl, users } = this.#ports;
    if (pushUrl === undefined)
      throw InvalidError.about('devices', 'Push is not set up in this installation: PUSH_URL is not set.');
    const [id, topic] = [newId(), newTopic()];
    await changeUser(users, user, (present) => {
      const changed = withDevice(present, { id, name, topic });
      if (changed === undefined)
        throw InvalidError.about(
          'devices',
          `The user has ${MAX_CONTACTS_OF_METHOD} devices already, which is the most.`,
        );
      return { user: changed, answer: undefined };
    });
    return { id, topic, ...subscription(pushUrl, topic) };
  }
}
