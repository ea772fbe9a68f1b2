import { verify, X509Certificate } from 'node:crypto';
import { type Clock, UnavailableError, withTimeout } from '@tocsin/core';
import { Admission, type OutgoingCaller } from '@tocsin/http';
import { SNS_ORIGIN, type Subscription } from './reading/envelope.ts';

/** Why a subscription is not confirmed, as a sentence, and whether a person may be shown its link. */
export interface Obstacle {
  readonly reason: string;
  readonly showsLink: boolean;
}

export interface SubscriptionsOptions {
  readonly outgoing: Pick<OutgoingCaller, 'call'>;
  readonly clock: Clock;
  /** Stores the topic as that of the integration where it has none. Resolves with the one that it has then, if there is the integration. */
  readonly claimTopic: (integrationId: string, topic: string) => Promise<string | undefined>;
  /** Called for each subscription that was confirmed, and for each topic that could not be stored. */
  readonly log: {
    info(fields: Readonly<Record<string, unknown>>, message: string): void;
    warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  };
}

/** Each may call Amazon twice. */
const BOUNDS = { inAll: 20, each: 2 };
/** Alerts do not wait for the database. */
const STORE_TIMEOUT_MS = 2_000;

/**
 * Confirms subscriptions of Amazon SNS (Q6): the first topic of each integration, if Amazon signed the message. To confirm one again
 * changes nothing, so a message that comes twice, or again after a crash, does no harm.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #underWay = new Admission(BOUNDS);

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Resolves with undefined once it is confirmed, else with what stands against it. Never rejects. */
  async confirm(subscription: Subscription, integrationId: string): Promise<Obstacle | undefined> {
    if (this.#underWay.tryAcquire(integrationId) !== 'granted')
      return { reason: 'Tocsin confirms too many subscriptions at once.', showsLink: true };
    try {
      return await this.#confirm(subscription, integrationId);
    } finally {
      this.#underWay.release(integrationId);
    }
  }

  async #confirm(subscription: Subscription, integrationId: string): Promise<Obstacle | undefined> {
    const { topic, url } = subscription;
    if (url === undefined) return FOREIGN_LINK;
    const obstacle = (await this.#signatureObstacle(subscription)) ?? (await this.#topicObstacle(integrationId, topic));
    if (obstacle !== undefined) return obstacle;
    const outcome = await this.#options.outgoing.call({ method: 'GET', url });
    if (outcome.kind !== 'answered') return withLink(`Amazon SNS could not be called: ${outcome.reason}.`);
    if (outcome.status !== 200) return withLink(`Amazon SNS answered with status ${outcome.status}.`);
    this.#options.log.info({ integrationId, topic }, 'A subscription of Amazon SNS is confirmed.');
    return undefined;
  }

  async #signatureObstacle({ signature }: Subscription): Promise<Obstacle | undefined> {
    const { certificateUrl, text, value, version } = signature;
    const algorithm = ALGORITHMS.get(version);
    if (algorithm === undefined || !CERTIFICATE_URL.test(certificateUrl)) return FORGED;
    const answer = await this.#options.outgoing.call({ method: 'GET', url: certificateUrl });
    if (answer.kind !== 'answered')
      return withLink(`The certificate of Amazon SNS could not be read: ${answer.reason}.`);
    const certificate = certificateIn(answer.body);
    if (answer.status !== 200 || answer.isTruncated || certificate === undefined)
      return withLink(`The certificate of Amazon SNS could not be read: the answer has status ${answer.status}.`);
    const now = this.#options.clock.now();
    if (now < certificate.validFromDate || now > certificate.validToDate)
      return withLink('The certificate of Amazon SNS is not valid now.');
    return isSigned(certificate, algorithm, text, value) ? undefined : FORGED;
  }

  async #topicObstacle(integrationId: string, topic: string): Promise<Obstacle | undefined> {
    const { claimTopic, log } = this.#options;
    try {
      const claimed = await withTimeout(claimTopic(integrationId, topic), STORE_TIMEOUT_MS, () => {
        throw new UnavailableError('The topic was not stored in time.');
      });
      if (claimed === topic) return undefined;
      return withLink('Tocsin confirms the first topic of an integration alone, and this is another one.');
    } catch (error) {
      log.warn({ err: error, integrationId }, 'The topic of a subscription could not be stored.');
      return withLink('Tocsin could not store the topic.');
    }
  }
}

const withLink = (reason: string): Obstacle => ({ reason, showsLink: true });
const FOREIGN_LINK: Obstacle = {
  reason: 'The link in the message does not lead to Amazon SNS, and is left out.',
  showsLink: false,
};
const FORGED: Obstacle = {
  reason: 'Amazon SNS did not sign the message, so its link is left out. Subscribe the topic again.',
  showsLink: false,
};

/** The path too, because others could be made to answer with a text of the caller. */
const CERTIFICATE_URL = new RegExp(String.raw`${SNS_ORIGIN}SimpleNotificationService-[A-Za-z0-9]{1,100}\.pem$`);
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
]);

function certificateIn(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function isSigned({ publicKey }: X509Certificate, algorithm: string, text: string, value: string): boolean {
  try {
    return verify(algorithm, Buffer.from(text), publicKey, Buffer.from(value, 'base64'));
  } catch {
    return false;
  }
}
