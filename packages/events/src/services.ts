/** The services of an installation; the gateway last, because it forwards to the others. */
export const SERVICES = [
  'directory',
  'scheduling',
  'alert-ingest',
  'alert-processor',
  'heartbeat-monitor',
  'notifier',
  'gateway',
] as const;
export type ServiceName = (typeof SERVICES)[number];
