import { CallbackQuery } from '@tocsin/api';
import { NotFoundError } from '@tocsin/core';
import { defineRoute, rawBody, readFormFields, type Route } from '@tocsin/http';
import type { TakeCallbacks } from './operations.ts';

/** Far more than any provider sends. */
const MAX_BYTES = 65_536;
/**
 * Callers need no token here, and the form is read before its signature is checked. A text message needs a tenth of this.
 */
const MAX_BYTES_WITHOUT_TOKEN = 16_384;

/** No cache may store the reply to a user. */
const UNKEPT = { 'Cache-Control': 'no-store' };

/** Where providers report receipts and answers of users. */
export const callbackRoutes = (callbacks: Pick<TakeCallbacks, 'take'> | undefined): readonly Route[] => [
  defineRoute({
    operation: 'take-callback',
    query: CallbackQuery,
    body: rawBody,
    handle: async ({ body, headers, params, query }) => {
      if (callbacks === undefined) throw new NotFoundError('There is no such provider.');
      const answer = await callbacks.take({
        provider: params['provider'] ?? '',
        token: query.token,
        signature: headers['x-twilio-signature'],
        readFields: () => readFormFields(body, query.token === undefined ? MAX_BYTES_WITHOUT_TOKEN : MAX_BYTES),
      });
      return answer === undefined ? { body: { result: 'Taken' } } : { headers: UNKEPT, written: answer };
    },
  }),
];
