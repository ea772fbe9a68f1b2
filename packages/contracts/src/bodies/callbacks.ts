import { z } from 'zod';

/** The query of a URL that a provider was given to call (U7, U9): a word that we have signed, or that was agreed. */
export const CallbackQuery = z.object({
  token: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .meta({ description: 'As it stands in the URL that the provider was given; Twilio tells of replies without one.' }),
});
