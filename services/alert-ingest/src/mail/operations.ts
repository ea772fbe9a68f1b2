import { v5 as uuidOf } from 'uuid';
import { integrationKind, plainFileName } from '@tocsin/api';
import { ALERT_LIMITS, codePoints, type MailIdentity } from '@tocsin/events';
import { NotFoundError } from '@tocsin/core';
import type { KeyPrincipal } from '@tocsin/http';
import { shortened } from '@tocsin/rules';
import type { AlertWrites } from '../alerts/operations.ts';
import type { Integration } from '../integrations/integration.ts';
import type { Mail, MailAttachment } from './mail.ts';
import { mailedAlert, refusedAsLoop } from './mailed-alert.ts';

export interface InboundMailOptions {
  /**
   * The integration whose address begins with `username`, in any case, whether it is enabled or not.
   *
   * @throws UnavailableError when none is known and an integration that has changed cannot be read now: it may be the one.
   */
  readonly findMailbox: (username: string) => Promise<Integration | undefined>;
  /**
   * Stores a file of a mail to the integration until an alert names it (P13), and returns its id; undefined where the files of mails
   * take all the space that they may.
   *
   * @throws UnavailableError when it cannot be stored now.
   */
  readonly storeAttachment: (file: MailAttachment, integrationId: string) => Promise<string | undefined>;
  readonly writes: AlertWrites;
  /** A fresh id each time: a UUID v7 of now. */
  readonly newRequestId: () => string;
  /** Called once Kafka has the command of a mail. */
  readonly onTaken: (integrationId: string) => void;
}

/** How a mail came. */
export interface MailDelivery {
  /** The parts before the `@` of the addresses that it is for. */
  readonly usernames: readonly string[];
  /** Empty where a mail system reports. */
  readonly sender: string;
  readonly callerAddress: string;
}

/** Turns mail to Email integrations into alert commands (P10, P13). */
export class InboundMail {
  readonly #options: InboundMailOptions;

  constructor(options: InboundMailOptions) {
    this.#options = options;
  }

  /**
   * Whether mail to the address that begins with `username` is taken: an enabled integration of type Email has it.
   *
   * @throws UnavailableError when that cannot be read now.
   */
  async takes(username: string): Promise<boolean> {
    return (await this.#mailbox(username)) !== undefined;
  }

  /**
   * One command for each address. Resolves with the ids of their requests when all are on Kafka, and the files that they name
   * are kept. Each delivery has requests of its own; of a mail that comes again the later ones change nothing.
   *
   * @throws NotFoundError when an address is not taken any more; UnavailableError when Kafka or the keeper of files is unavailable.
   */
  async take(mail: Mail, delivery: MailDelivery): Promise<readonly string[]> {
    const requestIds: string[] = [];
    for (const username of delivery.usernames) {
      const integration = await this.#mailbox(username);
      if (integration === undefined) throw new NotFoundError(`There is no mailbox [${username}].`);
      requestIds.push(await this.#takeFor(integration, mail, delivery));
    }
    return requestIds;
  }

  async #takeFor(integration: Integration, mail: Mail, delivery: MailDelivery): Promise<string> {
    const { onTaken, storeAttachment, newRequestId, writes } = this.#options;
    const { callerAddress } = delivery;
    const requestId = newRequestId();
    const loop = refusedAsLoop(mail, delivery.sender);
    const mailed = {
      ...mailedAlert(mail, delivery, (conversation) => conversationAlias(integration.id, conversation)),
      identity: mailIdentity(mail, integration.id),
      rules: integration,
      dropped: loop && `Mail to integration [${integration.name}] has no effect: ${loop}.`,
      keepFiles: async () => {
        const ids: string[] = [];
        let leftOut = 0;
        for (const [index, file] of mail.attachments.entries()) {
          const name = plainFileName(file.name) || `attachment-${index + 1}`;
          const id = await storeAttachment({ ...file, name }, integration.id);
          if (id === undefined) leftOut += 1;
          else ids.push(id);
        }
        return { ids, leftOut };
      },
    };
    await writes.createFromMail(mailed, { principal: principalOf(integration), requestId, callerAddress });
    onTaken(integration.id);
    return requestId;
  }

  async #mailbox(username: string): Promise<Integration | undefined> {
    const found = await this.#options.findMailbox(username);
    return found?.enabled === true && integrationKind(found.type) === 'email' ? found : undefined;
  }
}

/** Mail has no key: it may what the integration is for, and its alerts are of the integration's team (K4). */
function principalOf({ id, name, type, ownerTeam }: Integration): KeyPrincipal {
  return {
    kind: 'key',
    integrationId: id,
    integrationName: name,
    integrationType: type,
    teamId: ownerTeam?.id,
    mayRead: true,
    mayWrite: true,
    mayConfigure: false,
  };
}

/** The id by which a repeated delivery of `mail` to an integration is recognised (P10). */
function mailIdentity({ digest, hasMessageId }: Mail, integrationId: string): MailIdentity {
  return { key: uuidOf(digest, integrationId), hasMessageId };
}

const KEPT = 400;

/** The alias of the alert of a conversation with an integration; a subject that is too long for one goes on as its hash. */
function conversationAlias(integrationId: string, conversation: string): string {
  const alias = `${integrationId}/${conversation}`;
  if (codePoints(alias) <= ALERT_LIMITS.alias) return alias;
  return `${integrationId}/${shortened(conversation, KEPT)} ${uuidOf(conversation, integrationId)}`;
}
