/** An installation whose services are processes of their own, for programs that break it. */
export { API_KEY } from './api.ts';
export { newInstallation, type Engines, type Installation } from './installation.ts';
export { Ledger, type Reconciliation } from './ledger.ts';
export type { ServiceProcess } from './service-process.ts';
export { replicaOf } from './service-processes.ts';
