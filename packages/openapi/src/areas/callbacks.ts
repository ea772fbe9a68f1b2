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
      'For providers of messages, which are given the URL with each message. No key is needed: the URL is signed for one try of one message, and works for three days; a call of Twilio has to be signed by Twilio besides (`X-Twilio-Signature`). The same call again changes nothing. Replies to text messages come at the same path without a token, signed by Twilio, or with the token that was agreed with a gateway. What somebody answers by a key or a reply is answered to Twilio in TwiML.',
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
