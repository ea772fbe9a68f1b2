import { z } from 'zod';

/** The settings of pushes. */
export const PUSH_SETTINGS = {
  /** The root of an ntfy server. Unset: nothing is pushed. */
  PUSH_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://push.example.com' }).optional(),
  /** For a server on which not everybody may publish. */
  PUSH_TOKEN: z.string().optional(),
} as const;
