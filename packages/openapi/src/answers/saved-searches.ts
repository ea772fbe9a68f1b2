import { z } from 'zod';
import { Id, Instant } from './shared.ts';

/** Wire facts 4. */
export const SavedSearch = z
  .object({
    id: Id,
    name: z.string(),
    createdAt: Instant,
    updatedAt: Instant,
    owner: z.object({ id: Id }),
    teams: z.array(z.object({ id: Id })),
    description: z.string(),
    query: z.string(),
  })
  .meta({ id: 'SavedSearch' });
