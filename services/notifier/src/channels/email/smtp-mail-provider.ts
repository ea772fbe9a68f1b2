import type { SendResult } from '../../messages/attempts.ts';
import type { Mail } from './message.ts';
import type { AttemptReference, Provider } from '../channel.ts';
import { LEASE_LOST, MAX_RETRY_AFTER_MS } from '../http/outgoing.ts';
import { toMime, type MimeMail } from './mime.ts';
import { isLoopback } from './settings.ts';
import { SmtpSession, type SmtpLogin, type SmtpSessionOptions } from './smtp-session.ts';

export interface SmtpSettings {
  /** `smtp://host:port`, or `smtps://host:port` for TLS from the first byte. */
  readonly url: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: 'auto' | 'required' | 'off';
  readonly verifyCertificate: boolean;
  readonly from: string;
  /** How long a server may send nothing before the connection is closed, milliseconds; 10 000 by default. */
  readonly silenceLimitMs?: number;
  /** How long a hand-over may take, from its beginning to the last answer, milliseconds; 20 000 by default. */
  readonly sendLimitMs?: number;
}

/** The part of the notifier's configuration that is about mail. */
interface SmtpConfig {
  readonly smtpUrl: string;
  readonly smtpUsername?: string | undefined;
  readonly smtpPassword?: string | undefined;
  readonly smtpTls: SmtpSettings['tls'];
  readonly smtpTlsVerify: boolean;
  readonly mailFrom: string;
}

/** The SMTP settings of a configuration. */
export function smtpSettings(config: SmtpConfig): SmtpSettings {
  return {
    url: config.smtpUrl,
    username: config.smtpUsername,
    password: config.smtpPassword,
    tls: config.smtpTls,
    verifyCertificate: config.smtpTlsVerify,
    from: config.mailFrom,
  };
}

const CONNECT_LIMIT_MS = 5_000;
/** Unless the settings say otherwise. */
const SILENCE_LIMIT_MS = 10_000;
/** Unless the settings say otherwise. */
const SEND_LIMIT_MS = 20_000;

/** One hand-over. */
interface Attempt extends Pick<AttemptReference, 'isLeased'> {
  /** Closed when its time is up. */
  session?: SmtpSession;
  isLate: boolean;
}

/**
 * Hands mails to an SMTP server, each over a connection that is kept for the next mail. There are as many connections as mails
 * were handed over at the same time. An open connection may be silent for 10 s; a whole hand-over, from connecting to the last
 * answer, may take 20 s. Each call sends a mail once. The outcome is unknown only when its body was begun and no answer came.
 */
export class SmtpMailProvider implements Provider<Mail> {
  readonly name = 'smtp';
  readonly #from: string;
  readonly #options: SmtpSessionOptions;
  readonly #login: SmtpLogin | undefined;
  readonly #sendLimitMs: number;
  /** Connected and without a mail, the one that was used last at the end. */
  readonly #idle: SmtpSession[] = [];
  #isClosed = false;

  constructor(settings: SmtpSettings) {
    this.#from = settings.from;
    this.#sendLimitMs = settings.sendLimitMs ?? SEND_LIMIT_MS;
    this.#options = sessionOptions(settings);
    this.#login =
      settings.username === undefined ? undefined : { user: settings.username, pass: settings.password ?? '' };
  }

