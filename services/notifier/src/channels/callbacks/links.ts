import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '@tocsin/core';
import type { ChatProvider } from '@tocsin/events';
import type { LinkSigner } from '@tocsin/http';
import type { ButtonSubject } from '../../chat/button.ts';
import type { ChatButton } from '../../chat/post.ts';
import { linkExpiresAt, writeLinkSubject } from '../../answers/acknowledge-link.ts';
import type { ContentSettings } from '../../messages/content.ts';
import type { CalledBack, KeyQuestion } from '../callback-provider.ts';

const ButtonAction = z.enum(['acknowledge', 'close', 'snooze']);
const AttemptSubject = z.tuple([z.string(), z.enum(['sms', 'voice']), z.int(), z.string()]);

/** The URLs at which providers send receipts: each is signed for one attempt at one provider. */
export class CallbackLinks {
  readonly #baseUrl: string;
  readonly #urls: SignedCallbackUrls<z.infer<typeof AttemptSubject>>;

  constructor(parts: SignedCallbackUrlsParts) {
    this.#baseUrl = parts.baseUrl;
    this.#urls = new SignedCallbackUrls(parts, AttemptSubject);
  }

  /** The URL for one attempt at `provider`. */
  urlOf(provider: string, { attempt, deliveryId, method }: CalledBack): string {
    return this.#urls.urlOf([provider, method, attempt, deliveryId]);
  }

  /** The URL that a provider signs: with a token, or without one. */
  urlWith(provider: string, token: string | undefined): string {
    return callbackUrl(this.#baseUrl, provider, token);
  }

  /** The attempt at `provider` of a token; `forged` where it has none. */
  read(provider: string, token: string): CalledBack | 'expired' | 'forged' {
    const subject = this.#urls.read(provider, token);
    if (typeof subject === 'string') return subject;
    const [, method, attempt, deliveryId] = subject;
    return { method, attempt, deliveryId };
  }
}

const QuestionSubject = z.tuple([z.string(), z.int(), z.string(), z.string(), z.string(), z.string(), z.string()]);

/** The URLs at which providers report which key was pressed during a call: each is signed for one question. */
export class KeyLinks {
  readonly #urls: SignedCallbackUrls<z.infer<typeof QuestionSubject>>;

  constructor(parts: SignedCallbackUrlsParts) {
    this.#urls = new SignedCallbackUrls(parts, QuestionSubject);
  }

  /** The URL for the answer to one question in a call of `provider`. */
  urlOf(provider: string, { about, asked }: KeyQuestion): string {
    const { alertId, page, tinyId, to, userId } = about;
    return this.#urls.urlOf([provider, asked, alertId, page, userId, tinyId, to]);
  }

  /** The question of `provider` of a token; `forged` where it has none. */
  read(provider: string, token: string): KeyQuestion | 'expired' | 'forged' {
    const subject = this.#urls.read(provider, token);
    if (typeof subject === 'string') return subject;
    const [, asked, alertId, page, userId, tinyId, to] = subject;
    return { about: { alertId, page, userId, tinyId, to }, asked };
  }
}

interface ButtonLinksParts extends Pick<SignedCallbackUrlsParts, 'links' | 'clock'> {
  readonly baseUrl: string | undefined;
}

const ButtonSubjectTuple = z.tuple([z.string(), z.string(), z.string(), z.string(), ButtonAction]);

/**
 * The tokens of buttons below posts in channels of chat: each is signed for one alert, integration and action (C7). The URL at which a
 * product reports a press has no token, because proxies write URLs to their logs.
 */
export class ButtonLinks {
  readonly #baseUrl: string;
  readonly #urls: SignedCallbackUrls<z.infer<typeof ButtonSubjectTuple>>;

  /** Without `baseUrl` a button has a token alone: its press comes by another way than a URL. */
  constructor({ baseUrl = '', ...parts }: ButtonLinksParts) {
    this.#baseUrl = baseUrl;
    this.#urls = new SignedCallbackUrls({ ...parts, baseUrl, worksForMs: BUTTON_WORKS_FOR_MS }, ButtonSubjectTuple);
  }

