import { withTimeout } from '@tocsin/core';
import type { SendResult } from '../../messages/attempts.ts';
import type { ReplyCode } from '../../answers/reply.ts';
import type { AttemptReference, Provider } from '../channel.ts';
import { LEASE_LOST } from '../http/outgoing.ts';
import { withoutProviderWords, providerWords } from '../providers/redacted-result.ts';
import type { TextMessage } from './message.ts';

export interface AnswerableTextsParts {
  readonly provider: Provider<TextMessage>;
  readonly codes: { keep(code: ReplyCode): Promise<void> };
  /** Called when a code cannot be stored. */
  readonly onFailure: (error: unknown) => void;
  /** How long a message waits for a slow database to store its codes, real time; 1 s by default. */
  readonly storeTimeoutMs?: number;
}

/**
 * Text messages by a provider that takes replies. The code of a message is stored before it is sent, so that each code that a user
 * has is known. A message whose code cannot be stored is sent without it: a page without a code is better than none.
 */
export class AnswerableTexts implements Provider<TextMessage> {
  readonly name: string;
  readonly sendsReceipts: boolean;
  readonly #parts: AnswerableTextsParts;

  constructor(parts: AnswerableTextsParts) {
    const { name, sendsReceipts = false } = parts.provider;
    this.name = name;
    this.sendsReceipts = sendsReceipts;
    this.#parts = parts;
  }

  async send({ answerable, text, to }: TextMessage, attempt: AttemptReference): Promise<SendResult> {
    const { codes, onFailure, storeTimeoutMs = 1_000, provider } = this.#parts;
    if (answerable === undefined) return provider.send({ to, text }, attempt);
    try {
      const kept = Promise.all(answerable.codes.map((code) => codes.keep(code)));
      await withTimeout(kept, storeTimeoutMs, () => {
        throw new Error(`it takes longer than ${storeTimeoutMs} ms`);
      });
    } catch (error) {
      onFailure(error);
      if (attempt.isLeased?.() === false) return LEASE_LOST;
      return provider.send({ to, text }, attempt);
    }
    // Keeping them took time, in which another process may have claimed the queue.
    if (attempt.isLeased?.() === false) return LEASE_LOST;
    return withoutCodes(await provider.send({ to, text: answerable.text }, attempt), answerable.codes);
  }

  async close(): Promise<void> {
    await this.#parts.provider.close?.();
  }
}

/** A provider may repeat the text in any form, but only the user may see the code. */
function withoutCodes(result: SendResult, codes: readonly ReplyCode[]): SendResult {
  const said = providerWords(result)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');
  const repeatsCode = codes.flatMap(({ code }) => formsOf(code)).some((form) => said.includes(form));
  return repeatsCode ? withoutProviderWords(result) : result;
}

/** A code as letters, and in the hexadecimal forms of gateways: bytes, and the two bytes of each character of an SMS. */
const formsOf = (code: string): readonly string[] => [
  code,
  Buffer.from(code).toString('hex'),
  Buffer.from(code, 'utf16le').swap16().toString('hex'),
];
