import { z } from 'zod';
import { CallbackQuery } from '@tocsin/contracts';
import { area } from '../description.ts';
import { doneAnswer } from '../successes.ts';

/** What Twilio sends of a text message (`MessageStatus`) and of a call (`CallStatus`); a gateway has a field of its own. */
const Receipt = z.object({
  MessageStatus: z.string().optional(),
  CallStatus: z.string().optional(),
  ErrorCode: z.string().optional(),
});

/** U7. */
export const CALLBACKS = area({
  'take-callback': {
    description:
      'For providers of messages, which are given the URL with each message. No key is needed: the URL is signed for one try of one message, and works for three days; a call of Twilio has to be signed by Twilio besides (`X-Twilio-Signature`). The same call again changes nothing.',
    path: z.object({
      provider: z.string().min(1).max(100).meta({ description: '`twilio`, or `http` for a gateway.' }),
    }),
    query: CallbackQuery,
    body: {
      mediaType: 'application/x-www-form-urlencoded',
      schema: Receipt,
      example: { MessageStatus: 'delivered' },
    },
    success: doneAnswer('Taken'),
    refusals: [404],
  },
});
