import type { z } from 'zod';
import { serviceConfig } from '@tocsin/service-kit';

/** What every service is told, and nothing beside it. */
export const Config = serviceConfig({});
export type Config = z.infer<typeof Config>;
