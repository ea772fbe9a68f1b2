import { timeZone } from '@tocsin/contracts';
import { serviceConfig } from '@tocsin/service-kit';
import type { z } from 'zod';

/** The environment of the service; `ACCOUNT_TIMEZONE` is the zone of schedules that name none (K5). */
export const Config = serviceConfig({ ACCOUNT_TIMEZONE: timeZone.default('UTC') });
export type Config = z.infer<typeof Config>;
