import type { ServiceName } from '@tocsin/contracts';

/** Who calls, as the gateway found out from the key and vouches for to the services behind it (K6). */
export interface Principal {
  readonly integrationId: string;
  readonly integrationName: string;
  readonly integrationType: string;
  /** The team that owns the integration: its keys are bound to that team (K4). */
  readonly teamId: string | undefined;
  /** `allowWriteAccess`. */
  readonly mayWrite: boolean;
  /** `allowConfigurationAccess`. */
  readonly mayConfigure: boolean;
}

/** A service that calls another one on its own behalf. It reaches internal routes only. */
export interface ServiceCaller {
  readonly service: ServiceName;
}

/** Who stands behind a request between services. */
export type Caller = Principal | ServiceCaller;

/** The header that carries a signed caller. The gateway drops it from every request that comes from outside (K6). */
export const PRINCIPAL_HEADER = 'x-tocsin-principal';

/** Whether a service calls on its own behalf, not for the holder of a key. */
export function isServiceCaller(caller: Caller): caller is ServiceCaller {
  return 'service' in caller;
}
