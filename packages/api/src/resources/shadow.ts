import { flexibleBoolean } from '@tocsin/events';
import { z } from 'zod';
import { resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, dataAnswer } from '../successes.ts';

/** Whether the account is to be in shadow. */
export const ShadowBody = z.object({ enabled: flexibleBoolean });

const Shadow = z
  .object({
    enabled: z.boolean(),
    changedAt: z.string().meta({ description: 'Since when; the creation of the account where it was never changed.' }),
    changedBy: z
      .string()
      .optional()
      .meta({ description: 'The integration or the user that changed it last; absent where it was never changed.' }),
  })
  .meta({ id: 'Shadow' });

const SHADOW = '/v2/account/shadow';
const ofAccount = { domain: 'configuration', owner: 'directory', path: SHADOW } as const;
const example = { enabled: true, changedAt: '2026-12-01T09:00:00Z', changedBy: 'ada@example.com' };

const RULES: Rules = {
  M1: [
    'While shadow is on, Tocsin takes alerts, applies policies, escalates and decides as always, and sends no message about it. An operation of Tocsin, for a move from another product.',
    'Keys with configuration and read access, and people of every role, read the switch. Keys of the account with configuration and write access, owners and admins set it. A request that changes nothing is answered like one that does.',
    'The answer to `enabled: true` comes once each process of notifier either knows of it or sends nothing, and no message is being handed over any more. A message that a provider took before is not recalled.',
    'The answer to `enabled: false` comes once each process sends again: a message that becomes due after it is sent.',
    'Once shadow was ended, the answer to the next `enabled: true` takes 5 s longer: until then all gateways forward requests with imported keys (M8).',
    '503: it is stored, and notifier has not confirmed it within 13 s; send the request again. While it is not confirmed, each message is either sent or held back, as its process knows. 409: another request has changed the switch meanwhile.',
  ],
};

/** The switch that keeps messages back (M1). */
export const SHADOW_SWITCH_OPERATIONS = resource('Shadow', RULES, {
  'get-shadow': {
    ...ofAccount,
    right: 'read-configuration',
    method: 'GET',
    summary: 'Reads whether the account is in shadow',
    success: dataAnswer(Shadow, example),
  },
  'set-shadow': {
    ...ofAccount,
    ...SMALL_BODY,
    right: 'write-configuration',
    teamKeys: 'refused',
    method: 'PUT',
    summary: 'Begins or ends shadow',
    body: { schema: ShadowBody, example: { enabled: true } },
    success: changedAnswer('Updated', Shadow, example),
    refusals: [409],
  },
});
