import { z } from 'zod';

/** The query of a URL that a provider was given to call (U7): a word that we have signed. */
export const CallbackQuery = z.object({
  token: z.string().min(1).max(4_000).meta({ description: 'As it stands in the URL that the provider was given.' }),
});
