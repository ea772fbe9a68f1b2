import type { z } from 'zod';
import { serviceConfig } from '@tocsin/service';

/** The settings that every service has, and no others. */
export const Config = serviceConfig({});
export type Config = z.infer<typeof Config>;
