export { Activity } from './activity.ts';
export type { WorkSource } from './activity.ts';
export type { Compose, ServiceContext } from './context.ts';
export { everySeconds } from './every.ts';
export { Health } from './health.ts';
export { Lifecycle } from './lifecycle.ts';
export { runService, startService } from './run-service.ts';
export { serviceConfig } from './service-config.ts';
export type { CommonConfig, ServiceConfig } from './service-config.ts';
