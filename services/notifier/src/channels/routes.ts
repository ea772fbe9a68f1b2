import { CallbackQuery } from '@tocsin/api';
import { NotFoundError, TooLargeError } from '@tocsin/core';
import { BUTTON_PROVIDERS } from '@tocsin/events';
import { defineRoute, type RawBody, rawBody, readFormFields, type Route } from '@tocsin/http';
import type { ChatReport, TakeButtons } from '../chat/button-operations.ts';
import type { TakeCommands } from '../chat/commands/operations.ts';
import type { TakeCallbacks } from './operations.ts';

/** Far more than any provider sends. */
const MAX_BYTES = 65_536;
/**
 * Callers need no token here, and the form is read before its signature is checked. A text message needs a tenth of this.
 */
const MAX_BYTES_WITHOUT_TOKEN = 16_384;

/** No cache may store the reply to a user. */
const UNKEPT = { 'Cache-Control': 'no-store' };

/** Where providers of messages report receipts and answers of users, and products of chat presses of buttons and commands. */
export const callbackRoutes = (
  callbacks: Pick<TakeCallbacks, 'take'> | undefined,
  chats: ChatCallbacks | undefined,
): readonly Route[] => [
  defineRoute({
    operation: 'take-callback',
    query: CallbackQuery,
    body: rawBody,
    handle: async ({ body, headers, params, query: { integration, token } }) => {
      const provider = params['provider'] ?? '';
      const chat = BUTTON_PROVIDERS.find((each) => each === provider);
      if (callbacks === undefined || (chat !== undefined && chats === undefined))
        throw new NotFoundError('There is no such provider.');
      const answer =
        chat !== undefined && chats !== undefined
          ? await takeInChat(chats, { provider: chat, headers, readBody: () => bytesOf(body) }, integration)
          : await callbacks.take({
              provider,
              token,
              signature: headers['x-twilio-signature'],
              readFields: () => readFormFields(body, token === undefined ? MAX_BYTES_WITHOUT_TOKEN : MAX_BYTES),
            });
      return answer === undefined ? { body: { result: 'Taken' } } : { headers: UNKEPT, written: answer };
    },
  }),
];

/** The handlers of what products of chat report. */
export interface ChatCallbacks {
  readonly buttons: Pick<TakeButtons, 'take'>;
  readonly commands: Pick<TakeCommands, 'take'>;
}

/** The URL of commands names the integration, that of buttons does not. */
const takeInChat = ({ buttons, commands }: ChatCallbacks, report: ChatReport, integrationId: string | undefined) =>
  integrationId === undefined ? buttons.take(report) : commands.take(integrationId, report);

/** A report of a product of chat may repeat the post, and its signature is over the bytes. */
async function bytesOf({ bytes }: RawBody): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of bytes) {
    read += (chunk as Buffer).length;
    if (read > MAX_BYTES) throw new TooLargeError(`Request body is larger than ${MAX_BYTES} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
