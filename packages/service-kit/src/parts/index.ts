export { startConsumer } from './consumer.ts';
export type { ConsumerSettings } from './consumer.ts';
export { appOptions, internalClient, serve } from './http.ts';
export { openPublisher } from './kafka.ts';
export { openMongo, openMongoApart } from './mongo.ts';
export { openOutbox, openStateOutbox } from './outbox.ts';
export { openReplicas } from './replicas.ts';
export type { Replicas } from './replicas.ts';
export { openTimers, startTimers } from './timers.ts';
