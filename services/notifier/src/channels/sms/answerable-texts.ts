import { withTimeout } from '@tocsin/clock';
import type { SendResult } from '../../domain/attempts.ts';
import type { ReplyCode } from '../../domain/reply.ts';
import type { AttemptReference, Provider } from '../../ports/provider.ts';
import type { ReplyCodes } from '../../ports/reply-codes.ts';
import { HELD_UP } from '../answers.ts';
import { withoutProviderWords, providerWords } from '../redacted-result.ts';
import type { TextMessage } from './message.ts';

export interface AnswerableTextsParts {
  readonly provider: Provider<TextMessage>;
  readonly codes: Pick<ReplyCodes, 'keep'>;
  /** Hears why a code cannot be kept. */
  readonly onTrouble: (error: unknown) => void;
  /** How long a message waits for a slow database to store its codes, real time; 1 s by default. */
  readonly patienceMs?: number;
}

/**
 * Text messages by a provider that takes replies. The code of a message is kept before it goes out, so that each code that
 * somebody has is known. One that cannot be kept is left out: a page without a code beats none.
 */
export class AnswerableTexts implements Provider<TextMessage> {
  readonly name: string;
  readonly tellsReceipts: boolean;
  readonly #parts: AnswerableTextsParts;

  constructor(parts: AnswerableTextsParts) {
    const { name, tellsReceipts = false } = parts.provider;
    this.name = name;
    this.tellsReceipts = tellsReceipts;
    this.#parts = parts;
  }

  async send({ answerable, text, to }: TextMessage, attempt: AttemptReference): Promise<SendResult> {
    const { codes, onTrouble, patienceMs = 1_000, provider } = this.#parts;
    if (answerable === undefined) return provider.send({ to, text }, attempt);
    try {
      const kept = Promise.all(answerable.codes.map((code) => codes.keep(code)));
      await withTimeout(kept, patienceMs, () => {
        throw new Error(`it takes longer than ${patienceMs} ms`);
      });
    } catch (error) {
      onTrouble(error);
      if (attempt.holdsTurn?.() === false) return HELD_UP;
      return provider.send({ to, text }, attempt);
    }
    // Keeping them took time, in which another process may have taken the message over.
    if (attempt.holdsTurn?.() === false) return HELD_UP;
    return withoutCodes(await provider.send({ to, text: answerable.text }, attempt), answerable.codes);
  }

  async close(): Promise<void> {
    await this.#parts.provider.close?.();
  }
}

/** A provider may repeat the text, in whatever form; a code is for its reader alone. */
function withoutCodes(result: SendResult, codes: readonly ReplyCode[]): SendResult {
  const said = providerWords(result)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');
  const isTold = codes.flatMap(({ code }) => formsOf(code)).some((form) => said.includes(form));
  return isTold ? withoutProviderWords(result) : result;
}

/** A code as letters, and in the hexadecimal forms of gateways: bytes, and the two bytes of each character of an SMS. */
const formsOf = (code: string): readonly string[] => [
  code,
  Buffer.from(code).toString('hex'),
  Buffer.from(code, 'utf16le').swap16().toString('hex'),
];
