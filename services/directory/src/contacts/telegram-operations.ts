import { createHash, randomBytes } from 'node:crypto';
import { type Clock, InvalidError, NotFoundError } from '@tocsin/core';
import { deviceAddress } from '@tocsin/events';
import type { Users } from '../users/operations.ts';
import type { Contacts } from './operations.ts';
import { linkExpiry, type LinkResult, linkUrl, withAccount } from './telegram-link.ts';
import type { TelegramLinkStore } from './telegram-link-store.ts';
import { hasRoomForDevice, NO_ROOM_FOR_DEVICE } from './user-contacts.ts';

/** 144 random bits, of the characters that a link to a bot may have. */
export const randomLinkCode = (): string => randomBytes(18).toString('base64url');

const linkCodeHash = (code: string): string => createHash('sha256').update(code).digest('hex');

export interface TelegramDevicesDependencies {
  readonly users: Pick<Users, 'changeAddress' | 'get' | 'withAccount'>;
  readonly contacts: Pick<Contacts, 'remove'>;
  readonly telegramLinks: Pick<TelegramLinkStore, 'end' | 'put' | 'use'>;
  /** The user name of the bot of the installation, without `@`; undefined: there is none. */
  readonly telegramBot: string | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
  /** A random code of a link. */
  readonly newLinkCode: () => string;
}

/** A link by which a user links an account of Telegram. */
export interface OfferedLink {
  /** The id that the contact will have. */
  readonly id: string;
  readonly url: string;
  readonly qrText: string;
  readonly expiresAt: Date;
}

/** Accounts of Telegram, which are devices of users once these have linked them (U13). */
export class TelegramDevices {
  readonly #ports: TelegramDevicesDependencies;

  constructor(ports: TelegramDevicesDependencies) {
    this.#ports = ports;
  }

  /**
   * Makes the link by which the user links an account. An older link of the user works no more.
   *
   * @throws NotFoundError when there is no such user.
   * @throws InvalidError when there is no bot, or the user has as many devices as one may have.
   */
  async offer(identifier: string, name: string): Promise<OfferedLink> {
    const { clock, newId, newLinkCode, telegramBot, telegramLinks, users } = this.#ports;
    if (telegramBot === undefined)
      throw InvalidError.about('devices', 'Telegram is not set up: TELEGRAM_BOT_NAME is not set.');
    const user = await users.get(identifier);
    if (!hasRoomForDevice(user)) throw InvalidError.about('devices', NO_ROOM_FOR_DEVICE);
    const [id, code, expiresAt] = [newId(), newLinkCode(), linkExpiry(clock.now())];
    await telegramLinks.put({ userId: user.id, codeHash: linkCodeHash(code), contactId: id, name, expiresAt });
    const url = linkUrl(telegramBot, code);
    return { id, url, qrText: url, expiresAt };
  }

  /** Makes an account a device of the user who got the code, once, however often it is called. */
  async link(code: string, account: string): Promise<{ readonly result: LinkResult; readonly username?: string }> {
    const { clock, telegramLinks, users } = this.#ports;
    const now = clock.now();
    const codeHash = linkCodeHash(code);
    const link = await telegramLinks.use(codeHash, { account, now });
    if (link === undefined) return { result: 'expired' };
    const to = deviceAddress('telegram', account);
    const answer = await users.changeAddress(link.userId, to, (present, isHeld) => {
      const { result, user } = withAccount(present, link, { isHeld, now, to });
      return { user, answer: { result, username: user.username } };
    });
    if (answer?.result === 'linked') await telegramLinks.end(codeHash, now);
    return answer ?? { result: 'expired' };
  }

  /**
   * Deletes the device that an account is, with the steps that use it: its owner wants no more pages there. `username` is that of its user,
   * undefined where it is no device. A repeat changes nothing.
   */
  async unlink(account: string): Promise<{ readonly username?: string }> {
    const { contacts, users } = this.#ports;
    const to = deviceAddress('telegram', account);
    const user = await users.withAccount(to);
    const device = user?.contacts.find((contact) => contact.method === 'mobile' && contact.to === to);
    if (user === undefined || device === undefined) return {};
    try {
      await contacts.remove({ user: user.id, contactId: device.id }, 'the owner of the account of Telegram');
    } catch (error) {
      // It was deleted meanwhile.
      if (!(error instanceof NotFoundError)) throw error;
    }
    return { username: user.username };
  }
}
