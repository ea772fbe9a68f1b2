import type { OutgoingCaller, OutgoingSocket, SocketRequest } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { fieldsOf, refusal, unansweredOutside, words } from '../../channels/http/outgoing.ts';
import type { SlackSocketApp } from './app.ts';

/** A press repeats its whole post. */
const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_ERROR_LENGTH = 100;

/** Errors that do not pass by themselves, and what a user can do about them. */
const MEANINGS: Readonly<Record<string, string>> = {
  invalid_auth: 'the app-level token is wrong',
  not_authed: 'the app-level token is missing',
  not_allowed_token_type: 'the token is no app-level token',
  missing_scope: 'the app-level token needs the scope connections:write',
  token_revoked: 'the app-level token was revoked: generate another one',
  token_expired: 'the app-level token has expired',
  account_inactive: 'the app was removed, or its workspace',
};

/** Why there is no connection. */
export interface SocketFailure {
  readonly kind: 'failed';
  /** Without secrets. */
  readonly reason: string;
  /** Whether it does not pass by itself. */
  readonly isForGood: boolean;
  readonly retryAfterMs?: number | undefined;
}

type Handlers = Pick<SocketRequest, 'onText' | 'onClosed'>;

/** Opens connections of Socket Mode. */
export class SlackSocketClient {
  readonly #outgoing: Pick<OutgoingCaller, 'call' | 'openSocket'>;
  readonly #pingEveryMs: number | undefined;

  /** `pingEveryMs` is that of `openSocket`. */
  constructor(outgoing: Pick<OutgoingCaller, 'call' | 'openSocket'>, pingEveryMs?: number) {
    this.#outgoing = outgoing;
    this.#pingEveryMs = pingEveryMs;
  }

  /** Never rejects. */
  async open(
    { appToken, url: api }: Pick<SlackSocketApp, 'url' | 'appToken'>,
    handlers: Handlers,
  ): Promise<OutgoingSocket | SocketFailure> {
    const url = await this.#urlFor(api, appToken);
    if (typeof url !== 'string') return url;
    const opened = await this.#outgoing.openSocket({
      url,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      ...(this.#pingEveryMs !== undefined && { pingEveryMs: this.#pingEveryMs }),
      ...handlers,
    });
    return opened.kind === 'open'
      ? opened
      : {
          kind: 'failed',
          reason: `at the address that Slack gave: ${unansweredOutside(opened).reason}`,
          isForGood: false,
        };
  }

  /** The URL of a new connection: each is for one. */
  async #urlFor(api: string, appToken: string): Promise<string | SocketFailure> {
    const answer = await this.#outgoing.call({
      method: 'POST',
      url: `${api.replace(/\/+$/, '')}/apps.connections.open`,
      headers: { authorization: `Bearer ${appToken}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
    if (answer.kind !== 'answered')
      return { kind: 'failed', reason: unansweredOutside(answer).reason, isForGood: false };
    const { error, url } = fieldsOf(answer);
    const said = abbreviated(words(typeof error === 'string' ? error : '', [appToken]), MAX_ERROR_LENGTH);
    if (answer.status !== 200) {
      const refused = refusal(answer, said);
      const retryAfterMs = refused.kind === 'temporary' ? refused.retryAfterMs : undefined;
      return { kind: 'failed', reason: refused.reason, isForGood: refused.kind === 'permanent', retryAfterMs };
    }
    if (typeof url === 'string' && isSecureAs(api, url)) return url;
    const meaning = Object.hasOwn(MEANINGS, said) ? ` (${MEANINGS[said] ?? ''})` : '';
    const reason = said === '' ? 'its answer has no URL of a connection' : `it answered ${said}${meaning}`;
    return { kind: 'failed', reason, isForGood: meaning !== '' };
  }
}

/** Whether a connection is encrypted where the API is. */
const isSecureAs = (api: string, url: string): boolean =>
  /^wss:/i.test(url) || (/^http:/i.test(api) && /^ws:/i.test(url));
