import { z } from 'zod';
import { resource, type Rules } from '../operation.ts';
import { doneAnswer } from '../successes.ts';

/**
 * The query of a URL that a provider was given to call: a word that we have signed, or that was agreed (U18, U20, U21), or the integration at
 * which commands of a chat come (C9).
 */
export const CallbackQuery = z.object({
  token: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .meta({ description: 'As it stands in the URL that the provider was given; Twilio reports replies without one.' }),
  integration: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Of commands in Slack and Mattermost (C9): the id of the integration.' }),
});

/**
 * The fields that Twilio sends about a text message (`MessageStatus`), a call (`CallStatus`), a key (`Digits`) and a reply (`From`,
 * `Body`); a gateway has fields of its own.
 */
const CallbackForm = z.object({
  MessageStatus: z.string().optional(),
  CallStatus: z.string().optional(),
  ErrorCode: z.string().optional(),
  Digits: z.string().optional(),
  From: z.string().optional(),
  Body: z.string().optional(),
});

const RULES: Rules = {
  U18: [
    'Receipts ([reasons](subjects/sending.md#receipts)): with `CALLBACK_URL` Twilio, and a gateway that is configured to, reports the result of a text message or call at `POST /callbacks/{provider}` (an operation of Tocsin). The log says `delivered` or `failed`.',
    "A receipt names one try of one message and only advances it. Receipts may arrive before the provider's answer, late, twice and in any order. A message that arrived is not sent again; a receipt of an older try is logged and changes nothing.",
    'A message that failed after it was sent goes to the next provider as above, within the time of its tries. Until then its content is kept where another provider is left. A call that is not answered has failed.',
    'Unsigned calls and URLs without a valid signature: 403. Expired ones: 404. A body of Twilio or a gateway that is not a form: 415. One of these without a token over 16 KiB, and any over 64 KiB: 413.',
    'An address may call 1000 times a second, 10000 at once (`CALLBACK_LIMIT`), then 429. Calls that are answered 403 or 404, as all are where no provider has callbacks, count as unknown keys: after 100 at once and 10 a second (`FAILED_AUTH_LIMIT`) the address gets 429 for further calls.',
  ],
};

/** U18, U20, U21. */
export const CALLBACKS = resource('Callbacks of providers', RULES, {
  'take-callback': {
    right: 'callback',
    domain: 'alert',
    owner: 'notifier',
    method: 'POST',
    path: '/callbacks/{provider}',
    passedHeaders: ['x-twilio-signature', 'x-slack-signature', 'x-slack-request-timestamp'],
    maxBodyBytes: 65_536,
    summary: 'Takes the report of a provider about a message, or the answer of a user to a message or a post',
    description:
      'For providers of messages and products of chat; no key is needed. A receipt, and a key that is pressed during a call, come at a URL that we signed for one try or one question; it works for three days. A reply comes from Twilio without a token, from a gateway with the token that was agreed with it. Twilio signs each of its calls (`X-Twilio-Signature`). The same call again changes nothing. Keys and replies are answered to Twilio in TwiML. Slack and Mattermost report the buttons below posts (C7): Slack signs its reports, those of Mattermost have a token that we signed. They report commands of users at a URL with the id of an integration (C9), signed, or with a token that Mattermost made; the answer is for the user alone.',
    params: z.object({
      provider: z
        .string()
        .min(1)
        .max(100)
        .meta({ description: '`twilio`, `http` for a gateway, `slack` or `mattermost`.' }),
    }),
    query: CallbackQuery,
    body: {
      mediaType: 'application/x-www-form-urlencoded',
      schema: CallbackForm,
      example: { MessageStatus: 'delivered' },
    },
    success: { ...doneAnswer('Taken'), or: { mediaType: 'text/xml' } },
    refusals: [404],
  },
});
