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
