import { z } from 'zod';
import { CallbackQuery } from '@tocsin/contracts';
import { area } from '../description.ts';
import { doneAnswer } from '../successes.ts';

/**
 * What Twilio sends of a text message (`MessageStatus`), of a call (`CallStatus`), of a key (`Digits`) and of a reply (`From`,
 * `Body`); a gateway has fields of its own.
 */
const Told = z.object({
  MessageStatus: z.string().optional(),
  CallStatus: z.string().optional(),
  ErrorCode: z.string().optional(),
  Digits: z.string().optional(),
  From: z.string().optional(),
  Body: z.string().optional(),
});

/** U7, U9. */
export const CALLBACKS = area({
  'take-callback': {
    description:
      'For providers of messages; no key is needed. A receipt, and a key that is pressed during a call, come at a URL that we signed for one try or one question; it works for three days. A reply comes from Twilio without a token, from a gateway with the token that was agreed with it. Twilio signs each of its calls (`X-Twilio-Signature`). The same call again changes nothing. Keys and replies are answered to Twilio in TwiML.',
    path: z.object({
      provider: z.string().min(1).max(100).meta({ description: '`twilio`, or `http` for a gateway.' }),
    }),
    query: CallbackQuery,
    body: {
      mediaType: 'application/x-www-form-urlencoded',
      schema: Told,
      example: { MessageStatus: 'delivered' },
    },
    success: { ...doneAnswer('Taken'), or: { mediaType: 'text/xml' } },
    refusals: [404],
  },
});