  async send(mail: Mail, { isLeased }: Pick<AttemptReference, 'isLeased'> = {}): Promise<SendResult> {
    const attempt: Attempt = { isLate: false, isLeased };
    const limit = setTimeout(() => {
      attempt.isLate = true;
      // Otherwise a server that never ends its answer would keep the connection.
      attempt.session?.close();
    }, this.#sendLimitMs);
    try {
      return { kind: 'accepted', response: await this.#handOver(toMime(mail, this.#from), attempt) };
    } catch (error) {
      const result = attempt.isLate ? TOOK_TOO_LONG : refusalOf(error);
      // A mail of which no byte was sent cannot have arrived: it may be sent again, whatever its priority (U17).
      const isUnsent = attempt.session?.hasSentNothing !== false;
      return result.kind === 'unknown' && isUnsent ? { kind: 'temporary', reason: result.reason } : result;
    } finally {
      clearTimeout(limit);
    }
  }

  /** Closes the connections; one that hands over a mail closes after that mail. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#idle.splice(0)) session.close();
    return Promise.resolve();
  }

  async #handOver(mail: MimeMail, attempt: Attempt): Promise<string> {
    const kept = this.#idle.pop();
    if (kept === undefined) return this.#overNew(mail, attempt);
    attempt.session = kept;
    try {
      return await this.#over(kept, mail);
    } catch (error) {
      // The server may have closed it while it was idle.
      if (!kept.hasSentNothing || isRefusal(error) || attempt.isLate) throw error;
      return this.#overNew(mail, attempt);
    }
  }

  async #overNew(mail: MimeMail, attempt: Attempt): Promise<string> {
    const session = new SmtpSession(this.#options, () => {
      const at = this.#idle.indexOf(session);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    attempt.session = session;
    await session.open(this.#login);
    if (attempt.isLeased?.() !== false) return this.#over(session, mail);
    // Connecting took time, in which another process has taken the message over.
    this.#keep(session);
    throw new Error(LEASE_LOST.reason);
  }

  async #over(session: SmtpSession, mail: MimeMail): Promise<string> {
    const response = await session.send(mail);
    this.#keep(session);
    return response;
  }

  #keep(session: SmtpSession): void {
    if (this.#isClosed) session.close();
    else if (session.isOpen) this.#idle.push(session);
  }
}

function sessionOptions(settings: SmtpSettings): SmtpSessionOptions {
  const { hostname, port, protocol } = new URL(settings.url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A login never goes over a network in the clear, not even where an attacker hides that the server offers TLS.
    requireTLS: settings.tls === 'required' || (settings.username !== undefined && !isLoopback(hostname)),
    ignoreTLS: settings.tls === 'off',
    tls: { rejectUnauthorized: settings.verifyCertificate },
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: settings.silenceLimitMs ?? SILENCE_LIMIT_MS,
  };
}

const TOOK_TOO_LONG: SendResult = { kind: 'unknown', reason: 'the mail server took too long' };

/** A permanent refusal of this message is final; any other failure may pass. */
function refusalOf(error: unknown): SendResult {
  const reason = error instanceof Error ? error.message : String(error);
  if (reason === SILENCE) return { kind: 'unknown', reason: 'the mail server fell silent' };
  if (isUnreadable(error)) return { kind: 'unknown', reason };
  const isFinal = isAboutTheMessage(error) && !mayPass(error) && !isAboutTheSender(error);
  if (isFinal) return { kind: 'permanent', reason };
  const retryAfterMs = isAboutTheMessage(error) ? saidWaitMs(reason) : undefined;
  // A mail server that delays the mails of unknown senders does so for each recipient.
  return { kind: 'temporary', reason, ...(retryAfterMs !== undefined && { retryAfterMs, isLimitOfRecipient: true }) };
}

/** `Greylisted for 5 minutes`, `try again in 300 seconds`. */
const SAID_WAIT =
  /\b(?:greylist\w*|retry|try|wait|delayed)\b[^\d\n]{0,40}\b(\d{1,4}) ?(s|secs?|seconds?|m|mins?|minutes?)\b/i;

/** How long a mail server asks to wait, milliseconds, in the words that are usual; undefined where it says no time. */
function saidWaitMs(reason: string): number | undefined {
  const [, count, unit = ''] = SAID_WAIT.exec(reason) ?? [];
  const waitMs = Number(count ?? 0) * (unit.toLowerCase().startsWith('m') ? 60_000 : 1_000);
  return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : undefined;
}

const MAIL_TOO_LARGE = 552;

/**
 * Whether the server refused our sender or login: it would refuse the next mail too, until the settings are corrected.
 */
const isAboutTheSender = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  error.command === 'MAIL FROM' &&
  (codeOf(error) ?? MAIL_TOO_LARGE) !== MAIL_TOO_LARGE;

/** The client's text for an open connection on which the server sends nothing. */
const SILENCE = 'Timeout';

function isAboutTheMessage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');
}

/** Whether the server's answer has no reply code: then it is not known whether it accepted the message. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && 'response' in error && codeOf(error) === undefined;

const SERVER_LEAVES = 421;

/** Whether the server refused the message, and did not close the connection. */
const isRefusal = (error: unknown): boolean => isAboutTheMessage(error) && codeOf(error) !== SERVER_LEAVES;

const mayPass = (error: unknown): boolean => (codeOf(error) ?? Infinity) < 500;

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined;
