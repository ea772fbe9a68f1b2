import { integrationKind, plainFileName } from '@tocsin/contracts';
import { NotFoundError } from '@tocsin/errors';
import type { Principal } from '@tocsin/key-auth';
import type { Integration } from '../domain/integration.ts';
import type { Mail } from '../domain/mail.ts';
import { refusedAsLoop } from '../domain/mail-loop.ts';
import { mailedAlert } from '../domain/mailed-alert.ts';
import type { AttachmentStore } from '../ports/attachment-store.ts';
import type { Mailboxes } from '../ports/mailboxes.ts';
import type { AlertWrites } from './alert-writes.ts';
import { conversationAlias, mailIdentity } from './mail-identity.ts';

export interface InboundMailPorts {
  readonly mailboxes: Mailboxes;
  readonly attachments: AttachmentStore;
  readonly writes: AlertWrites;
  /** A fresh id each time: a UUID v7 of now. */
  readonly newRequestId: () => string;
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
  readonly #ports: InboundMailPorts;

  constructor(ports: InboundMailPorts) {
    this.#ports = ports;
  }

  /**
   * Whether mail to the address that begins with `username` is taken: an enabled integration of type Email has it.
   *
   * @throws UnavailableError when that cannot be told now.
   */
  async takes(username: string): Promise<boolean> {
    return (await this.#mailbox(username)) !== undefined;
  }

  /**
   * One command for each address. Resolves with the ids of their requests when all are on Kafka, and the files that they name
   * are kept. Each delivery has requests of its own; of a mail that comes again the later ones change nothing.
   *
   * @throws NotFoundError when an address is not taken any more; UnavailableError when Kafka or the keeper of files is away.
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
    const { attachments, newRequestId, writes } = this.#ports;
    const { callerAddress } = delivery;
    const requestId = newRequestId();
    const loop = refusedAsLoop(mail, delivery.sender);
    const mailed = {
      ...mailedAlert(mail, delivery, (conversation) => conversationAlias(integration.id, conversation)),
      identity: mailIdentity(mail, integration.id),
      rules: integration,
      dropped: loop && `Mail to integration [${integration.name}] comes to nothing: ${loop}.`,
      keepFiles: async () => {
        const ids: string[] = [];
        let leftOut = 0;
        for (const [index, file] of mail.attachments.entries()) {
          const name = plainFileName(file.name) || `attachment-${index + 1}`;
          const id = await attachments.store({ ...file, name }, integration.id);
          if (id === undefined) leftOut += 1;
          else ids.push(id);
        }
        return { ids, leftOut };
      },
    };
    await writes.createFromMail(mailed, { principal: principalOf(integration), requestId, callerAddress });
    return requestId;
  }

  async #mailbox(username: string): Promise<Integration | undefined> {
    const found = await this.#ports.mailboxes.mailbox(username);
    return found?.enabled === true && integrationKind(found.type) === 'email' ? found : undefined;
  }
}

/** Mail has no key: it may what the integration is for, and its alerts are of the integration's team (K4). */
function principalOf({ id, name, type, ownerTeam }: Integration): Principal {
  return {
    integrationId: id,
    integrationName: name,
    integrationType: type,
    teamId: ownerTeam?.id,
    mayWrite: true,
    mayConfigure: false,
  };
}