  /** The token of one button of `provider`, and the URL at which its press is reported. */
  sign(
    provider: ChatProvider,
    { action, alertId, integrationId, tinyId }: ButtonSubject,
  ): Pick<ChatButton, 'token' | 'url'> {
    const token = this.#urls.tokenOf([provider, integrationId, alertId, tinyId, action]);
    return { url: this.#baseUrl === '' ? '' : callbackUrl(this.#baseUrl, provider, undefined), token };
  }

  /** The subject of a token; `forged` where it is not one of `provider`. */
  read(provider: ChatProvider, token: string): ButtonSubject | 'expired' | 'forged' {
    const subject = this.#urls.read(provider, token);
    if (typeof subject === 'string') return subject;
    const [, integrationId, alertId, tinyId, action] = subject;
    return { integrationId, alertId, tinyId, action };
  }
}

export interface SignedCallbackUrlsParts {
  /** Scheme, host and perhaps a path at which providers reach the gateway; no slash at its end. */
  readonly baseUrl: string;
  /** A signer with a key for this purpose alone. */
  readonly links: Pick<LinkSigner, 'sign' | 'read'>;
  readonly clock: Clock;
  /** How long a URL works; three days by default. */
  readonly worksForMs?: number;
}

/** Carriers try for up to three days to reach a phone that is off. */
const WORKS_FOR_MS = 3 * 86_400_000;
const BUTTON_WORKS_FOR_MS = 7 * 86_400_000;

const callbackUrl = (baseUrl: string, provider: string, token: string | undefined): string =>
  `${baseUrl}/callbacks/${provider}${token === undefined ? '' : `?token=${token}`}`;

/** URLs at which providers call back, signed for one subject, which begins with the provider. Each works for three days, or as long as is given. */
export class SignedCallbackUrls<S extends readonly [provider: string, ...unknown[]]> {
  readonly #parts: SignedCallbackUrlsParts;
  readonly #subject: z.ZodType<S>;

  constructor(parts: SignedCallbackUrlsParts, subject: z.ZodType<S>) {
    this.#parts = parts;
    this.#subject = subject;
  }

  urlOf(subject: S): string {
    return callbackUrl(this.#parts.baseUrl, subject[0], this.tokenOf(subject));
  }

  tokenOf(subject: S): string {
    const { clock, links, worksForMs = WORKS_FOR_MS } = this.#parts;
    const written = Buffer.from(JSON.stringify(subject)).toString('base64url');
    return links.sign(written, new Date(clock.now().getTime() + worksForMs));
  }

  /** The subject of a token; `forged` where it is not a token of `provider`. */
  read(provider: string, token: string): S | 'expired' | 'forged' {
    const { clock, links } = this.#parts;
    const link = links.read(token, clock.now());
    if (link.kind !== 'valid') return link.kind;
    // Tocsin has signed it, so it has the form that `urlOf` writes.
    const subject = this.#subject.parse(JSON.parse(Buffer.from(link.subject, 'base64url').toString()));
    return subject[0] === provider ? subject : 'forged';
  }
}

/** The links of messages to the page that acknowledges; none without `PUBLIC_URL` (U9). */
export const linking = (publicUrl: string | undefined, links: LinkSigner): Pick<ContentSettings, 'acknowledgeUrl'> =>
  publicUrl === undefined
    ? {}
    : {
        acknowledgeUrl: (delivery) =>
          `${publicUrl}/acknowledge/${links.sign(writeLinkSubject(delivery, digestOf), linkExpiresAt(delivery))}`,
      };

/** Names a page in links and codes: 96 bits of a digest of its id. */
export const digestOf = (pageId: string): string =>
  createHash('sha256').update(pageId).digest('base64url').slice(0, 16);
