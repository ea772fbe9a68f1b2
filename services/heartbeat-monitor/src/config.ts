import { serviceConfig } from '@tocsin/service-kit';

/** Nothing but what every service is told. */
export const Config = serviceConfig({});
export type Config = ReturnType<typeof Config.parse>;
